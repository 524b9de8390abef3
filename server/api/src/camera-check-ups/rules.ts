import {
  type CheckUpFinding,
  type CheckUpOutcome,
  checkUpSentences,
  checkUpTopic,
  checkUpTopicNames,
  checkUpUnits,
} from '@sightline/contract/camera-check-ups'
import { toDateTime } from '@sightline/contract/wire'

export interface StoredCheckUp {
  /** Milliseconds since 1970. */
  readonly checkedAt: number
  readonly findings: readonly CheckUpFinding[]
}

/** A camera as a report names it. */
export interface CheckedDevice {
  readonly name: string
  readonly cameraId: number
  readonly brand: string | null
  readonly model: string | null
  readonly firmwareVersion: string | null
  readonly codec: string | null
  readonly width: number | null
  readonly height: number | null
}

/** Measuring, and a minute of waiting for motion; a job that takes longer has failed. */
export const CHECK_UP_MS = 3 * 60_000

/** What is known of newer firmware without asking the camera. */
export const firmwareFinding = (newer: string | null): CheckUpFinding => ({
  topic: 'firmware',
  outcome: newer === null ? 'ok' : 'advice',
  reason: newer === null ? 'firmwareNewest' : 'firmwareOffered',
  measured: null,
  limit: null,
  subject: newer,
  fix: newer === null ? null : 'upgradeFirmware',
})

const order = checkUpTopic.options

/** In the order of the topics. */
export const inOrder = (findings: readonly CheckUpFinding[]): CheckUpFinding[] =>
  findings.toSorted((one, other) => order.indexOf(one.topic) - order.indexOf(other.topic))

const marks: Readonly<Record<CheckUpOutcome, string>> = {
  ok: 'OK',
  advice: 'Advice',
  problem: 'Problem',
  unknown: 'Not checked',
}

const unitWords = { second: 'seconds', millisecond: 'ms', percent: '%' } as const

function sentence({ topic, reason, measured, limit, subject }: CheckUpFinding): string {
  const units: Readonly<Partial<Record<typeof topic, keyof typeof unitWords>>> = checkUpUnits
  const unit = units[topic]
  const amount = (value: number | null) => `${value ?? '?'}${unit === undefined ? '' : ` ${unitWords[unit]}`}`
  const values: Readonly<Record<string, string>> = {
    '{measured}': amount(measured),
    '{limit}': amount(limit),
    '{subject}': subject ?? '?',
  }
  return checkUpSentences[reason].replaceAll(/\{\w+\}/g, (name) => values[name] ?? name)
}

/** One line whatever a camera says that it is. */
const line = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').trim()

/**
 * The report as text. It holds the account's name of the camera, its model and what was measured: no address, user name, stream
 * path or password, each of which can open the camera.
 */
export function toReport(device: CheckedDevice, { checkedAt, findings }: StoredCheckUp): string {
  const { name, cameraId, brand, model, firmwareVersion, codec, width, height } = device
  const known = (text: string | null): string => (text === null || text === '' ? 'unknown' : line(text))
  const size = width === null || height === null ? '' : `, ${width}x${height}`
  return [
    'Camera check-up',
    '',
    `Camera: ${line(name)} (${cameraId})`,
    `Device: ${known(brand)} ${known(model)}, firmware ${known(firmwareVersion)}`,
    `Video: ${known(codec)}${size}`,
    `Checked: ${toDateTime(checkedAt)}`,
    '',
    ...inOrder(findings).map(
      (finding) => `${marks[finding.outcome]} - ${checkUpTopicNames[finding.topic]}: ${line(sentence(finding))}`,
    ),
    '',
  ].join('\r\n')
}
