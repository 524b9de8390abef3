import type { SubscriptionPackage } from '@sightline/contract/subscriptions'
import { RadioGroup, Select, TextField } from '@sightline/kit'
import { useEffect, useState } from 'react'
import {
  availableOptions,
  type Choice,
  clampCameras,
  defaults,
  findPackage,
  initialChoice,
  mostCameras,
} from './chooser.ts'
import { qualityText } from './package-details.tsx'
import { type SubscriptionText, useSubscriptionText } from './text.ts'

export interface ChoiceProps {
  /** The available packages, at least one. */
  packages: readonly SubscriptionPackage[]
  current:
    | Pick<
        SubscriptionPackage,
        'subscriptionPackageId' | 'name' | 'sku' | 'quality' | 'retention' | 'maxAmountOfCameras'
      >
    | undefined
  /** Undefined: none matches. */
  onChoose: (chosen: SubscriptionPackage | undefined) => void
}

const kinds: readonly (readonly [Choice['kind'], SubscriptionText])[] = [
  ['cloud', 'Cloud storage'],
  ['liveOnly', 'Camera management / live only'],
]

/** A choice by storage or live only, quality, days and number of cameras. */
export function QualityChoice({ packages, current, onChoose }: ChoiceProps) {
  const t = useSubscriptionText()
  const [choice, setChoice] = useState(() => initialChoice(current))
  const most = mostCameras(packages, choice)
  const fitting = { ...choice, cameras: clampCameras(choice.cameras, most) }
  const match = findPackage(packages, fitting)
  useEffect(() => onChoose(match), [match, onChoose])
  return (
    <div className="space-y-5">
      <RadioGroup
        label={t('Type')}
        options={kinds.map(([value, text]) => ({ value, label: t(text) }))}
        value={choice.kind}
        onChange={(kind) => setChoice(defaults[kind])}
      />
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-3">
        {choice.kind === 'cloud' ? <Storage packages={packages} choice={choice} onChange={setChoice} /> : null}
        <Cameras cameras={fitting.cameras} most={most} onChange={(cameras) => setChoice({ ...choice, cameras })} />
      </div>
    </div>
  )
}

interface StorageProps {
  packages: readonly SubscriptionPackage[]
  choice: Choice
  onChange: (choice: Choice) => void
}

/** The current choice stays among the options even if it is no longer available. */
const withChosen = <T,>(offered: readonly T[], chosen: T): readonly T[] =>
  offered.includes(chosen) ? offered : [chosen, ...offered]

function Storage({ packages, choice, onChange }: StorageProps) {
  const t = useSubscriptionText()
  const offered = availableOptions(packages)
  return (
    <>
      <Select
        label={t('Video quality')}
        value={choice.quality}
        onChange={({ target }) => {
          const quality = offered.qualities.find((one) => one === target.value)
          if (quality !== undefined) onChange({ ...choice, quality })
        }}
      >
        {withChosen(offered.qualities, choice.quality).map((quality) => (
          <option key={quality} value={quality}>
            {qualityText(quality, t)}
          </option>
        ))}
      </Select>
      <Select
        label={t('Days of recording')}
        value={choice.days}
        onChange={({ target }) => onChange({ ...choice, days: Number(target.value) })}
      >
        {withChosen(offered.days, choice.days).map((days) => (
          <option key={days} value={days}>
            {days}
          </option>
        ))}
      </Select>
    </>
  )
}

interface CamerasProps {
  cameras: number
  most: number
  onChange: (cameras: number) => void
}

/** A number within its limits. While the user types, it may be empty. */
function Cameras({ cameras, most, onChange }: CamerasProps) {
  const t = useSubscriptionText()
  const [typed, type] = useState<string>()
  return (
    <TextField
      label={t('Number of cameras')}
      hint={t('1 to {most}', { most })}
      type="number"
      inputMode="numeric"
      min={1}
      max={most}
      step={1}
      value={typed ?? cameras}
      onChange={({ target }) => {
        const count = Number(target.value)
        const isWithin = target.value !== '' && count === clampCameras(count, most)
        type(isWithin ? undefined : target.value)
        onChange(clampCameras(count, most))
      }}
      onBlur={() => type(undefined)}
    />
  )
}
