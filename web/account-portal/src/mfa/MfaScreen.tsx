import { getMfa, type Mfa, patchMfa } from '@sightline/contract/mfa'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PasskeysCard, passkeysQuery } from '../passkeys/index.ts'
import { useAccount } from '../shell/AccountFirst.tsx'
import { MfaCard } from './MfaCard.tsx'
import { mfaQuery } from './mfa-query.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { RecoveryCodesCard } from './RecoveryCodesCard.tsx'
import { type MfaText, useMfaText } from './text.ts'

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

function Cards({ mfa, onChanged }: { mfa: Mfa; onChanged: () => void }) {
  const { client, config } = useApplication()
  const t = useMfaText()
  const { user, member } = useAccount()
  const passkeys = useQuery(passkeysQuery(client))
  const [codes, setCodes] = useState<readonly string[]>()
  const denyReason = getMemberDenyReason(patchMfa, member)
  const of = { company: config.theme.companyName, email: user.email }
  return (
    <>
      <div className="space-y-6 print:hidden">
        {denyReason?.check === 'demoUser' ? (
          <Notice>
            {t("You're signed in as a demo user. You can see everything, but you can't change anything.")}
          </Notice>
        ) : null}
        <MfaCard
          mfa={mfa}
          readOnly={denyReason !== undefined}
          asksPasskeys={passkeys.data?.asSecondFactor === true}
          onEnabled={setCodes}
        />
        <PasskeysCard
          readOnly={denyReason !== undefined}
          hasApp={mfa.enabled}
          onChanged={onChanged}
          onRecoveryCodes={setCodes}
        />
        {passkeys.data !== undefined && (mfa.enabled || passkeys.data.asSecondFactor) ? (
          <RecoveryCodesCard state={passkeys.data} readOnly={denyReason !== undefined} onCreated={setCodes} />
        ) : null}
      </div>
      {codes === undefined ? null : <RecoveryCodes codes={codes} of={of} onClose={() => setCodes(undefined)} />}
    </>
  )
}

function Own() {
  const { client } = useApplication()
  const mfa = useQuery(mfaQuery(client))
  return (
    <Loaded asked={[mfa]} place={<Loading />}>
      {(known) => <Cards mfa={known} onChanged={() => void mfa.refetch()} />}
    </Loaded>
  )
}

/** Why it isn't shown, in one sentence. */
const standstills: Readonly<Record<string, MfaText>> = {
  support: "Access restricted. During a support session, you can't see or change two-factor authentication.",
  demoUser: "This is a public demo. The owner's sign-in settings are hidden.",
}

/** The second factor of the signed-in user (specification §2 "TFA screen"). */
export function MfaScreen() {
  const t = useMfaText()
  const { member } = useAccount()
  const why = standstills[getMemberDenyReason(getMfa, member)?.check ?? '']
  usePageTitle(t('Two-factor'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Two-factor')}>
        {t('Two-factor authentication protects your account even if someone knows your password.')}
      </ScreenTitle>
      {why === undefined ? <Own /> : <Notice>{t(why)}</Notice>}
    </div>
  )
}
