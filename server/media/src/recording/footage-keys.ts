/**
 * The keys of encrypted footage: the key-encryption key (KEK) of the installation wraps one random key per account, and
 * that wraps one random key per camera and day. Both lie wrapped beside the footage, so that files and KEK are enough.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FILE_MODE, type NewNames, syncFolderLater } from './durable-folder.ts'
import type { Id128 } from './segment-layout.ts'
import type { KeyFinder } from './segment-reader.ts'

export interface DayKey {
  readonly keyId: Id128
  /** 32 bytes. */
  readonly key: Uint8Array
  /** Its wrapped copy and the account's, for the files beside the footage. */
  readonly wrapped: WrappedKey
  readonly accountKey: WrappedKey
}

/** A line of a key file. */
export interface WrappedKey {
  readonly keyId: Id128
  /** Base64: nonce (12 bytes), tag (16 bytes), encrypted key (32 bytes). */
  readonly wrapped: string
}

/** There is no key for this day, so nothing may be recorded: footage is never stored unencrypted instead. */
export class MissingDayKey extends Error {
  override readonly name = 'MissingDayKey'
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
const KEY_FILE = 'key'

/** @param installationKey 32 bytes. */
export const footageKek = (installationKey: Uint8Array): Uint8Array =>
  Buffer.from(hkdfSync('sha256', installationKey, '', 'sightline footage', KEY_BYTES))

export const newKeyId = (): Id128 => randomBytes(16).toString('hex')
export const newKey = (): Uint8Array => randomBytes(KEY_BYTES)

/** The day of a time in UTC, as in the names of folders: `2026-03-01`. */
export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** What a wrapped key belongs to; it can't be unwrapped for anything else. */
type KeyOwner =
  | { readonly accountId: number }
  | { readonly accountId: number; readonly cameraId: number; readonly day: string }

function boundTo(owner: KeyOwner, keyId: Id128): Buffer {
  const of =
    'day' in owner ? `day key 1 ${owner.accountId}/${owner.cameraId}/${owner.day}` : `account key 1 ${owner.accountId}`
  return Buffer.from(`sightline ${of} ${keyId}`)
}

export function wrapKey(key: Uint8Array, keyId: Id128, owner: KeyOwner, wrapping: Uint8Array): WrappedKey {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, wrapping, nonce).setAAD(boundTo(owner, keyId))
  const body = Buffer.concat([cipher.update(key), cipher.final()])
  return { keyId, wrapped: Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64') }
}

/** Undefined if it was wrapped with another key, for something else, or is damaged. */
export function unwrapKey(
  { keyId, wrapped }: WrappedKey,
  owner: KeyOwner,
  wrapping: Uint8Array,
): Uint8Array | undefined {
  const bytes = Buffer.from(wrapped, 'base64')
  if (bytes.length !== NONCE_BYTES + TAG_BYTES + KEY_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, wrapping, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(boundTo(owner, keyId)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

/** The keys of a day of one stream. */
export const dayKeyFile = (stream: string, day: string): string => join(stream, day, KEY_FILE)

function parseLine(line: string): WrappedKey | undefined {
  try {
    const { keyId, wrapped } = JSON.parse(line)
    return typeof keyId === 'string' && typeof wrapped === 'string' ? { keyId, wrapped } : undefined
  } catch {
    return undefined
  }
}

/** The keys in a key file; none if there is no such file. */
export async function readKeyFile(path: string): Promise<readonly WrappedKey[]> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw new Error(`could not read keys of footage in ${path}`, { cause })
  })
  return text
    .split('\n')
    .map(parseLine)
    .filter((key) => key !== undefined)
}

/** Adds the key unless the file has it. It will be on the disk soon. */
async function addToKeyFile(path: string, key: WrappedKey, names: NewNames): Promise<void> {
  if ((await readKeyFile(path)).some(({ keyId }) => keyId === key.keyId)) return
  const file = await open(path, 'a', FILE_MODE)
  try {
    // The line break before it ends a line that a full disk cut off.
    await file.appendFile(`\n${JSON.stringify(key)}\n`)
  } catch (cause) {
    await file.close()
    throw new Error(`could not write keys of footage to ${path}`, { cause })
  }
  const synced = names.group.wrote({
    async sync() {
      try {
        await file.datasync()
      } finally {
        await file.close()
      }
    },
    syncFailed: names.failed,
  })
  names.kept?.push(synced)
  syncFolderLater(dirname(path), names)
}

/** Puts the wrapped keys beside the segments of a day; `hour` is the folder of one of its hours, in a store's structure. */
export async function storeKeys({ wrapped, accountKey }: DayKey, hour: string, names: NewNames): Promise<void> {
  const day = dirname(hour)
  await addToKeyFile(join(day, KEY_FILE), wrapped, names)
  // account/camera/stream/day
  await addToKeyFile(join(dirname(dirname(dirname(day))), KEY_FILE), accountKey, names)
}

/** Wrapped copies of a day key, as they lie beside a segment. */
export interface WrappedDayKey {
  /** The day of its folder. */
  readonly day: string
  readonly wrapped: WrappedKey
  /** One of them wraps it. */
  readonly accountKeys: readonly WrappedKey[]
}

/** The copy of a key in the folders around the segment at `path`; undefined if there is none. */
export async function readWrappedDayKey(keyId: Id128, path: string): Promise<WrappedDayKey | undefined> {
  const folder = dirname(dirname(path))
  const wrapped = (await readKeyFile(join(folder, KEY_FILE))).find((key) => key.keyId === keyId)
  if (wrapped === undefined) return undefined
  const account = dirname(dirname(dirname(folder)))
  return { day: basename(folder), wrapped, accountKeys: await readKeyFile(join(account, KEY_FILE)) }
}

/** Undefined if it isn't a key of this camera, or was wrapped with another KEK. */
export function openWrappedDayKey(
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  { day, wrapped, accountKeys }: WrappedDayKey,
  kek: Uint8Array,
): Uint8Array | undefined {
  for (const accountKey of accountKeys) {
    const opened = unwrapKey(accountKey, { accountId }, kek)
    const key = opened && unwrapKey(wrapped, { accountId, cameraId, day }, opened)
    if (key !== undefined) return key
  }
  return undefined
}

/** The keys of an account that lie beside its footage. */
export const readAccountKeys = (store: string, accountId: number): Promise<readonly WrappedKey[]> =>
  readKeyFile(join(store, String(accountId), KEY_FILE))

/** Finds keys in the files beside the footage, with the KEK alone. */
export const keysInFiles = (kek: Uint8Array): KeyFinder => ({
  async find(header, path) {
    const beside = await readWrappedDayKey(header.keyId, path)
    return beside && openWrappedDayKey(header, beside, kek)
  },
})
