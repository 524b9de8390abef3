import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import {
  type DayKey,
  newKey,
  newKeyId,
  openWrappedDayKey,
  unwrapKey,
  type WrappedDayKey,
  type WrappedKey,
  wrapKey,
} from '../recording/index.ts'
import { findAccountKey, findDayKey, listAccounts, storeAccountKey, storeDayKeys } from './footage-key-store.ts'

export interface KeyedCamera {
  readonly accountId: number
  readonly cameraId: number
}

export interface KeyedDevice {
  readonly accountId: number
  readonly deviceId: number
}

/**
 * Opens the keys of footage and the passwords of cameras for the media workers, which have neither the installation's key
 * nor the key-encryption key.
 */
export interface KeyService {
  /**
   * The camera's keys of these days (UTC, `2026-03-01`); days without one get one.
   *
   * @throws Error if they were wrapped with the key of another installation.
   */
  prepareDayKeys(camera: KeyedCamera, days: readonly string[]): Promise<ReadonlyMap<string, DayKey>>
  /** A day key, 32 bytes, from its copy beside the footage or the one in the database; undefined if there is none. */
  findDayKey(camera: KeyedCamera, keyId: string, beside: WrappedDayKey | undefined): Promise<Uint8Array | undefined>
  /** @param sealed as in the camera's row of the database. */
  openPassword(camera: KeyedCamera, sealed: Uint8Array): Promise<string>
  /** The same of a recorder. */
  openDevicePassword(device: KeyedDevice, sealed: Uint8Array): Promise<string>
}

export interface KeyServiceDeps {
  /** Under the role `media`. */
  readonly db: Db
  /** Key-encryption key of footage, 32 bytes. */
  readonly kek: Uint8Array
  readonly encryption: EnvelopeEncryption
}

export function keyService({ db, kek, encryption }: KeyServiceDeps): KeyService {
  const confirmAccount = accountCheck(db)
  return {
    async prepareDayKeys(camera, days) {
      await confirmAccount(camera)
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
    },
    async findDayKey(camera, keyId, beside) {
      await confirmAccount(camera)
      const inFiles = beside?.wrapped.keyId === keyId ? openWrappedDayKey(camera, beside, kek) : undefined
      if (inFiles !== undefined) return inFiles
      const { accountId } = camera
      const [accountKey, found] = await Promise.all([findAccountKey(db, accountId), findDayKey(db, camera, keyId)])
      if (accountKey === undefined || found === undefined) return undefined
      return openWrappedDayKey(camera, { day: found.day, wrapped: found.key, accountKeys: [accountKey] }, kek)
    },
    async openPassword({ accountId, cameraId }, sealed) {
      await confirmAccount({ accountId, cameraId })
      const place = { accountId, table: 'cameras', row: cameraId, column: 'password_sealed' }
      return encryption.open(place, Buffer.from(sealed))
    },
    async openDevicePassword({ accountId, deviceId }, sealed) {
      const place = { accountId, table: 'devices', row: deviceId, column: 'password_sealed' }
      return encryption.open(place, Buffer.from(sealed))
    },
  }
}

/**
 * Rejects for a camera of another account: a worker says which account it means. A camera that the database doesn't know has
 * footage from before a restore, so it is served. While the database is away, what it said last counts, and footage continues.
 */
function accountCheck(db: Db): (camera: KeyedCamera) => Promise<void> {
  const known = new Map<number, readonly number[]>()
  return async ({ accountId, cameraId }) => {
    const accounts = await listAccounts(db, cameraId).catch(() => known.get(cameraId) ?? [])
    if (accounts.length === 0) return
    known.set(cameraId, accounts)
    if (!accounts.includes(accountId)) throw new Error(`camera ${cameraId} is not of account ${accountId}`)
  }
}

/** A key of ours that can't be unwrapped means another installation key: nothing may be recorded with it. */
function unwrapped(key: WrappedKey, owner: Parameters<typeof unwrapKey>[1], wrapping: Uint8Array): Uint8Array {
  const plain = unwrapKey(key, owner, wrapping)
  if (plain === undefined)
    throw new Error(`footage key ${key.keyId} was wrapped with another key: is secrets.json the one of this database?`)
  return plain
}
