import { findSpan, type ScheduleSpan, toLocalMinute } from '@sightline/contract/schedules'
import type { Zone } from '@sightline/contract/zones'
import { Toggle } from './toggle.ts'

/** What decides when a camera is recorded. */
export interface RecordingPlan {
  readonly mode: Zone['mode']
  /** Whether only events are recorded. */
  readonly recordingMode: Zone['recordingMode']
  /** For the mode `scheduled`, in the time of `timeZone`. */
  readonly recordingSpans: readonly ScheduleSpan[]
  readonly timeZone: string
}

/** Why a camera is not to be recorded now; undefined if it is (specification §4). */
export function reasonNotToRecord(
  { mode, recordingSpans, timeZone }: Omit<RecordingPlan, 'recordingMode'>,
  now: number,
): 'mode' | 'schedule' | undefined {
  if (mode === 'disarmed' || mode === 'private') return 'mode'
  if (mode !== 'scheduled') return undefined
  return findSpan(recordingSpans, toLocalMinute(now, timeZone)) === undefined ? 'schedule' : undefined
}

/** Whether only events are recorded now; a span of the schedule may have its own type. */
export function recordsOnEvents(
  { mode, recordingMode, recordingSpans, timeZone }: RecordingPlan,
  now: number,
): boolean {
  const span = mode === 'scheduled' ? findSpan(recordingSpans, toLocalMinute(now, timeZone)) : undefined
  return (span?.type ?? recordingMode) === 'event'
}

const CHECK_EVERY_MS = 1000

/** Tells the recorder of one camera when to record: follows the plan and the clock. */
export class RecordingSwitch implements Disposable {
  readonly #now: () => number
  #plan: RecordingPlan
  #reason: 'mode' | 'schedule' | undefined
  #isOnEvents = false
  readonly #toggle = new Toggle(true)
  readonly #timer: NodeJS.Timeout

  constructor(plan: RecordingPlan, now: () => number) {
    this.#plan = plan
    this.#now = now
    this.#follow()
    // Only a schedule changes with the clock.
    this.#timer = setInterval(() => this.#plan.mode === 'scheduled' && this.#follow(), CHECK_EVERY_MS)
    this.#timer.unref()
  }

  /** Why nothing is to be recorded now. */
  get reason(): 'mode' | 'schedule' | undefined {
    return this.#reason
  }

  /** Whether only events are recorded now. */
  get isOnEvents(): boolean {
    return this.#isOnEvents
  }

  /** Aborts with the reason when recording has to stop; another one afterwards. */
  get off(): AbortSignal {
    return this.#toggle.off
  }

  set(plan: RecordingPlan): void {
    this.#plan = plan
    this.#follow()
  }

  /** Resolves when recording may continue, or the signal aborts. */
  async untilOn(signal: AbortSignal): Promise<void> {
    await this.#toggle.untilOn(signal)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #follow(): void {
    const reason = reasonNotToRecord(this.#plan, this.#now())
    this.#isOnEvents = recordsOnEvents(this.#plan, this.#now())
    this.#reason = reason
    if (reason === undefined) this.#toggle.turnOn()
    else this.#toggle.turnOff(reason)
  }
}
