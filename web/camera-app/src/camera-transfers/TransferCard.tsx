import {
  acceptCameraTransfer,
  type CameraTransfer,
  type CameraTransferStatus,
  declineCameraTransfer,
  withdrawCameraTransfer,
} from '@sightline/contract/camera-transfers'
import type { Zone } from '@sightline/contract/zones'
import { Badge, Button, buttonClass, Card, ConfirmDialog, type Mood, Select } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { type ReactNode, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { type Text, useText } from './text.ts'

const statuses: Readonly<Record<CameraTransferStatus, { readonly label: Text; readonly mood: Mood }>> = {
  moved: { label: 'Moved', mood: 'success' },
  offered: { label: 'Open', mood: 'brand' },
  accepted: { label: 'Accepted', mood: 'success' },
  declined: { label: 'Declined', mood: 'neutral' },
  withdrawn: { label: 'Withdrawn', mood: 'neutral' },
  expired: { label: 'Expired', mood: 'neutral' },
}

function useAnswers({ cameraTransferId }: CameraTransfer) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const params = { cameraTransferId: cameraTransferId ?? 0 }
  const finish = async (work: Parameters<typeof save>[0], success: string) => {
    await save(work, {
      success,
      messages: {
        4: t('This offer no longer exists.'),
        5: t('Your account already has one of these cameras.'),
        6: t(
          'This offer can’t be accepted now. It may have ended, a camera may be busy or gone, or its network may not belong to your account.',
        ),
        7: t('Your subscription has too few camera slots. Contact your reseller.'),
      },
    })
    void queries.invalidateQueries({ queryKey: ['cameras'] })
  }
  return {
    accept: (zoneId: number) =>
      finish(() => client.call(acceptCameraTransfer, { params, body: { zoneId } }), t('The cameras are yours now')),
    decline: () => finish(() => client.call(declineCameraTransfer, { params }), t('Offer declined')),
    withdraw: () => finish(() => client.call(withdrawCameraTransfer, { params }), t('Offer withdrawn')),
  }
}

/** A button that asks before it acts. */
function Asking(props: {
  label: string
  title: string
  variant?: 'secondary'
  children: ReactNode
  onConfirm: () => Promise<void>
}) {
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await props.onConfirm()
    setBusy(false)
    ask(false)
  }
  return (
    <>
      <Button variant={props.variant ?? 'primary'} onClick={() => ask(true)}>
        {props.label}
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => ask(false)}
        title={props.title}
        confirm={props.label}
        busy={busy}
        onConfirm={() => void confirm()}
      >
        {props.children}
      </ConfirmDialog>
    </>
  )
}

function Incoming({ transfer, zones }: { transfer: CameraTransfer; zones: readonly Zone[] }) {
  const t = useText()
  const answers = useAnswers(transfer)
  const [zoneId, chooseZone] = useState(String(zones[0]?.zoneId ?? ''))
  const sender = transfer.senderName
  return (
    <>
      <Asking
        variant="secondary"
        label={t('Decline')}
        title={t('Decline the offer of {sender}?', { sender })}
        onConfirm={answers.decline}
      >
        {t('The cameras stay with {sender}.', { sender })}
      </Asking>
      {zones.length === 0 ? (
        <a data-here href="/app/zones" className={buttonClass()}>
          {t('Create a zone first')}
        </a>
      ) : (
        <Asking
          label={t('Accept')}
          title={t('Accept the cameras of {sender}?', { sender })}
          onConfirm={() => answers.accept(Number(zoneId))}
        >
          <div className="space-y-3">
            <Select label={t('Zone')} value={zoneId} onChange={({ target }) => chooseZone(target.value)}>
              {zones.map((zone) => (
                <option key={zone.zoneId} value={zone.zoneId}>
                  {zone.name}
                </option>
              ))}
            </Select>
            <p>
              {t(
                'The cameras take slots of your subscription and are recorded in your account from now on. Earlier recordings stay with {sender}.',
                { sender },
              )}
            </p>
            <p>
              {t(
                '{sender} may know the passwords of the cameras. Change them in the cameras afterwards, and then under Network in their settings.',
                { sender },
              )}
            </p>
          </div>
        </Asking>
      )}
    </>
  )
}

function Outgoing({ transfer }: { transfer: CameraTransfer }) {
  const t = useText()
  const answers = useAnswers(transfer)
  return (
    <Asking variant="secondary" label={t('Withdraw')} title={t('Withdraw this offer?')} onConfirm={answers.withdraw}>
      {t('The cameras stay in your account.')}
    </Asking>
  )
}

/** An offer, with what can be done about it. */
export function TransferCard({ transfer, zones }: { transfer: CameraTransfer; zones: readonly Zone[] }) {
  const t = useText()
  const moments = useMoments()
  const { status, direction, cameras, expiresAt, endedAt } = transfer
  const isIncoming = direction === 'incoming'
  const to = transfer.email ?? String(transfer.targetAccountId)
  const title = isIncoming
    ? t('From {sender} ({email})', { sender: transfer.senderName, email: transfer.senderEmail })
    : t('To {email}', { email: to })
  const isOpen = status === 'offered'
  const answer = isIncoming ? <Incoming transfer={transfer} zones={zones} /> : <Outgoing transfer={transfer} />
  const when =
    status === 'offered' && expiresAt !== null
      ? t('Can be accepted until {time}.', { time: moments.shortly(expiresAt) })
      : moments.shortly(endedAt ?? expiresAt ?? transfer.createdAt)
  return (
    <li>
      <Card
        title={<span className="wrap-anywhere">{title}</span>}
        aside={<Badge mood={statuses[status].mood}>{t(statuses[status].label)}</Badge>}
        footer={isOpen ? answer : undefined}
      >
        <ul className="list-inside list-disc">
          {cameras.map(({ cameraId, name, brand, model }) => (
            <li key={cameraId} className="wrap-anywhere">
              {[name, [brand, model].filter(Boolean).join(' ')].filter((text) => text !== '').join(', ')}
            </li>
          ))}
        </ul>
        <p className="mt-3 text-sm text-muted">{when}</p>
      </Card>
    </li>
  )
}
