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

/** A notice on every page that the account or the user will be deleted, with a button to cancel. */
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
  // Users who are deleted with the account can't cancel its deletion.
  const isTheirs = data.deletesAt === deletesAt && member !== undefined
  const mayKeep = isTheirs && getMemberDenyReason(cancelDeletion, member) === undefined
  const action = mayKeep ? { label: t('Cancel deletion'), busy, onPress: () => void keep() } : undefined
  return (
    <Banner mood="warning" action={action}>
      <strong className="font-semibold">
        {t(ofAccount ? 'This account will be deleted on {day}.' : 'Your access and data will be deleted on {day}.', {
          day,
        })}
      </strong>
    </Banner>
  )
}
