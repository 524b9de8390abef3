import { parseCode } from '@sightline/contract/mfa'
import type { EpochMs } from '@sightline/platform/clock'
import type { Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { Passwords } from '../passwords/index.ts'
import { openSeed } from './seed.ts'
import { type StoredFactor, takeRecoveryCode, takeStep } from './store.ts'
import { findTotpStep } from './totp.ts'

export interface ProofDeps {
  readonly passwords: Passwords
  readonly encryption: EnvelopeEncryption
}

/** What a code proves, unless it is used concurrently. */
export type Proof =
  | { readonly kind: 'app'; readonly userId: number; readonly seedSealed: Buffer; readonly step: number }
  | { readonly kind: 'recoveryCode'; readonly userId: number; readonly codeHash: Buffer }

/** What a code of an active factor proves; undefined if it is wrong or used. */
export async function checkCodeProof(
  text: string,
  of: { readonly factor: StoredFactor; readonly now: EpochMs },
  { passwords, encryption }: ProofDeps,
): Promise<Proof | undefined | 'busy'> {
  const { factor, now } = of
  const given = parseCode(text)
  const { userId, accountId, on, recoverySalt } = factor
  if (given?.kind === 'app' && on !== undefined) {
    const { seedSealed, lastStep } = on
    const step = findTotpStep(given.code, openSeed(encryption, { userId, accountId, seedSealed }), now)
    return step === undefined || step <= lastStep ? undefined : { kind: 'app', userId, seedSealed, step }
  }
  if (given?.kind !== 'recoveryCode' || recoverySalt === undefined) return undefined
  const hashed = await passwords.derive(given.code, recoverySalt)
  return hashed.ok ? { kind: 'recoveryCode', userId, codeHash: hashed.value } : 'busy'
}

/** Uses the code up; false if the recovery code doesn't exist or was used first elsewhere. */
export const spend = (tx: Tx, proof: Proof): Promise<boolean> =>
  proof.kind === 'app' ? takeStep(tx, proof) : takeRecoveryCode(tx, proof.userId, proof.codeHash)
