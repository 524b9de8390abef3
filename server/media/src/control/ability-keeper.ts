import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import type { Logger } from '@sightline/platform/log'
import type { Limit } from './camera-concurrency.ts'

export interface AbilityKeeperDeps {
  /** Asks the camera. */
  readonly ask: (signal: AbortSignal) => Promise<CameraCommandAnswer<'readAbilities'>>
  /** Milliseconds since 1970; undefined: never. */
  readonly loadAskedAt: () => Promise<number | undefined>
  readonly save: (abilities: CameraAbilities) => Promise<void>
  /** Shared by all cameras: hundreds that connect together aren't asked together. */
  readonly limit: Limit
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
  { ask, loadAskedAt, save, limit, log, now }: AbilityKeeperDeps,
  signal: AbortSignal,
): Promise<void> {
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  /** When to ask again; undefined: never. */
  const refresh = async (): Promise<number | undefined> => {
    if (signal.aborted) return undefined
    const askedAt = await loadAskedAt()
    const age = askedAt === undefined ? EVERY_MS : now() - askedAt
    if (age < EVERY_MS) return EVERY_MS - age
    const answer = await ask(AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]))
    if (answer.kind === 'done') await save(answer.output)
    // What speaks no ONVIF won't learn it while it is connected.
    if (answer.kind === 'noOnvif') return undefined
    return answer.kind === 'done' ? EVERY_MS : RETRY_MS
  }
  await wait(SETTLE_MS)
  while (!signal.aborted) {
    try {
      const next = await limit(() => refresh())
      if (next === undefined) return
      await wait(next)
    } catch (err) {
      log.warn({ err }, 'could not keep what a camera can do')
      await wait(RETRY_MS)
    }
  }
}
