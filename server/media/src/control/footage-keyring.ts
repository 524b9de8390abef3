import type { Db } from '@sightline/platform/db'
import { type DayKey, type KeyFinder, MissingDayKey, readWrappedDayKey, toDay } from '../recording/index.ts'
import { deleteDayKey } from './footage-key-store.ts'
import type { KeyedCamera, KeyService } from './key-service.ts'

/** The keys of the footage of this worker's cameras: all that the worker knows of them. */
export interface FootageKeyring extends KeyFinder {
  /** Has the keys ready for now and the next two days; it asks for them only if one of them is missing. */
  prepare(camera: KeyedCamera): Promise<void>
  /** @throws {MissingDayKey} if the day of that time was not prepared. */
  dayKey(camera: KeyedCamera, time: number): DayKey
  /** Forgets the key of a day, here and in the database; the file beside the footage isn't touched. */
  erase(camera: KeyedCamera, day: string): Promise<void>
  /** Forgets the keys of all other cameras here. */
  keepOnly(cameraIds: ReadonlySet<number>): void
  /** The keys of days by camera that are ready. */
  prepared(): PreparedKeys
  /** Has ready what the process before this one had. */
  recall(keys: PreparedKeys): void
}

export type PreparedKeys = ReadonlyMap<number, ReadonlyMap<string, DayKey>>

export interface FootageKeyringDeps {
  /** Under the role `media`. */
  readonly db: Db
  readonly service: Pick<KeyService, 'prepareDayKeys' | 'findDayKey'>
  readonly now: () => number
}

const DAY_MS = 24 * 3_600_000
/** The day before may still be written after the clock was set back a little. */
const DAYS_BEFORE = 1
const DAYS_AHEAD = 2
/** Keys for reading that are kept. */
const MAX_READ_KEYS = 1000

export function footageKeyring({ db, service, now }: FootageKeyringDeps): FootageKeyring {
  const prepared = new Map<number, ReadonlyMap<string, DayKey>>()
  const read = new Map<string, { readonly cameraId: number; readonly key: Uint8Array }>()

  const wantedDays = (): string[] => {
    const steps = Array.from({ length: DAYS_BEFORE + 1 + DAYS_AHEAD }, (_, index) => index - DAYS_BEFORE)
    return steps.map((step) => toDay(now() + step * DAY_MS))
  }

  return {
    prepared: () => new Map(prepared),
    recall(keys) {
      for (const [cameraId, days] of keys) prepared.set(cameraId, days)
    },
    async prepare(camera) {
      const days = wantedDays()
      const have = prepared.get(camera.cameraId)
      if (have !== undefined && days.every((day) => have.has(day))) return
      prepared.set(camera.cameraId, await service.prepareDayKeys(camera, days))
    },
    dayKey({ cameraId }, time) {
      const day = toDay(time)
      const key = prepared.get(cameraId)?.get(day)
      if (key === undefined) throw new MissingDayKey(`camera ${cameraId} has no key for ${day} to encrypt footage with`)
      return key
    },
    async find({ accountId, cameraId, keyId }, path) {
      const known = read.get(keyId)
      if (known !== undefined) return known.key
      const key = await service.findDayKey({ accountId, cameraId }, keyId, await readWrappedDayKey(keyId, path))
      if (read.size >= MAX_READ_KEYS) read.clear()
      if (key !== undefined) read.set(keyId, { cameraId, key })
      return key
    },
    async erase(camera, day) {
      await deleteDayKey(db, camera, day)
      const kept = [...(prepared.get(camera.cameraId) ?? [])].filter(([of]) => of !== day)
      prepared.set(camera.cameraId, new Map(kept))
      read.clear()
    },
    keepOnly(cameraIds) {
      for (const cameraId of prepared.keys()) if (!cameraIds.has(cameraId)) prepared.delete(cameraId)
      for (const [keyId, { cameraId }] of read) if (!cameraIds.has(cameraId)) read.delete(keyId)
    },
  }
}
