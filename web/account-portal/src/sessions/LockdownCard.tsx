import { type LockdownLoss, postLockdown } from '@sightline/contract/lockdown'
import { Button, Card, ConfirmDialog, Skeleton, Switch } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQueries } from './session-queries.ts'
import { useSessionsText } from './text.ts'

/** For a user who discovers another person's sign-in: signs everyone out and requires a new password. */
export function LockdownCard({ readOnly, onLocked }: { readOnly: boolean; onLocked: () => void }) {
  const t = useSessionsText()
  const [isAsking, ask] = useState(false)
  return (
    <Card
      title={t("Don't recognize a sign-in?")}
      description={t("If you see a session or sign-in that isn't yours, sign out everywhere and set a new password.")}
    >
      <Button variant="danger" disabled={readOnly} onClick={() => ask(true)}>
        {t('Sign out everywhere')}
      </Button>
      {isAsking ? <Asking onClose={() => ask(false)} onLocked={onLocked} /> : null}
    </Card>
  )
}

function Asking({ onClose, onLocked }: { onClose: () => void; onLocked: () => void }) {
  const { client } = useApplication()
  const t = useSessionsText()
  const save = useSave()
  const loss = useQuery(sessionQueries(client).loss)
  const [choice, choose] = useState<Choice>({ endApiKeys: true, removePasskeys: true })
  const [busy, setBusy] = useState(false)
  const lock = async () => {
    setBusy(true)
    const { endApiKeys, removePasskeys } = choice
    const body = { endApiKeys: endApiKeys && (loss.data?.apiKeys.length ?? 0) > 0, removePasskeys }
    const outcome = await save(() => client.call(postLockdown, { body }))
    setBusy(false)
    if ('saved' in outcome) onLocked()
  }
  return (
    <ConfirmDialog
      open
      title={t('Sign out everywhere, including here?')}
      confirm={t('Sign out everywhere')}
      danger
      busy={busy || loss.data === undefined}
      onClose={onClose}
      onConfirm={() => void lock()}
    >
      <Loaded asked={[loss]} place={<Skeleton className="h-32 w-full" />}>
        {(known) => <Loss loss={known} choice={choice} onChoice={choose} />}
      </Loaded>
    </ConfirmDialog>
  )
}

/** What else is removed unless the user keeps it. Choices without effect are hidden. */
interface Choice {
  endApiKeys: boolean
  removePasskeys: boolean
}

interface LossProps {
  loss: LockdownLoss
  choice: Choice
  onChoice: (choice: Choice) => void
}

function Loss({ loss, choice, onChoice }: LossProps) {
  const t = useSessionsText()
  const { endApiKeys, removePasskeys } = choice
  return (
    <div className="space-y-4">
      <ul className="list-disc space-y-1 ps-5">
        <li>{t('{count} sessions will be signed out', { count: loss.sessions })}</li>
        <li>{t("Your password will stop working. You'll get an email with a link to set a new one.")}</li>
        {loss.pushDevices > 0 ? (
          <li>{t('Notifications will stop in {count} browsers', { count: loss.pushDevices })}</li>
        ) : null}
        {loss.emailChange ? <li>{t('Your pending email address change will be canceled.')}</li> : null}
        {loss.supportAccess ? <li>{t('Support will lose access to your account.')}</li> : null}
        {loss.apiKeys.length > 0 && !endApiKeys ? (
          <li>{t("Your API keys won't work until you set a new password.")}</li>
        ) : null}
        {loss.passkeys.length > 0 && loss.passkeysAreSecondFactor && removePasskeys ? (
          <li>{t("You'll need a recovery code to sign in again.")}</li>
        ) : null}
      </ul>
      {loss.apiKeys.length > 0 ? (
        <Switch
          label={t('Also revoke my API keys permanently: {names}', { names: loss.apiKeys.join(', ') })}
          checked={endApiKeys}
          onChange={(ends) => onChoice({ ...choice, endApiKeys: ends })}
        />
      ) : null}
      {loss.passkeys.length > 0 ? (
        <Switch
          label={t('Also remove my passkeys: {names}', { names: loss.passkeys.join(', ') })}
          checked={removePasskeys}
          onChange={(removes) => onChoice({ ...choice, removePasskeys: removes })}
        />
      ) : null}
    </div>
  )
}
