import {
  type AccountSubscription,
  prolongState,
  type SubscriptionAction,
  subscriptionActions,
} from '@sightline/contract/subscriptions'
import { buttonClass, ConfirmDialog, Icon, Menu, type MenuItem } from '@sightline/kit'
import { type ReactNode, useState } from 'react'
import { nextDay } from './chooser.ts'
import { useSubscriptionChange } from './subscription-queries.ts'
import { type SubscriptionText, useSubscriptionText } from './text.ts'

const words: Readonly<Record<SubscriptionAction, SubscriptionText>> = {
  cancelDowngrade: 'Cancel downgrade',
  prolong: 'Renew subscription',
  doNotProlong: 'Turn off renewal',
}

interface ActionsMenuProps {
  current: AccountSubscription | null
  isOver: boolean
  onEdit: () => void
}

/** The menu of an active account outside edit mode (specification §4). */
export function ActionsMenu({ current, isOver, onEdit }: ActionsMenuProps) {
  const t = useSubscriptionText()
  const [asking, ask] = useState<SubscriptionAction>()
  const actions = current === null ? [] : actionsOf(current)
  const items: readonly MenuItem[] = [
    { label: t('Choose a subscription'), icon: 'edit', onSelect: onEdit },
    ...actions.map(
      (action): MenuItem => ({
        label: t(words[action]),
        icon: action === 'doNotProlong' ? 'block' : 'refresh',
        danger: action === 'doNotProlong',
        onSelect: () => ask(action),
      }),
    ),
  ]
  return (
    <>
      <Menu
        label={t('Change subscription')}
        trigger={
          <>
            <span aria-hidden="true">{t('Change')}</span>
            <Icon name="chevronDown" size={18} />
          </>
        }
        triggerClass={buttonClass('secondary')}
        items={items}
        align="end"
      />
      {current === null ? null : (
        <Confirming action={asking} current={current} isOver={isOver} onClose={() => ask(undefined)} />
      )}
    </>
  )
}

const actionsOf = ({ subscriptionPackageId, nextSubscriptionPackageId, valid }: AccountSubscription) =>
  subscriptionActions({ state: prolongState(subscriptionPackageId, nextSubscriptionPackageId), valid, isActive: true })

interface ConfirmingProps {
  action: SubscriptionAction | undefined
  current: AccountSubscription
  isOver: boolean
  onClose: () => void
}

function Confirming({ action, current, isOver, onClose }: ConfirmingProps) {
  const t = useSubscriptionText()
  const { busy, change } = useSubscriptionChange()
  const { name, endDate, subscriptionPackageId } = current
  const day = nextDay(endDate)
  const told: Readonly<Record<SubscriptionAction, ReactNode>> = {
    cancelDowngrade: t('{name} will renew on {day}, as before. Nothing changes today.', { day, name }),
    prolong: isOver
      ? t('{name} restarts today.', { name })
      : t('{name} will renew on {day}. Nothing changes today.', { day, name }),
    doNotProlong: t("{name} ends on {day}. Your cameras will keep working after that, but you can't add new ones.", {
      day: endDate,
      name,
    }),
  }
  const isEnd = action === 'doNotProlong'
  const body = isEnd ? ({ nextSubscriptionPackageId: -1 } as const) : { subscriptionId: subscriptionPackageId }
  return (
    <ConfirmDialog
      open={action !== undefined}
      title={action === undefined ? '' : t(words[action])}
      confirm={action === undefined ? '' : t(words[action])}
      cancel={t('Keep as is')}
      danger={isEnd}
      busy={busy}
      onClose={onClose}
      onConfirm={() => void change(body).then(onClose)}
    >
      {action === undefined ? null : told[action]}
    </ConfirmDialog>
  )
}
