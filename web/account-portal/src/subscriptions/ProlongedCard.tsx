import {
  type AccountSubscription,
  type ProlongState,
  prolongState,
  type SubscriptionPackage,
} from '@sightline/contract/subscriptions'
import { Badge, Card, Details, type Mood } from '@sightline/kit'
import { dayAfter } from './chooser.ts'
import { packageDetails } from './package-details.tsx'
import { type SubscriptionText, useSubscriptionText } from './text.ts'

const badges: Readonly<Record<ProlongState, readonly [Mood, SubscriptionText]>> = {
  auto: ['success', 'Prolonged'],
  downgrade: ['brand', 'Changes'],
  cancel: ['warning', 'Not prolonged'],
}

interface ProlongedCardProps {
  current: AccountSubscription
  packages: readonly SubscriptionPackage[]
  isOver: boolean
}

/** How it goes on after the last day: with the same, with another one, or not at all (specification §4). */
export function ProlongedCard({ current, packages, isOver }: ProlongedCardProps) {
  const t = useSubscriptionText()
  const state = prolongState(current.subscriptionPackageId, current.nextSubscriptionPackageId)
  const next = packages.find((one) => one.subscriptionPackageId === current.nextSubscriptionPackageId)
  const [mood, label] = badges[state]
  const from = dayAfter(current.endDate)
  const sentences: Readonly<Record<ProlongState, string>> = {
    auto: t('On {day} it goes on with the same subscription.', { day: from }),
    downgrade: t('On {day} it goes on with {name}.', { day: from, name: next?.name ?? '' }),
    cancel: isOver
      ? t('It ended on {day}. Cameras go on working, but none can be added.', { day: current.endDate })
      : t('It will not be prolonged: it ends on {day}.', { day: current.endDate }),
  }
  return (
    <Card title={t('Prolonged subscription')} aside={<Badge mood={mood}>{t(label)}</Badge>}>
      <p>{sentences[state]}</p>
      {state === 'downgrade' && next !== undefined ? (
        <div className="mt-4">
          <Details details={packageDetails(next, t)} />
        </div>
      ) : null}
    </Card>
  )
}
