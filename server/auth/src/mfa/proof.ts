import { givenCode } from '@sightline/contract/mfa'
import type { EpochMs } from '@sightline/platform/clock'
import type { Tx } from '@sightline/platform/db'
import type { Sealing } from '@sightline/platform/sealing'
import type { Passwords } from '../passwords/index.ts'
import { openSeed } from './seed.ts'
import { type StoredFactor, takeRecoveryCode, takeStep } from './store.ts'
import { stepOf } from './totp.ts'

export interface ProofParts {
  readonly passwords: Passwords
  readonly sealing: Sealing
}

/** What a code shows, as long as nobody else uses it first. */
export type Proof =
  | { readonly kind: 'app'; readonly factor: StoredFactor; readonly step: number }
  | { readonly kind: 'recoveryCode'; readonly factor: StoredFactor; readonly codeHash: Buffer }

/** What that code of a factor that is on may show; undefined where it is wrong or was used. */
export async function proofOf(
  text: string,
  of: { readonly factor: StoredFactor; readonly now: EpochMs },
  { passwords, sealing }: ProofParts,
): Promise<Proof | undefined | 'busy'> {
  const { factor, now } = of
  const given = givenCode(text)
  if (given === undefined || factor.on === undefined) return undefined
  if (given.kind === 'app') {
    const step = stepOf(given.code, openSeed(sealing, factor), now)
    return step === undefined || step <= factor.on.lastStep ? undefined : { kind: 'app', factor, step }
  }
  const hashed = await passwords.derive(given.code, factor.on.recoverySalt)
  return hashed.ok ? { kind: 'recoveryCode', factor, codeHash: hashed.value } : 'busy'
}

/** Uses the code up; false where there is no such recovery code, or somebody was faster. */
export const spend = (tx: Tx, proof: Proof): Promise<boolean> =>
  proof.kind === 'app'
    ? takeStep(tx, { ...proof.factor, step: proof.step })
    : takeRecoveryCode(tx, proof.factor.userId, proof.codeHash)
