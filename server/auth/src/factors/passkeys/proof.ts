import { PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import { INVALID_CODE } from '@sightline/contract/mfa'
import type { PasskeyAnswer, PasskeyProof } from '@sightline/contract/passkeys'
import type { Change } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import type { AuthUser } from '../../people/index.ts'
import { type VerifyDeps, verifyPassword } from '../credentials/index.ts'
import {
  asksForCode,
  type CallingSession,
  checkSecondFactor,
  findFactor,
  type SecondFactorDeps,
  type StoredFactor,
} from '../mfa/index.ts'
import { checkPasskey, type PasskeyCheckDeps } from './check.ts'
import type { RelyingParty } from './relying-party.ts'

export interface PasskeyProofDeps extends PasskeyCheckDeps, VerifyDeps, SecondFactorDeps {}

/** The caller of a passkey call, with address and host. */
export interface FactorCaller {
  readonly caller: Caller
  readonly person: AuthUser
  readonly session: CallingSession
  readonly rp: RelyingParty | undefined
  readonly host: string
  readonly address: string
}

/** The same, with the change of a call that writes. */
export interface FactorChange<Reply = unknown> extends FactorCaller {
  readonly change: Change<Caller, Reply>
}

type Checked = Result<undefined, ApiError>

const TOO_MANY = 'too many wrong codes or passwords; try again later'
const tooMany = (retryAfter: number): Checked => fail({ error: 'tooManyRequests', detail: TOO_MANY, retryAfter })

/** The least proof that a change needs: the password isn't enough if the session began with more. */
export const getRequiredProof = (factor: StoredFactor | undefined, session: CallingSession): 'password' | 'code' =>
  asksForCode(factor, session) ? 'code' : 'password'

/** Confirms that the user is present, so that an unattended page isn't enough. Failures count as at sign-in. */
export async function prove(proof: PasskeyProof, change: FactorCaller, deps: PasskeyProofDeps): Promise<Checked> {
  if (proof.passkey !== undefined) return byPasskey(proof.passkey, change, deps)
  const given = proof.code === undefined ? 'password' : 'code'
  const factor = await findFactor(deps.db.plain, change.person.userId)
  const needed = getRequiredProof(factor, change.session)
  if (given !== needed) {
    const message = needed === 'code' ? 'Enter a code or use a passkey' : 'Enter your password or use a passkey'
    return fail({ error: 'validation', detail: `proof: ${message}`, fields: [{ field: 'proof', message }] })
  }
  return needed === 'code' ? byCode(proof.code ?? '', change, deps) : byPassword(proof.password ?? '', change, deps)
}

async function byPassword(
  password: string,
  { caller, address }: FactorCaller,
  deps: PasskeyProofDeps,
): Promise<Checked> {
  const verdict = await verifyPassword({ userId: caller.userId, password, address }, deps)
  switch (verdict.kind) {
    case 'right':
      return ok(undefined)
    case 'wrong':
      return fail({ error: 'authenticationFailed', detail: 'Incorrect password' })
    case 'locked':
      return tooMany(verdict.retryAfterS)
    case 'overloaded':
      return fail(PASSWORDS_BUSY)
  }
}

async function byCode(code: string, change: FactorCaller, deps: PasskeyProofDeps): Promise<Checked> {
  const { person, session, address, host, caller } = change
  const given = { person, session, code, address, host, clientId: caller.clientId, isOnlyOne: false }
  const verdict = await checkSecondFactor(given, deps)
  switch (verdict.kind) {
    case 'right':
      return ok(undefined)
    case 'wrong':
      return fail({ error: 'authenticationFailed', detail: INVALID_CODE })
    case 'locked':
      return tooMany(verdict.retryAfterS)
    case 'busy':
      return fail(PASSWORDS_BUSY)
  }
}

async function byPasskey(answer: PasskeyAnswer, change: FactorCaller, deps: PasskeyProofDeps): Promise<Checked> {
  const { caller, person, rp, address } = change
  const refused = fail({ error: 'authenticationFailed', detail: 'the passkey was not accepted' } as const)
  if (rp === undefined) return refused
  const { clientId } = caller
  const verdict = await checkPasskey({ place: getConfirmContext(caller), rp, answer, address, clientId, person }, deps)
  if (verdict.kind === 'locked') return tooMany(verdict.retryAfterS)
  return verdict.kind === 'right' ? ok(undefined) : refused
}

/** Challenges of calls belong to the token that asks for them. */
export const getConfirmContext = ({ tokenId }: Caller) => ({ purpose: 'confirm', boundTo: `token ${tokenId}` }) as const
