import { type LockdownLoss, postLockdown } from '@sightline/contract/lockdown'
import { Button, Card, ConfirmDialog, Skeleton, Switch } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQueries } from './session-queries.ts'
import { useSessionsText } from './text.ts'

/** For whoever finds somebody else signed in: everybody out, and nobody in without a new password. */
export function LockdownCard({ readOnly, onLocked }: { readOnly: boolean; onLocked: () => void }) {
  const t = useSessionsText()
  const [isAsking, ask] = useState(false)
  return (
    <Card
      title={t("This wasn't me")}
      description={t('If you find somebody else in these lists, sign everybody out and set a new password.')}
    >
      <Button variant="danger" disabled={readOnly} onClick={() => ask(true)}>
        {t('Sign everybody out')}
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
      title={t('Sign everybody out, also here?')}
      confirm={t('Sign everybody out')}
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

/** What goes besides unless the person keeps it; where there is none, there is no choice to see. */
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
        <li>{t('Browsers and applications that are signed out: {count}', { count: loss.sessions })}</li>
        <li>{t('Nobody gets in with the old password. A link for a new one comes by mail.')}</li>
        {loss.pushDevices > 0 ? (
          <li>{t('Browsers that get no messages for you any more: {count}', { count: loss.pushDevices })}</li>
        ) : null}
        {loss.emailChange ? <li>{t('The change of your email address that waits is cancelled.')}</li> : null}
        {loss.supportAccess ? <li>{t('The helpdesk loses its access to your account.')}</li> : null}
        {loss.apiKeys.length > 0 && !endApiKeys ? (
          <li>{t('Your API keys give no access until the new password is set.')}</li>
        ) : null}
        {loss.passkeys.length > 0 && loss.passkeysAreSecondFactor && removePasskeys ? (
          <li>{t('To sign in again you then need one of your recovery codes.')}</li>
        ) : null}
      </ul>
      {loss.apiKeys.length > 0 ? (
        <Switch
          label={t('Also end my API keys, for good: {names}', { names: loss.apiKeys.join(', ') })}
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
