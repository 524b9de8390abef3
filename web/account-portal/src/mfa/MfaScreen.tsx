import { getMfa, patchMfa } from '@sightline/contract/mfa'
import { denialOfMember, type Member } from '@sightline/contract/rights'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { accountQueries, LoadFailed, useApplication, useOwnMember, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PasskeysCard, passkeysQuery } from '../passkeys/index.ts'
import { MfaCard } from './MfaCard.tsx'
import { mfaQuery } from './mfa-query.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useMfaText } from './text.ts'

function Loading() {
  return (
    <SkeletonGroup>
      <Card>
        <Skeleton className="h-5 w-48" />
        <Skeleton className="mt-2 h-4 w-72 max-w-full" />
        <Skeleton className="mt-6 size-50" />
        <Skeleton className="mt-6 h-10 w-60" />
      </Card>
    </SkeletonGroup>
  )
}

function Own({ member }: { member: Member }) {
  const { client, config } = useApplication()
  const t = useMfaText()
  const mfa = useQuery(mfaQuery(client))
  const passkeys = useQuery(passkeysQuery(client))
  const user = useQuery(accountQueries(client).user)
  const [codes, setCodes] = useState<readonly string[]>()
  if (mfa.isError && mfa.data === undefined) return <LoadFailed error={mfa.error} reset={() => void mfa.refetch()} />
  if (mfa.data === undefined) return <Loading />
  const denied = denialOfMember(patchMfa, member)
  const of = { company: config.theme.companyName, email: user.data?.email ?? '' }
  return (
    <>
      <div className="space-y-6 print:hidden">
        {denied?.check === 'demoUser' ? (
          <Notice>{t('This is a demonstration user: everything can be seen, nothing can be changed.')}</Notice>
        ) : null}
        <MfaCard
          mfa={mfa.data}
          readOnly={denied !== undefined}
          asksPasskeys={passkeys.data?.asSecondFactor === true}
          onEnabled={setCodes}
        />
        <PasskeysCard
          readOnly={denied !== undefined}
          hasApp={mfa.data.enabled}
          onChanged={() => void mfa.refetch()}
          onRecoveryCodes={setCodes}
        />
      </div>
      {codes === undefined ? null : <RecoveryCodes codes={codes} of={of} onClose={() => setCodes(undefined)} />}
    </>
  )
}

function Content() {
  const t = useMfaText()
  const own = useOwnMember()
  if (own.error !== null) return <LoadFailed error={own.error} reset={own.refetch} />
  if (own.data === undefined) return <Loading />
  const denied = denialOfMember(getMfa, own.data)?.check
  if (denied === 'support') {
    return (
      <Notice>{t('Access restricted: in a support session, two-factor sign-in is neither shown nor changed.')}</Notice>
    )
  }
  if (denied === 'demoUser') {
    return <Notice>{t('This is a public demonstration: how its owner signs in is not shown.')}</Notice>
  }
  return <Own member={own.data} />
}

/** The second factor of the signed-in user (specification §2 "TFA screen"). */
export function MfaScreen() {
  const t = useMfaText()
  usePageTitle(t('Two-factor'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Two-factor')}>
        {t('A code of your phone keeps others out, even where they know your password.')}
      </ScreenTitle>
      <Content />
    </div>
  )
}
