import { joinedRuns, loadPlacements } from '@sightline/media/control'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'

/** Which machines reach a camera, in an installation of several (docs/decisions/0132). */
export interface Placements {
  /** Empty: every machine does, as far as is known. */
  machinesOf(cameraId: number): readonly string[]
  /** Reads the database after the call, once for all that wait. Never rejects: what was read before stays. */
  refresh(): Promise<void>
}

/** Of an installation with one machine. */
export const EVERYWHERE: Placements = { machinesOf: () => [], refresh: async () => undefined }

const REFRESH_EVERY_MS = 1000

/** @param db under the role `media`. */
export function keepPlacements(db: Db, log: Logger, signal: AbortSignal): Placements {
  let placements: ReadonlyMap<number, readonly string[]> = new Map()
  const reading = joinedRuns(async () => {
    placements = await loadPlacements(db)
  })
  const refresh = () =>
    reading.run().catch((err: unknown) => log.debug({ err }, 'could not read which machines reach which cameras'))
  const timer = setInterval(() => void refresh(), REFRESH_EVERY_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  void refresh()
  return { machinesOf: (cameraId) => placements.get(cameraId) ?? [], refresh }
}
