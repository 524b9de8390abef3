import type { AccountSubscription, SubscriptionPackage } from '@sightline/contract/subscriptions'
import { Button, ConfirmDialog, FormCard, Notice } from '@sightline/kit'
import { UnsavedChanges } from '@sightline/shell'
import { useState } from 'react'
import { changeEffect, type Effect, isCustom, nextDay } from './chooser.ts'
import { NamedChoice } from './NamedChoice.tsx'
import { packageDetails } from './package-details.tsx'
import { QualityChoice } from './QualityChoice.tsx'
import { useSubscriptionChange } from './subscription-queries.ts'
import { useSubscriptionText } from './text.ts'

interface ChooserCardProps {
  current: AccountSubscription | null
  packages: readonly SubscriptionPackage[]
  isOver: boolean
  onClose: () => void
}

/** Edit mode: the user chooses a package. Save is enabled if it differs from the current one (specification §4). */
export function ChooserCard({ current, packages, isOver, onClose }: ChooserCardProps) {
  const t = useSubscriptionText()
  const available = packages.filter((one) => one.available)
  const present = current ?? undefined
  const [chosen, choose] = useState<SubscriptionPackage>()
  const [isAsking, ask] = useState(false)
  const { busy, change } = useSubscriptionChange()
  const effect = changeEffect(chosen, present, isOver)
  const save = async () => {
    if (chosen === undefined) return
    const isDone = await change({ subscriptionId: chosen.subscriptionPackageId })
    ask(false)
    if (isDone) onClose()
  }
  const Choice = isCustom(available) ? NamedChoice : QualityChoice
  return (
    <FormCard
      title={t('Choose a subscription')}
      description={t('Upgrades apply immediately. Other changes apply at the end of the current period.')}
      onSubmit={(event) => {
        event.preventDefault()
        if (effect !== 'none') ask(true)
      }}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" disabled={effect === 'none'}>
            {t('Save changes')}
          </Button>
        </>
      }
    >
      {available.length === 0 ? (
        <NoneAvailable />
      ) : (
        <div className="space-y-5">
          <Choice packages={available} current={present} onChoose={choose} />
          <Outcome chosen={chosen} current={present} effect={effect} />
        </div>
      )}
      <UnsavedChanges changed={effect !== 'none' && !busy} />
      <ConfirmDialog
        open={isAsking}
        title={t('Change subscription?')}
        confirm={t('Change subscription')}
        busy={busy}
        onClose={() => ask(false)}
        onConfirm={() => void save()}
      >
        <Consequences effect={effect} chosen={chosen} current={present} isOver={isOver} />
      </ConfirmDialog>
    </FormCard>
  )
}

function NoneAvailable() {
  const t = useSubscriptionText()
  return (
    <Notice mood="warning">
      <p className="font-medium">{t('There are no available subscriptions to choose from.')}</p>
      <p>{t('Please contact support')}</p>
    </Notice>
  )
}

interface OutcomeProps {
  chosen: SubscriptionPackage | undefined
  current: AccountSubscription | undefined
  effect: Effect
}

/** The selected package next to the account's current one. */
function Outcome({ chosen, current, effect }: OutcomeProps) {
  const t = useSubscriptionText()
  return (
    <div aria-live="polite">
      {chosen === undefined ? (
        <NoneAvailable />
      ) : (
        <div className="grid gap-3 sm:grid-cols-2">
          {current === undefined ? null : <PackageBox title={t('Current subscription')} shown={current} />}
          <PackageBox
            title={t('Your selection')}
            shown={chosen}
            isChosen
            note={effect === 'none' ? t('This is your current subscription.') : undefined}
          />
        </div>
      )}
    </div>
  )
}

interface PackageBoxProps {
  title: string
  shown: AccountSubscription | SubscriptionPackage
  isChosen?: boolean
  note?: string | undefined
}

function PackageBox({ title, shown, isChosen = false, note }: PackageBoxProps) {
  const t = useSubscriptionText()
  return (
    <div className={`rounded-md border p-4 ${isChosen ? 'border-control bg-tint' : 'border-border bg-sunken'}`}>
      <p className="text-xs text-muted">{title}</p>
      <p className="mt-0.5 font-semibold wrap-anywhere">{shown.name}</p>
      <dl className="mt-3 space-y-1">
        {packageDetails(shown, t).map(({ label, value }) => (
          <div key={label} className="flex justify-between gap-4">
            <dt className="text-muted">{label}</dt>
            <dd className="text-end">{value}</dd>
          </div>
        ))}
      </dl>
      {note === undefined ? null : <p className="mt-3 text-muted">{note}</p>}
    </div>
  )
}

interface ConsequencesProps {
  effect: Effect
  chosen: SubscriptionPackage | undefined
  current: AccountSubscription | undefined
  isOver: boolean
}

/** What changes, and when. */
function Consequences({ effect, chosen, current, isOver }: ConsequencesProps) {
  const t = useSubscriptionText()
  const name = chosen?.name ?? ''
  if (current === undefined || isOver) return <p>{t('{name} starts today.', { name })}</p>
  const { endDate } = current
  if (effect === 'now') {
    return (
      <p>
        {t("Upgrade: {name} replaces {current} immediately. It's valid until {day} and then renews.", {
          name,
          current: current.name,
          day: endDate,
        })}
      </p>
    )
  }
  return (
    <p>
      {t(
        'Downgrade: you keep {current} until {day}. {name} starts on {next}. You can cancel the downgrade until then.',
        {
          name,
          current: current.name,
          day: endDate,
          next: nextDay(endDate),
        },
      )}
    </p>
  )
}
