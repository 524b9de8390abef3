import type { Mfa } from '@sightline/contract/mfa'
import { type EpochMs, MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { qrCode } from './qr-code.ts'
import { newEncryptedSeed, openSeed } from './seed.ts'
import { findFactor, offerSeed, type StoredFactor } from './store.ts'
import { appAddress, base32 } from './totp.ts'

/** How long a seed is offered before its first code; then it is replaced, so an onlooker can't use an old one. */
const OFFER_MS = MS_PER_HOUR

/** Under which names an app lists the seed. */
export interface SeedLabel {
  readonly issuer: string
  readonly email: string
}

/** Whether that one waits for its first code, and not for too long. */
export const isOffered = (
  factor: StoredFactor | undefined,
  now: EpochMs,
): factor is StoredFactor & { readonly seedSealed: Buffer } =>
  factor?.seedSealed !== undefined && factor.on === undefined && factor.createdAt >= now - OFFER_MS

/** What the user can see: the seed only before the factor is on. */
export function toMfaState(
  factor: StoredFactor | undefined,
  about: SeedLabel & { readonly now: EpochMs; readonly left: number },
  { encryption }: { readonly encryption: EnvelopeEncryption },
): Mfa {
  const enabled = factor?.on !== undefined
  if (!isOffered(factor, about.now)) return { enabled, qrCode: null, secret: null, recoveryCodesLeft: about.left }
  const seed = openSeed(encryption, factor)
  return { enabled, qrCode: qrCode(appAddress({ ...about, seed })), secret: base32(seed), recoveryCodesLeft: 0 }
}

/** The seed waiting for its first code, created if missing; concurrent callers all get the same. */
export async function freshSeed(
  into: Pick<Db['plain'], 'insertInto' | 'selectFrom'>,
  of: { readonly userId: number; readonly accountId: number; readonly now: EpochMs },
  { encryption }: { readonly encryption: EnvelopeEncryption },
): Promise<StoredFactor | undefined> {
  const { now } = of
  await offerSeed(into, { ...of, seedSealed: newEncryptedSeed(encryption, of), createdAt: now, oldest: now - OFFER_MS })
  return findFactor(into, of.userId)
}
