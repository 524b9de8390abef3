import type { AccountSubscription } from '@sightline/contract/subscriptions'
import { Badge, Card, Details, EmptyState } from '@sightline/kit'
import type { ReactNode } from 'react'
import { packageDetails } from './package-details.tsx'
import { useSubscriptionText } from './text.ts'

interface CurrentCardProps {
  current: AccountSubscription | null
  /** The subscription has ended. */
  isOver: boolean
  menu: ReactNode
}

/** The account's current subscription (specification §2 "Subscriptions screen"); days as yyyy-mm-dd. */
export function CurrentCard({ current, isOver, menu }: CurrentCardProps) {
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
      <Details
        details={[
          ...packageDetails(current, t),
          { label: t('Start date'), value: <bdi className="tabular-nums">{current.startDate}</bdi> },
          { label: t('End date'), value: <bdi className="tabular-nums">{current.endDate}</bdi> },
          named,
        ]}
      />
    </Card>
  )
}
