import { type PasskeyAnswer, passkeyAnswer } from '@sightline/contract/passkeys'
import type { SignInProblem } from '@sightline/contract/sign-in-pages'
import * as z from 'zod/mini'
import { askForPasskey, checkPasskey, type PasskeyCheckDeps, relyingParty } from '../factors/passkeys/index.ts'
import { type AuthUser, isInAudience, type Lookup } from '../people/index.ts'
import { isSameOrigin } from '../sign-in-pages/index.ts'
import { type FinishDeps, finish } from './finish.ts'
import { getPageContext, type Interaction, type SignInRequest } from './interaction.ts'
import { isDone, resume } from './replies.ts'
import { suspendedProblem } from './suspended.ts'
import { passwordChecked, recheckUser } from './verified-password.ts'

/** A passkey that was unlocked counts for both factors (RFC 8176; `pop` is of the register of its values). */
const PASSKEY_ALONE = ['pop', 'user', 'mfa']

/** The JSON posted by the page's script; undefined if invalid. */
export function readAnswer(text: string): PasskeyAnswer | undefined {
  try {
    return z.safeParse(passkeyAnswer, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const isAmong =
  ({ resellerId, audience }: Lookup) =>
  (person: AuthUser): boolean =>
    isInAudience(audience, person) && (resellerId === undefined || person.resellerId === resellerId)

/** What to reply if a passkey didn't sign in. */
export interface PasskeyFailure {
  readonly status: number
  readonly problem: SignInProblem
  readonly retryAfterS?: number
  /** The claimed owner of the passkey. */
  readonly known: readonly AuthUser[]
  /** The owner of a right passkey whose account is suspended. */
  readonly suspended?: AuthUser
}

export const toLockedFailure = (retryAfterS: number): PasskeyFailure => ({
  status: 429,
  problem: { kind: 'locked', minutes: Math.ceil(retryAfterS / 60) },
  retryAfterS,
  known: [],
})

export const REFUSED = { status: 422, problem: { kind: 'passkey' } } as const

/** Signs in the passkey's owner if allowed here; otherwise returns the response to send. */
export async function signInByPasskey(
  request: SignInRequest,
  deps: PasskeyCheckDeps & FinishDeps,
  given: { readonly interaction: Interaction; readonly passkey: string },
): Promise<PasskeyFailure | undefined> {
  const { interaction } = given
  const { brand, address, uid } = request
  if (isDone(interaction)) {
    resume(request, interaction)
    return undefined
  }
  const rp = relyingParty(brand)
  if (rp === undefined) return { ...REFUSED, known: [] }
  const { clientId } = getPageContext(request, interaction)
  const place = { purpose: 'signIn', boundTo: uid } as const
  const answer = readAnswer(given.passkey)
  const verdict = await checkPasskey({ place, rp, answer, address, clientId, isWelcome: isAmong(request.among) }, deps)
  switch (verdict.kind) {
    case 'right': {
      const { person } = verdict
      await finish(request, deps, { interaction, person, checkedAt: deps.clock.now(), amr: PASSKEY_ALONE })
      return undefined
    }
    case 'suspended': {
      const { person } = verdict
      return { status: 422, problem: suspendedProblem(request, person), known: [], suspended: person }
    }
    case 'locked':
      return toLockedFailure(verdict.retryAfterS)
    case 'wrong':
      return { ...REFUSED, known: verdict.known === undefined ? [] : [verdict.known] }
  }
}

/** Returns the challenge for any passkey, or after the password for that user's. */
export async function passkeyOptions(
  visit: Omit<SignInRequest, 'among' | 'provider' | 'isOwnApplication'>,
  deps: PasskeyCheckDeps,
  interaction: Interaction,
): Promise<void> {
  const { req, res, brand, uid } = visit
  const rp = relyingParty(brand)
  if (rp === undefined || !isSameOrigin(req, brand.origin)) return sendJson(res, 403, {})
  const isSecondStep = new URL(req.url ?? '/', brand.origin).searchParams.has('step')
  if (!isSecondStep) return sendJson(res, 200, await askForPasskey({ purpose: 'signIn', boundTo: uid }, { rp }, deps))
  const password = passwordChecked(interaction)
  const userId = password?.codeOf
  const person =
    password === undefined || userId === undefined ? undefined : await recheckUser(deps.db, password, userId)
  if (person === undefined) return sendJson(res, 403, {})
  const place = { purpose: 'secondStep', boundTo: uid } as const
  sendJson(res, 200, await askForPasskey(place, { rp, userId: person.userId }, deps))
}

function sendJson(res: SignInRequest['res'], status: number, body: object): void {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  res.writeHead(status, headers)
  res.end(JSON.stringify(body))
}
