import type { RunEnd } from '../recording/index.ts'
import { type RecordingPlan, reasonNotToRecord, recordsOnEvents } from './recording-switch.ts'

/** A row of the run log of a main stream; milliseconds since 1970. */
export interface LoggedRun {
  readonly start: number
  readonly end: number
  readonly isOpen: boolean
  /** Why nothing follows; null if something does. */
  readonly why: RunEnd | null
}

/** Footage that is missing and may be on the camera's card. */
export interface FillableGap {
  readonly start: number
  readonly end: number
  readonly why: RunEnd
}

/** A plan, and whether sound was recorded too. */
interface SoundPlan extends RecordingPlan {
  readonly microphone: boolean
}

/** A plan that applied until then. */
export interface FormerPlan extends SoundPlan {
  readonly until: number
}

export interface SyncFacts {
  /** By start. */
  readonly runs: readonly LoggedRun[]
  /** As it is now. */
  readonly plan: SoundPlan
  /** Oldest first. */
  readonly formerPlans: readonly FormerPlan[]
  /** Ranges that were filled as far as they could be. */
  readonly tried: readonly { readonly start: number; readonly end: number }[]
  /** When the camera was connected to its device: what the card has of before is of another place, or another camera. */
  readonly since: number
  readonly now: number
}

/** Footage that never was: of the network, the camera or the server. What people decided stays as it is. */
const FILLABLE: ReadonlySet<RunEnd | null> = new Set<RunEnd>([
  'cameraOffline',
  'network',
  'restart',
  'takeover',
  'database',
  'disk',
  'stopped',
])
/** Longer ago than a day, keys for writing are gone. */
const LOOK_BACK_MS = 24 * 3_600_000
/** How long the camera must have been back. */
export const SETTLED_MS = 60_000
const LEAST_MS = 2000
const MINUTE_MS = 60_000

/** Whether gaps are filled at all with this plan (specification §4). */
export const maySync = ({ mode, recordingMode }: Pick<RecordingPlan, 'mode' | 'recordingMode'>): boolean =>
  recordingMode === 'continuous' && (mode === 'armed' || mode === 'scheduled')

/** The gaps that may be filled now, newest first, because cards overwrite and people look at the newest. */
export function gapsToFill(facts: SyncFacts, settledMs = SETTLED_MS): readonly FillableGap[] {
  const { now, tried, since } = facts
  const earliest = Math.max(since, now - LOOK_BACK_MS)
  return gapsOf(facts.runs)
    .filter(({ why, end, start }) => FILLABLE.has(why) && now - end >= settledMs && start >= earliest)
    .flatMap((gap) => recordedPieces(gap, facts))
    .filter(({ start, end }) => end - start >= LEAST_MS)
    .filter((gap) => !tried.some((range) => range.start <= gap.start && gap.end <= range.end))
    .toReversed()
}

const isMark = ({ start, end, isOpen }: LoggedRun): boolean => start === end && !isOpen

/** Between footage; what nothing follows isn't over yet. Marks without duration say why there is no footage from then on. */
function gapsOf(runs: readonly LoggedRun[]): readonly FillableGap[] {
  const first = runs.findIndex((run) => !isMark(run))
  const [begin, ...rest] = first === -1 ? [] : runs.slice(first)
  if (begin === undefined) return []
  const gaps: FillableGap[] = []
  let waiting: FillableGap[] = []
  let { end } = begin
  let why = begin.why ?? 'stopped'
  for (const run of rest) {
    if (run.start > end) waiting.push({ start: end, end: run.start, why })
    if (isMark(run)) {
      end = Math.max(end, run.end)
      why = run.why ?? why
      continue
    }
    gaps.push(...waiting)
    waiting = []
    // Of two that overlap, the one that ends last says why nothing follows.
    if (run.end >= end) why = run.why ?? 'stopped'
    end = Math.max(end, run.end)
  }
  return gaps
}

/** The plan of that moment. */
const planAt = ({ formerPlans, plan }: Plans, time: number): SoundPlan =>
  formerPlans.find(({ until }) => time < until) ?? plan

type Plans = Pick<SyncFacts, 'formerPlans' | 'plan'>

/** Whether the microphone was on at that time: sound of other times stays on the card. */
export const isSoundKept = (plans: Plans, time: number): boolean => planAt(plans, time).microphone

/** The parts of a gap in which the camera was to be recorded continuously: nothing private comes in by its card. */
function recordedPieces(gap: FillableGap, facts: SyncFacts): readonly FillableGap[] {
  const cuts = new Set([gap.start, gap.end])
  for (const { until } of facts.formerPlans) if (until > gap.start && until < gap.end) cuts.add(until)
  // Schedules change at whole minutes.
  for (let at = Math.ceil(gap.start / MINUTE_MS) * MINUTE_MS; at < gap.end; at += MINUTE_MS) cuts.add(at)
  const times = [...cuts].sort((a, b) => a - b)
  const pieces: FillableGap[] = []
  for (const [index, start] of times.entries()) {
    const end = times[index + 1]
    if (end === undefined) break
    const plan = planAt(facts, start)
    if (reasonNotToRecord(plan, start) !== undefined || recordsOnEvents(plan, start)) continue
    const last = pieces.at(-1)
    if (last?.end === start) pieces[pieces.length - 1] = { ...last, end }
    else pieces.push({ start, end, why: gap.why })
  }
  return pieces
}
