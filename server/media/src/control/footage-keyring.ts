import type { Db } from '@sightline/platform/db'
import {
  type DayKey,
  type KeyFinder,
  keysInFiles,
  MissingDayKey,
  newKey,
  newKeyId,
  type StreamKey,
  toDay,
  unwrapKey,
  type WrappedKey,
  wrapKey,
} from '../recording/index.ts'
import { deleteDayKey, findAccountKey, findDayKey, storeAccountKey, storeDayKeys } from './footage-key-store.ts'

type Camera = Pick<StreamKey, 'accountId' | 'cameraId'>

/**
 * The keys of the footage of this worker's cameras: all that the worker knows of them. Behind it lies the key-encryption
 * key, which nothing else here sees.
 */
export interface FootageKeyring extends KeyFinder {
  /** Has the keys ready for now and the next two days; it asks the database only if one of them is missing. */
  prepare(camera: Camera): Promise<void>
  /** @throws {MissingDayKey} if the day of that time was not prepared. */
  dayKey(camera: Camera, time: number): DayKey
  /** Forgets the key of a day, here and in the database; the file beside the footage isn't touched. */
  erase(camera: Camera, day: string): Promise<void>
}

export interface FootageKeyringDeps {
  /** Under the role `media`. */
  readonly db: Db
  /** 32 bytes. */
  readonly kek: Uint8Array
  readonly now: () => number
}

const DAY_MS = 24 * 3_600_000
/** The day before may still be written after the clock was set back a little. */
const DAYS_BEFORE = 1
const DAYS_AHEAD = 2
/** Keys for reading that are kept. */
const MAX_READ_KEYS = 1000

export function footageKeyring({ db, kek, now }: FootageKeyringDeps): FootageKeyring {
  const prepared = new Map<number, Map<string, DayKey>>()
  const read = new Map<string, Uint8Array>()
  const inFiles = keysInFiles(kek)

  const wantedDays = (): string[] => {
    const steps = Array.from({ length: DAYS_BEFORE + 1 + DAYS_AHEAD }, (_, index) => index - DAYS_BEFORE)
    return steps.map((step) => toDay(now() + step * DAY_MS))
  }

  const make = async (camera: Camera, days: readonly string[]): Promise<Map<string, DayKey>> => {
    const { accountId, cameraId } = camera
    const accountKey = await storeAccountKey(db, accountId, wrapKey(newKey(), newKeyId(), { accountId }, kek))
    const account = unwrapped(accountKey, { accountId }, kek)
    const made = new Map(
      days.map((day) => [day, wrapKey(newKey(), newKeyId(), { accountId, cameraId, day }, account)] as const),
    )
    const stored = await storeDayKeys(db, camera, made)
    return new Map(
      [...stored].map(([day, wrapped]) => {
        const key = unwrapped(wrapped, { accountId, cameraId, day }, account)
        return [day, { keyId: wrapped.keyId, key, wrapped, accountKey }]
      }),
    )
  }

  const inDatabase: KeyFinder['find'] = async ({ accountId, cameraId, keyId }) => {
    const [accountKey, found] = await Promise.all([
      findAccountKey(db, accountId),
      findDayKey(db, { accountId, cameraId }, keyId),
    ])
    const account = accountKey && unwrapKey(accountKey, { accountId }, kek)
    return account && found && unwrapKey(found.key, { accountId, cameraId, day: found.day }, account)
  }

  return {
    async prepare(camera) {
      const days = wantedDays()
      const have = prepared.get(camera.cameraId)
      if (have !== undefined && days.every((day) => have.has(day))) return
      prepared.set(camera.cameraId, await make(camera, days))
    },
    dayKey({ cameraId }, time) {
      const day = toDay(time)
      const key = prepared.get(cameraId)?.get(day)
      if (key === undefined) throw new MissingDayKey(`camera ${cameraId} has no key for ${day} to encrypt footage with`)
      return key
    },
    async find(header, path) {
      const known = read.get(header.keyId)
      if (known !== undefined) return known
      const key = (await inFiles.find(header, path)) ?? (await inDatabase(header, path))
      if (read.size >= MAX_READ_KEYS) read.clear()
      if (key !== undefined) read.set(header.keyId, key)
      return key
    },
    async erase(camera, day) {
      await deleteDayKey(db, camera, day)
      prepared.get(camera.cameraId)?.delete(day)
      read.clear()
    },
  }
}

/** A key of ours that can't be unwrapped means another installation key: nothing may be recorded with it. */
function unwrapped(key: WrappedKey, owner: Parameters<typeof unwrapKey>[1], wrapping: Uint8Array): Uint8Array {
  const plain = unwrapKey(key, owner, wrapping)
  if (plain === undefined)
    throw new Error(`footage key ${key.keyId} was wrapped with another key: is secrets.json the one of this database?`)
  return plain
}
