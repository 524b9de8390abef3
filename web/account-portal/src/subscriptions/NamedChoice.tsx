import { Select } from '@sightline/kit'
import { useEffect, useState } from 'react'
import { namedPackage } from './chooser.ts'
import type { ChoiceProps } from './QualityChoice.tsx'
import { useSubscriptionText } from './text.ts'

/** Custom subscriptions: by name, then by number of cameras. */
export function NamedChoice({ packages, current, onChoose }: ChoiceProps) {
  const t = useSubscriptionText()
  const [chosenId, choose] = useState(
    packages.find((one) => one.subscriptionPackageId === current?.subscriptionPackageId)?.subscriptionPackageId ??
      packages[0]?.subscriptionPackageId,
  )
  const chosen = packages.find((one) => one.subscriptionPackageId === chosenId)
  useEffect(() => onChoose(chosen), [chosen, onChoose])
  const named = packages.map((one) => ({ id: one.subscriptionPackageId, ...namedPackage(one) }))
  const name = named.find(({ id }) => id === chosenId)?.name
  const names = [...new Set(named.map((one) => one.name))]
  const counts = named
    .filter((one) => one.name === name)
    .sort((one, other) => (one.cameras ?? Number.POSITIVE_INFINITY) - (other.cameras ?? Number.POSITIVE_INFINITY))
  return (
    <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
      <Select
        label={t('Subscription name')}
        value={name}
        onChange={({ target }) => choose(named.find((one) => one.name === target.value)?.id)}
      >
        {names.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </Select>
      <Select label={t('Number of cameras')} value={chosenId} onChange={({ target }) => choose(Number(target.value))}>
        {counts.map(({ id, cameras }) => (
          <option key={id} value={id}>
            {cameras ?? t('As agreed')}
          </option>
        ))}
      </Select>
    </div>
  )
}
