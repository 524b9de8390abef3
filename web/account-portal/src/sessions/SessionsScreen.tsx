import { deleteConnectedApp, getConnectedApps } from '@sightline/contract/connected-apps'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { deleteSession, getSessions } from '@sightline/contract/sessions'
import { Button, Card, Notice, ScreenTitle, Status } from '@sightline/kit'
import { useApplication, usePageTitle } from '@sightline/shell'
import { useState } from 'react'
import { ConnectedAppsCard } from '../connected-apps/index.ts'
import { useAccount } from '../shell/AccountFirst.tsx'
import { HistoryCard } from './HistoryCard.tsx'
import { LockdownCard } from './LockdownCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { sessionQueries } from './session-queries.ts'
import { useSessionsText } from './text.ts'

function Locked() {
  const t = useSessionsText()
  return (
    <Card title={t("You've been signed out everywhere")}>
      <div className="space-y-5">
        <Status className="max-w-prose">
          {t(
            "We've sent you an email with a link to set a new password. If it doesn't arrive, request another one on the sign-in page.",
          )}
        </Status>
        <Button onClick={() => window.location.reload()}>{t('Go to sign-in')}</Button>
      </div>
    </Card>
  )
}

function Own() {
  const t = useSessionsText()
  const { member } = useAccount()
  const { client, queries, session } = useApplication()
  const [isLocked, setLocked] = useState(false)
  const denyReason = getMemberDenyReason(deleteSession, member)
  if (isLocked) return <Locked />
  return (
    <div className="space-y-6">
      {denyReason?.check === 'demoUser' ? (
        <Notice>
          {t(
            "You're signed in as a demo user, which other people may be using too. You see only your own session, and you can't change anything.",
          )}
        </Notice>
      ) : null}
      <SessionsCard readOnly={denyReason !== undefined} />
      {getMemberDenyReason(getConnectedApps, member) === undefined ? (
        <ConnectedAppsCard
          readOnly={getMemberDenyReason(deleteConnectedApp, member) !== undefined}
          onRemoved={() => void queries.invalidateQueries({ queryKey: sessionQueries(client).sessions.queryKey })}
        />
      ) : null}
      <HistoryCard />
      <LockdownCard
        readOnly={denyReason !== undefined}
        onLocked={() => {
          setLocked(true)
          session.end('left')
        }}
      />
    </div>
  )
}

/** The signed-in user's sessions, their sign-in history, and lockdown. */
export function SessionsScreen() {
  const t = useSessionsText()
  const { member } = useAccount()
  usePageTitle(t('Sign-ins'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Sign-ins')}>{t("See where you're signed in, and sign out other devices.")}</ScreenTitle>
      {getMemberDenyReason(getSessions, member)?.check === 'support' ? (
        <Notice>
          {t("Access restricted. During a support session, you can't see where people are signed in or sign them out.")}
        </Notice>
      ) : (
        <Own />
      )}
    </div>
  )
}
