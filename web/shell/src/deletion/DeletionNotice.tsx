import type { LaterText } from '@sightline/client'
import { cancelDeletion } from '@sightline/contract/account-deletion'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { Banner } from '@sightline/kit'
import { useQuery } from '@tanstack/react-query'
import { useApplication } from '../application.ts'
import { useOwnMember } from '../own-member.ts'
import { useTranslation } from '../translation.tsx'
import { useAllTexts } from '../use-all-texts.ts'
import { deletionQuery } from './deletion-query.ts'
import { useDay } from './use-day.ts'
import { useKeep } from './use-keep.ts'

/** Says on every page that the account, or whoever is signed in, is going to be deleted, and lets them think better of it. */
export function DeletionNotice() {
  const t = useTranslation<LaterText>()
  const { client } = useApplication()
  const dayOf = useDay()
  const hasWords = useAllTexts()
  const { data } = useQuery(deletionQuery(client))
  const member = useOwnMember().data
  const { busy, keep } = useKeep()
  const deletesAt = data?.accountDeletesAt ?? data?.deletesAt ?? null
  if (!hasWords || data === undefined || deletesAt === null) return null
  const day = dayOf(deletesAt)
  const ofAccount = data.accountDeletesAt !== null
  // Who only goes with the account cannot keep it.
  const isTheirs = data.deletesAt === deletesAt && member !== undefined
  const mayKeep = isTheirs && getMemberDenyReason(cancelDeletion, member) === undefined
  const action = mayKeep ? { label: t('Keep it'), busy, onPress: () => void keep() } : undefined
  return (
    <Banner mood="warning" action={action}>
      <strong className="font-semibold">
        {t(ofAccount ? 'This account will be deleted on {day}.' : 'Your sign-in will be deleted on {day}.', { day })}
      </strong>
    </Banner>
  )
}
