import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraCommandName } from '@sightline/contract/media-plane'
import type { Logger } from '@sightline/platform/log'
import type { CameraHabits } from '../source/index.ts'

/** What is kept of a camera's habits beyond this worker. */
export interface HabitStore {
  /** What was learned earlier of this connection; changed by whatever learns something. */
  readonly recalled: CameraHabits
  readonly save: (habits: CameraHabits) => Promise<void>
}

interface HabitKeeperDeps {
  readonly habits: CameraHabits
  readonly habitStore: Pick<HabitStore, 'save'>
  /** Habits are right while pictures arrive; that the password was rejected is right in any case. */
  readonly isOnline: () => boolean
  readonly log: Logger
}

const LOOK_MS = 5000
/** A camera that changes its mind all the time isn't written down all the time. */
const NEXT_SAVE_MS = 60_000

/** Saves what is learned of a camera, so that another worker, or this one after a restart, begins with what worked. */
export class HabitKeeper {
  readonly #deps: HabitKeeperDeps
  #saved: string

  constructor(deps: HabitKeeperDeps) {
    this.#deps = deps
    this.#saved = JSON.stringify(deps.habits)
  }

  /** Until the signal aborts. Never rejects. */
  async keep(signal: AbortSignal): Promise<void> {
    const { isOnline, habits } = this.#deps
    const isRejected = () => (habits.rejections ?? habits.onvifRejections) !== undefined
    const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
    // Hundreds that connect together aren't written together.
    await wait(LOOK_MS * (0.5 + Math.random()))
    while (!signal.aborted) {
      const isSaved = (isOnline() || isRejected()) && (await this.#save())
      await wait(isSaved && !isRejected() ? NEXT_SAVE_MS : LOOK_MS)
    }
  }

  /**
   * Wi-Fi commands are saved at once, because the camera may be gone for a while. So are PTZ moves and stops, but the user doesn't wait
   * for that.
   */
  async commanded<T>(name: CameraCommandName, command: () => Promise<T>): Promise<T> {
    const answer = await command()
    if (name === 'changeWifi' || name === 'readWifi') await this.#save()
    else if (name === 'ptz') void this.#save()
    return answer
  }

  /** Whether something was to be saved. */
  async #save(): Promise<boolean> {
    const { habits, habitStore, log } = this.#deps
    const text = JSON.stringify(habits)
    if (text === this.#saved) return false
    const before = this.#saved
    this.#saved = text
    try {
      await habitStore.save(habits)
    } catch (err) {
      this.#saved = before
      log.warn({ err }, 'could not save what was learned of a camera')
    }
    return true
  }
}
