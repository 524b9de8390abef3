import {
  deleteMobileSubscription,
  type MobileSubscription,
  patchMobileSubscription,
} from '@sightline/contract/mobile-subscriptions'
import { ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { type AccountParams, mobileSubscriptionsQuery } from './mobile-subscription-queries.ts'
import { type Text, useText } from './text.ts'

/** Ending keeps the row in the list; removing does not. */
export type Farewell = 'end' | 'remove'

const texts: Readonly<Record<Farewell, { title: Text; confirm: Text; loss: Text; done: Text }>> = {
  end: {
    title: 'End this mobile subscription?',
    confirm: 'End subscription',
    loss: 'The subscription ends now. Its SIM card can then be added to another account.',
    done: 'Mobile subscription ended',
  },
  remove: {
    title: 'Remove this mobile subscription?',
    confirm: 'Remove subscription',
    loss: 'The subscription disappears from this list. Only the audit log keeps it.',
    done: 'Mobile subscription removed',
  },
}

interface EndMobileSubscriptionProps {
  place: AccountParams
  subscription: MobileSubscription
  kind: Farewell
  onClose: () => void
}

/** Asks before a subscription ends or is removed, and says what is lost. */
export function EndMobileSubscription({ place, subscription, kind, onClose }: EndMobileSubscriptionProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { title, confirm, loss, done } = texts[kind]
  const params = { ...place, mobileSubscriptionId: subscription.mobileSubscriptionId }
  const act = async () => {
    setBusy(true)
    await save(
      () =>
        kind === 'end'
          ? client.call(patchMobileSubscription, { params, body: { status: 'ended' } })
          : client.call(deleteMobileSubscription, { params }),
      { success: t(done), messages: { 4: t('This mobile subscription has already been removed.') } },
    )
    setBusy(false)
    void queries.invalidateQueries({ queryKey: mobileSubscriptionsQuery(client, place).queryKey })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={t(title)}
      confirm={t(confirm)}
      danger
      busy={busy}
      onClose={() => {
        if (!busy) onClose()
      }}
      onConfirm={() => void act()}
    >
      <p>{t(loss)}</p>
      <p className="mt-2">
        {t('ICCID')} <bdi dir="ltr">{subscription.iccid}</bdi>
      </p>
    </ConfirmDialog>
  )
}
