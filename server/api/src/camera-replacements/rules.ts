import { type AdditionStep, additionSteps } from '@sightline/contract/camera-additions'
import { type AbilityName, type AbilityState, abilityNames } from '@sightline/contract/camera-capabilities'
import type {
  CameraReplacement,
  ComparedDevice,
  ReplacementDevice,
  ReplacementDifference,
} from '@sightline/contract/camera-replacements'
import type { AdditionSubStatus } from '@sightline/contract/cameras'
import { toDateTime } from '@sightline/contract/wire'
import type { Zone } from '@sightline/contract/zones'

/** The device that a camera has now. */
export interface FormerDevice extends ComparedDevice {
  /** Areas and tripwires that are switched on. */
  readonly areas: number
}

/** Abilities that are about the device itself: the others are settings of its picture, or sum two of them up. */
const uncompared: ReadonlySet<AbilityName> = new Set(['imaging', 'videoSettings', 'io'])
const compared = abilityNames.filter((name) => !uncompared.has(name))

const stateOf = ({ abilities }: ComparedDevice, name: AbilityName): AbilityState =>
  abilities?.abilities[name]?.state ?? 'unknown'

/** What the new device lacks against the one before, most important first. What is better or the same isn't named. */
export function listDifferences(before: FormerDevice, after: ComparedDevice): ReplacementDifference[] {
  return [
    ...(before.isOnvif && !after.isOnvif ? [missing('onvif')] : []),
    ...videoDifferences(before, after),
    ...soundDifferences(before, after),
    ...compared.flatMap((name) => abilityDifference(name, before, after)),
    ...(stateOf(before, 'ptz') === 'yes' ? [missing('presets')] : []),
    ...(before.areas > 0 && hasOtherShape(before, after) ? [areasChanged(before, after)] : []),
  ]
}

const missing = (subject: ReplacementDifference['subject']): ReplacementDifference => ({
  subject,
  loss: 'missing',
  before: null,
  after: null,
})

const sizeOf = ({ width, height }: ComparedDevice): string | null =>
  width === null || height === null ? null : `${width}x${height}`
const pixelsOf = ({ width, height }: ComparedDevice): number => (width ?? 0) * (height ?? 0)

function videoDifferences(before: ComparedDevice, after: ComparedDevice): ReplacementDifference[] {
  const found: ReplacementDifference[] = []
  if (pixelsOf(after) < pixelsOf(before))
    found.push({ subject: 'resolution', loss: 'missing', before: sizeOf(before), after: sizeOf(after) })
  if (before.codec !== null && before.codec !== after.codec)
    found.push({ subject: 'codec', loss: 'changed', before: before.codec, after: after.codec })
  if (before.hasSubStream && !after.hasSubStream) found.push(missing('subStream'))
  return found
}

function soundDifferences({ audioCodec: before }: ComparedDevice, { audioCodec: after }: ComparedDevice) {
  if (before === null || before === after) return []
  return [
    { subject: 'sound' as const, loss: after === null ? ('missing' as const) : ('changed' as const), before, after },
  ]
}

function abilityDifference(name: AbilityName, before: ComparedDevice, after: ComparedDevice): ReplacementDifference[] {
  // Without ONVIF nothing of the device can be controlled, which is said once.
  if (!after.isOnvif || stateOf(before, name) !== 'yes') return []
  const state = stateOf(after, name)
  if (state === 'yes') return []
  return [{ subject: name, loss: state === 'no' ? 'missing' : 'unknown', before: null, after: null }]
}

/** Areas are drawn in parts of the picture's sides, so another shape moves them. */
const SAME_SHAPE = 0.02

function hasOtherShape(before: ComparedDevice, after: ComparedDevice): boolean {
  if (before.width === null || before.height === null || after.width === null || after.height === null) return false
  const ratio = before.width / before.height / (after.width / after.height)
  return Math.abs(ratio - 1) > SAME_SHAPE
}

const areasChanged = (before: ComparedDevice, after: ComparedDevice): ReplacementDifference => ({
  subject: 'areas',
  loss: 'changed',
  before: sizeOf(before),
  after: sizeOf(after),
})

/** The last attempt at a camera, and what is kept of its former device; moments in milliseconds since 1970. */
export interface ReplacementState {
  readonly attempt: Attempt | undefined
  readonly former:
    | {
        readonly brand: string | null
        readonly model: string | null
        readonly replacedAt: number
        readonly undoUntil: number
      }
    | undefined
  readonly hasCredentials: boolean
  /** Of the camera as it is now. */
  readonly online: boolean
  readonly recording: boolean
  readonly mode: Zone['mode']
  readonly recordingMode: Zone['recordingMode']
}

interface Attempt {
  readonly status: Exclude<CameraReplacement['status'], 'none'>
  readonly subStatus: AdditionSubStatus
  readonly dryRun: boolean
  readonly step: AdditionStep | null
  readonly startedAt: number
  readonly endedAt: number | null
  readonly brand: string | null
  readonly model: string | null
  readonly found: ComparedDevice | null
  readonly before: FormerDevice | null
}

/** A camera that is connected to another device is recorded within seconds. */
const RECORDED_AFTER_MS = 20_000
const EMPTY = { status: 'none', dryRun: false, steps: [], startedAt: null, brand: null, model: null } as const

/** The code of an attempt that failed and what to do about it; nulls for others. */
type DescribeFailure = (failure: {
  readonly status: 'failure' | 'added'
  readonly subStatus: AdditionSubStatus
  readonly hasCredentials: boolean
}) => Pick<CameraReplacement, 'code' | 'message'>

export function toReplacement(
  cameraId: number,
  state: ReplacementState,
  { now, describeFailure }: { readonly now: number; readonly describeFailure: DescribeFailure },
): CameraReplacement {
  const { attempt } = state
  const former = toFormer(state, now)
  if (attempt === undefined)
    return { cameraId, ...EMPTY, steps: [], subStatus: 'none', code: null, message: null, differences: null, former }
  const progress = recordingProgress(state, attempt, now)
  const { subStatus, dryRun, startedAt, brand, model } = attempt
  const failure = { status: attempt.status === 'failure' ? ('failure' as const) : ('added' as const), subStatus }
  const { before, found } = attempt
  return {
    cameraId,
    status: progress.isOver ? attempt.status : 'inProgress',
    dryRun,
    steps: additionSteps(progress),
    subStatus: progress.subStatus,
    ...describeFailure({ ...failure, hasCredentials: state.hasCredentials }),
    startedAt: toDateTime(startedAt),
    brand,
    model,
    differences: before === null || found === null ? null : listDifferences(before, found),
    former,
  }
}

function toFormer({ former }: ReplacementState, now: number): CameraReplacement['former'] {
  if (former === undefined || former.undoUntil <= now) return null
  const { brand, model, replacedAt, undoUntil } = former
  return { brand, model, replacedAt: toDateTime(replacedAt), undoUntil: toDateTime(undoUntil) }
}

/** The first five steps are those of the attempt; the last one is read from the camera after it was connected anew. */
function recordingProgress(state: ReplacementState, attempt: Attempt, now: number) {
  const { status, subStatus } = attempt
  const lastStep = attempt.step
  if (status === 'failure') return { status: 'failure' as const, subStatus, lastStep, isOver: true }
  if (status === 'inProgress') return { status, subStatus, lastStep, isOver: false }
  // A device that was only tested is not recorded.
  if (status !== 'replaced') return { status: 'added' as const, subStatus, lastStep, isOver: true }
  if (state.online && state.recording)
    return { status: 'added' as const, subStatus, lastStep: 'recording' as const, isOver: true }
  const isDue = state.mode === 'armed' || state.mode === 'silent' ? state.recordingMode === 'continuous' : false
  const isLate = now - (attempt.endedAt ?? now) >= RECORDED_AFTER_MS
  if (isLate && isDue)
    return { status: 'added' as const, subStatus: 'cloudUnreachable' as const, lastStep, isOver: true }
  if (!isDue && (state.online || isLate)) return { status: 'added' as const, subStatus, lastStep, isOver: true }
  return { status: 'inProgress' as const, subStatus, lastStep, isOver: false }
}

/** What the audit log keeps of a device. Never the password. */
export function toAuditDevice(given: ReplacementDevice & { readonly dryRun?: boolean | undefined }) {
  const { password: _, ...device } = given
  return Object.fromEntries(Object.entries(device).filter(([, value]) => value !== undefined))
}
