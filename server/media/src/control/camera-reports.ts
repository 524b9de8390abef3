import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  ClockAnswer,
} from '@sightline/contract/media-plane'
import type { Logger } from '@sightline/platform/log'
import type { CameraState, EventsState, ReportedChange } from '../source/index.ts'
import { type AbilityKeeperDeps, keepAbilities } from './ability-keeper.ts'
import type { CameraDriver } from './camera-driver.ts'
import type { CameraEvent } from './camera-events.ts'
import type { NoticedWarning } from './camera-warnings.ts'

export interface CameraReportsDeps {
  readonly driver: CameraDriver
  /** For the camera's log. */
  readonly note: (event: CameraEvent) => void
  readonly onMotion: (change: ReportedChange) => void
  readonly pirInputs: (() => readonly string[]) | undefined
  /** Whether a warning about the camera applies; told as often as it is known. */
  readonly onWarning: (warning: NoticedWarning, isActive: boolean) => void
  readonly abilities: Pick<AbilityKeeperDeps, 'loadAskedAt' | 'save' | 'limit'>
  readonly log: Logger
  readonly now: () => number
}

/** Follows what a camera itself detects, while its streams are served. */
export interface FollowedCamera {
  /** The state of its main stream. */
  mainChanged(state: CameraState): void
  /** Until the signal aborts. Never rejects. */
  serve(signal: AbortSignal): Promise<void>
  /** Asks the camera to do something, with a line in its log where it is a change of what the log reports. */
  command<Name extends CameraCommandName>(
    question: CameraCommandQuestion<Name>,
    signal: AbortSignal,
  ): Promise<CameraCommandAnswer<Name>>
}

/** Cameras get slow when events begin, so their streams come first. */
const AFTER_STREAMS_MS = 2000
/** A clock that is off by less is of no consequence. */
const WRONG_CLOCK_MS = 5000

export function followCamera(deps: CameraReportsDeps): FollowedCamera {
  const { driver, note, onMotion, pirInputs, onWarning, abilities, log, now } = deps
  const online = Promise.withResolvers<void>()
  let events: EventsState['kind'] | undefined
  let isClockWrong = false
  const tell = (level: CameraEvent['level'], event: CameraEvent['event'], detail: string) =>
    note({ at: now(), level, event, detail })
  const onState = (state: EventsState): void => {
    const before = events
    events = state.kind
    onWarning('eventsLost', state.kind === 'lost' || (state.kind === 'unsupported' && before !== undefined))
    if (before === state.kind) return
    if (state.kind === 'following') tell('info', 'eventsFollowed', 'events of the camera are followed')
    else if (state.kind === 'lost') tell('warning', 'eventsLost', state.cause.detail)
    else if (before !== undefined) tell('warning', 'eventsLost', `the camera has no events: ${state.cause.detail}`)
  }
  const onClock = (aheadMs: number): void => {
    const wasWrong = isClockWrong
    isClockWrong = Math.abs(aheadMs) >= WRONG_CLOCK_MS
    onWarning('clockWrong', isClockWrong)
    if (!isClockWrong || wasWrong) return
    tell('warning', 'clockWrong', `the camera's clock is ${described(aheadMs)}; set it, or let the camera use NTP`)
  }
  const noteClock = (clock: ClockAnswer): void => {
    if (clock.kind !== 'set') return
    isClockWrong = false
    onWarning('clockWrong', false)
    tell('info', 'clockSet', `the camera's clock was set; it was ${described(clock.aheadBeforeMs)}`)
  }
  return {
    mainChanged(state) {
      if (state.kind === 'online') online.resolve()
    },
    async command(question, signal) {
      const answer = await driver.command(question, signal)
      if (question.name === 'setClock' && answer.kind === 'done') noteClock(answer.output as ClockAnswer)
      if (question.name === 'readAbilities' && answer.kind === 'done')
        await abilities.save(answer.output as CameraAbilities)
      return answer
    },
    async serve(signal) {
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
        if (signal.aborted) resolve()
      })
      await Promise.race([online.promise, aborted])
      await sleep(AFTER_STREAMS_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      const ask = (asking: AbortSignal) => driver.command({ name: 'readAbilities', input: null }, asking)
      const kept = keepAbilities({ ...abilities, ask, log, now }, signal)
      await driver.follow({ onState, onMotion, onClock, pirInputs }, signal)
      await kept
    },
  }
}

const described = (aheadMs: number): string =>
  `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`
