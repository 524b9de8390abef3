import {
  type CheckUpFinding,
  type CheckUpOutcome,
  type CheckUpTopic,
  checkUpSentences,
  checkUpTopicNames,
  checkUpUnits,
} from '@sightline/contract/camera-check-ups'
import { Badge, type Mood } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { type ReactNode, useState } from 'react'
import type { OwnPermissions } from '../rights/index.ts'
import { FixButton } from './FixButton.tsx'
import { type Text, useText } from './text.ts'

const outcomes: Readonly<Record<CheckUpOutcome, { readonly text: Text; readonly mood: Mood }>> = {
  ok: { text: 'OK', mood: 'success' },
  advice: { text: 'Advice', mood: 'warning' },
  problem: { text: 'Problem', mood: 'danger' },
  unknown: { text: 'Not checked', mood: 'neutral' },
}

const units: Readonly<Partial<Record<CheckUpTopic, 'second' | 'millisecond' | 'percent'>>> = checkUpUnits

/** From which number of seconds on each is said, the longest first. */
const LONGER = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 120 },
] as const
const SECONDS_IN = { day: 86_400, hour: 3600, minute: 60 } as const

/** An amount with its unit in the user's language: `1 day`, `2.4 seconds`, `3%`. */
function useAmount(): (topic: CheckUpTopic, value: number | null) => string {
  const { languages } = useApplication()
  const locale = languages.current()
  const format = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 2 }).format(value)
  return (topic, value) => {
    if (value === null) return '?'
    const unit = units[topic]
    if (unit === undefined) return String(value)
    const longer = unit === 'second' ? LONGER.find(({ seconds }) => value >= seconds) : undefined
    if (longer === undefined) return format(value, unit)
    return format(Math.round((value / SECONDS_IN[longer.unit]) * 10) / 10, longer.unit)
  }
}

interface FindingProps {
  finding: CheckUpFinding
  isFixed: boolean
  button: ReactNode
}

function Finding({ finding, isFixed, button }: FindingProps) {
  const t = useText()
  const amount = useAmount()
  const { topic, outcome, reason, measured, limit, subject } = finding
  const values = { measured: amount(topic, measured), limit: amount(topic, limit), subject: subject ?? '' }
  const { text, mood } = outcomes[outcome]
  return (
    <li className="space-y-2 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium">{t(checkUpTopicNames[topic])}</h3>
        <Badge mood={mood}>{t(text)}</Badge>
      </div>
      <p className="max-w-prose text-muted">{t(checkUpSentences[reason], values)}</p>
      {isFixed ? <p className="text-sm">{t('Done. Check the camera again to confirm.')}</p> : button}
    </li>
  )
}

interface FindingsProps {
  cameraId: number
  findings: readonly CheckUpFinding[]
  own: OwnPermissions
  /** Nothing may be changed now. */
  disabled: boolean
}

/** What was found, each with the button that mends it. */
export function Findings({ cameraId, findings, own, disabled }: FindingsProps) {
  const [fixed, setFixed] = useState<ReadonlySet<CheckUpTopic>>(new Set())
  return (
    <ul className="divide-y divide-border">
      {findings.map((finding) => (
        <Finding
          key={finding.topic}
          finding={finding}
          isFixed={fixed.has(finding.topic)}
          button={
            <FixButton
              cameraId={cameraId}
              finding={finding}
              own={own}
              disabled={disabled}
              onFixed={() => setFixed((before) => new Set([...before, finding.topic]))}
            />
          }
        />
      ))}
    </ul>
  )
}
