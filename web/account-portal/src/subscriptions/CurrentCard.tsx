import type { AccountSubscription } from '@sightline/contract/subscriptions'
import { Badge, Card, Details, EmptyState, ProgressBar } from '@sightline/kit'
import type { ReactNode } from 'react'
import { countDays } from './chooser.ts'
import { packageDetails } from './package-details.tsx'
import { useSubscriptionText } from './text.ts'

interface CurrentCardProps {
  current: AccountSubscription | null
  /** `yyyy-mm-dd` in the account's time zone. */
  today: string
  /** The subscription has ended. */
  isOver: boolean
  menu: ReactNode
}

/** The account's current subscription (specification §2 "Subscriptions screen"); days as yyyy-mm-dd. */
export function CurrentCard({ current, today, isOver, menu }: CurrentCardProps) {
  const t = useSubscriptionText()
  if (current === null) {
    return (
      <Card title={t('Current subscription')} aside={menu}>
        <EmptyState icon="card" title={t('No subscription')}>
          {t('Choose a subscription or contact your provider.')}
        </EmptyState>
      </Card>
    )
  }
  const named =
    current.sku === null ? { label: t('Name'), value: current.name } : { label: t('SKU'), value: current.sku }
  return (
    <Card
      title={t('Current subscription')}
      description={current.name}
      aside={
        <div className="flex shrink-0 items-center gap-3">
          {isOver ? <Badge mood="warning">{t('Ended')}</Badge> : null}
          {menu}
        </div>
      }
    >
      {isOver ? null : <Period start={current.startDate} end={current.endDate} today={today} />}
      <Details
        details={[
          ...packageDetails(current, t),
          { label: t('Start date'), value: <bdi>{current.startDate}</bdi> },
          { label: t('End date'), value: <bdi>{current.endDate}</bdi> },
          named,
        ]}
      />
    </Card>
  )
}

/** How much of the current period is left, its last day included. */
function Period({ start, end, today }: { start: string; end: string; today: string }) {
  const t = useSubscriptionText()
  const left = countDays(today, end)
  const whole = Math.max(1, countDays(start, end))
  const text = left === 0 ? t('Last day') : t('{count} days left', { count: left })
  return (
    <div className="mb-5">
      <p className="mb-2 text-xl font-semibold">{text}</p>
      <ProgressBar label={text} value={Math.min(1, Math.max(0, 1 - left / whole))} />
    </div>
  )
}
