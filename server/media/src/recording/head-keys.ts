/** The public keys that heads of chains are signed with, as an installation publishes them. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { getFingerprint, getKeyId } from '@sightline/platform/signed-line'

export interface HeadKey {
  /** Ed25519. */
  readonly publicKey: KeyObject
  /** Since when it signs; milliseconds since 1970. */
  readonly createdAt: number
  /** Until when it signed; undefined for the one that signs now. */
  readonly retiredAt: number | undefined
}

const timeText = (time: number): string => new Date(time).toISOString()

/** The document at `/.well-known/footage-keys.json`. */
export function headKeysText(keys: readonly HeadKey[]): string {
  const described = keys.map(({ publicKey, createdAt, retiredAt }) => ({
    keyId: getKeyId(publicKey),
    fingerprint: getFingerprint(publicKey),
    algorithm: 'Ed25519',
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    createdAt: timeText(createdAt),
    ...(retiredAt !== undefined && { retiredAt: timeText(retiredAt) }),
  }))
  return `${JSON.stringify({ keys: described }, undefined, 2)}\n`
}

function readKey({ publicKey, fingerprint, createdAt, retiredAt }: Record<string, unknown>): HeadKey | undefined {
  const key = createPublicKey({ key: Buffer.from(String(publicKey), 'base64'), type: 'spki', format: 'der' })
  const times = [Date.parse(String(createdAt)), retiredAt === undefined ? undefined : Date.parse(String(retiredAt))]
  const [created = Number.NaN, retired] = times
  const isSound = key.asymmetricKeyType === 'ed25519' && getFingerprint(key) === fingerprint
  if (!isSound || Number.isNaN(created) || Number.isNaN(retired ?? 0)) return undefined
  return { publicKey: key, createdAt: created, retiredAt: retired }
}

/** Undefined if it isn't such a document. */
export function readHeadKeys(text: string): readonly HeadKey[] | undefined {
  try {
    const { keys } = JSON.parse(text)
    if (!Array.isArray(keys) || keys.length === 0) return undefined
    const read = keys.map((key) => readKey(key))
    const sound = read.filter((key) => key !== undefined)
    return sound.length === read.length ? sound : undefined
  } catch {
    return undefined
  }
}
