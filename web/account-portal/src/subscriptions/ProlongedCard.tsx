import {
  type AccountSubscription,
  type ProlongState,
  prolongState,
  type SubscriptionPackage,
} from '@sightline/contract/subscriptions'
import { Badge, Card, Details, type Mood } from '@sightline/kit'
import { nextDay } from './chooser.ts'
import { packageDetails } from './package-details.tsx'
import { type SubscriptionText, useSubscriptionText } from './text.ts'

const badges: Readonly<Record<ProlongState, readonly [Mood, SubscriptionText]>> = {
  auto: ['success', 'Renews'],
  downgrade: ['brand', 'Downgrade scheduled'],
  cancel: ['warning', "Won't renew"],
}

interface ProlongedCardProps {
  current: AccountSubscription
  packages: readonly SubscriptionPackage[]
  isOver: boolean
}

/** What happens after the last day: the same package, another one, or none (specification §4). */
export function ProlongedCard({ current, packages, isOver }: ProlongedCardProps) {
  const t = useSubscriptionText()
  const state = prolongState(current.subscriptionPackageId, current.nextSubscriptionPackageId)
  const next = packages.find((one) => one.subscriptionPackageId === current.nextSubscriptionPackageId)
  const [mood, label] = badges[state]
  const from = nextDay(current.endDate)
  const sentences: Readonly<Record<ProlongState, string>> = {
    auto: t('Your subscription renews on {day}.', { day: from }),
    downgrade: t('Your subscription changes to {name} on {day}.', { day: from, name: next?.name ?? '' }),
    cancel: isOver
      ? t("Your subscription ended on {day}. Your cameras keep working, but you can't add new ones.", {
          day: current.endDate,
        })
      : t("Your subscription ends on {day} and won't renew.", { day: current.endDate }),
  }
  return (
    <Card title={t('Renewal')} aside={<Badge mood={mood}>{t(label)}</Badge>}>
      <p>{sentences[state]}</p>
      {state === 'downgrade' && next !== undefined ? (
        <div className="mt-4">
          <Details details={packageDetails(next, t)} />
        </div>
      ) : null}
    </Card>
  )
}
