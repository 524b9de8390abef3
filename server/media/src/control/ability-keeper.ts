import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import type { Logger } from '@sightline/platform/log'

export interface AbilityKeeperDeps {
  /** Asks the camera. */
  readonly ask: (signal: AbortSignal) => Promise<CameraCommandAnswer<'readAbilities'>>
  /** Milliseconds since 1970; undefined: never. */
  readonly loadAskedAt: () => Promise<number | undefined>
  readonly save: (abilities: CameraAbilities) => Promise<void>
  readonly log: Logger
  readonly now: () => number
}

/** A camera gets other firmware, or another setting, without a word. */
const EVERY_MS = 24 * 3_600_000
/** After the streams and the events have begun: cameras get slow then. */
const SETTLE_MS = 4000
const RETRY_MS = 10 * 60_000
const ASK_MS = 60_000

/** Keeps what is known of a camera's abilities no older than a day, until the signal aborts; begins when it is connected. Never rejects. */
export async function keepAbilities(
  { ask, loadAskedAt, save, log, now }: AbilityKeeperDeps,
  signal: AbortSignal,
): Promise<void> {
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  await wait(SETTLE_MS)
  while (!signal.aborted) {
    try {
      const askedAt = await loadAskedAt()
      const age = askedAt === undefined ? EVERY_MS : now() - askedAt
      if (age < EVERY_MS) {
        await wait(EVERY_MS - age)
        continue
      }
      const answer = await ask(AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]))
      if (answer.kind === 'done') await save(answer.output)
      // What speaks no ONVIF won't learn it while it is connected.
      if (answer.kind === 'noOnvif') return
      await wait(answer.kind === 'done' ? EVERY_MS : RETRY_MS)
    } catch (err) {
      log.warn({ err }, 'could not keep what a camera can do')
      await wait(RETRY_MS)
    }
  }
}
