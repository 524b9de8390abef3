import { randomBytes } from 'node:crypto'
import { PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import { formatRecoveryCode } from '@sightline/contract/mfa'
import {
  type CreationOptions,
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyProof,
  type PasskeyRegistration,
  type PasskeysChangeReply,
} from '@sightline/contract/passkeys'
import type { Tx } from '@sightline/platform/db'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { SignInRecord } from '../../people/audit/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import {
  askForPasskeys,
  type FreshRecoveryCodes,
  freshRecoveryCodes,
  lockFactor,
  notifyUser,
  recoveryCodesLeft,
  type SecondFactorNews,
  stopAskingForPasskeys,
} from '../mfa/index.ts'
import { buildCreationOptions, CEREMONY_MS, verifyCreated } from './ceremonies.ts'
import { type FactorCaller, type FactorChange, getRequiredProof, type PasskeyProofDeps, prove } from './proof.ts'
import type { RelyingParty } from './relying-party.ts'
import { type PasskeysStateInput, toPasskey, toPasskeysState } from './state.ts'
import {
  addPasskey,
  holdPasskeys,
  keepChallenge,
  listPasskeys,
  lockPasskey,
  removePasskey,
  renamePasskey,
  takeChallenge,
} from './store.ts'

export interface PasskeysDeps extends PasskeyProofDeps {
  readonly sessions: Sessions
}

const notHere: ApiError = {
  error: 'businessRule',
  detail: 'passkeys require a host name, and this host is an IP address',
}
const tooMany: ApiError = {
  error: 'businessRule',
  detail: `you already have ${MAX_PASSKEYS} passkeys: delete one first`,
}
const noneHere: ApiError = { error: 'businessRule', detail: 'you have no passkey for this host: add one first' }
const lastAskedFor: ApiError = {
  error: 'businessRule',
  detail: "you can't delete the last passkey while it is required after the password",
}

/** A challenge for a new passkey belongs to the token that requests it. */
const getRegisterContext = ({ caller }: FactorCaller) =>
  ({ purpose: 'register', boundTo: `token ${caller.tokenId}` }) as const

/** Starts adding a passkey, after confirming the user's identity. */
export async function begin(
  change: FactorCaller,
  proof: PasskeyProof,
  deps: PasskeysDeps,
): Promise<Result<CreationOptions, ApiError>> {
  const { rp, person } = change
  if (rp === undefined) return fail(notHere)
  const existing = await listPasskeys(deps.db.plain, person.userId)
  if (existing.length >= MAX_PASSKEYS) return fail(tooMany)
  const proven = await prove(proof, change, deps)
  if (!proven.ok) return proven
  const challenge = randomBytes(32)
  // The same for all passkeys of a user, so that an authenticator has at most one for each.
  const handle = existing[0]?.userHandle ?? randomBytes(32)
  const expiresAt = deps.clock.now() + CEREMONY_MS
  await keepChallenge(deps.db, getRegisterContext(change), { challenge, userHandle: handle, expiresAt })
  const here = existing.filter(({ rpId }) => rpId === rp.id)
  return ok(buildCreationOptions({ rp, challenge, user: { ...person, handle }, existing: here }))
}

/** Adds the passkey that the browser created. No one is signed out: no sign-in becomes weaker. */
export async function add(
  change: FactorChange,
  given: { readonly name: string; readonly credential: PasskeyRegistration },
  deps: PasskeysDeps,
): Promise<Result<Passkey, ApiError>> {
  const { rp, person } = change
  const { db, clock, ids } = deps
  const now = clock.now()
  const asked = await takeChallenge(db, getRegisterContext(change), now)
  if (rp === undefined) return fail(notHere)
  const made =
    asked === undefined ? undefined : await verifyCreated(given.credential, { rp, challenge: asked.challenge })
  if (made === undefined || asked?.userHandle === undefined) {
    const message = "The passkey doesn't match the request, or the request has expired. Try again"
    return fail({ error: 'validation', detail: message, fields: [{ field: 'credential', message }] })
  }
  const { userHandle } = asked
  const passkeyId = await ids.next()
  const { userId, accountId } = person
  return change.change.tx('plane', async (tx) => {
    await holdPasskeys(tx, userId)
    if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS) return fail(tooMany)
    const row = { passkeyId, userId, accountId, rpId: rp.id, userHandle, made, name: given.name.trim(), now }
    if (!(await addPasskey(tx, row))) return fail({ error: 'duplicate', detail: 'this passkey is already registered' })
    await notify(tx, change, 'passkeyAdded', deps)
    const { isBackedUp } = made
    return ok(toPasskey({ ...row, createdAt: now, lastUsedAt: undefined, isBackedUp }))
  })
}

/** Renames a passkey. */
export async function rename(
  change: FactorChange,
  given: {
    readonly passkeyId: number
    readonly name: string
  },
  deps: PasskeysDeps,
): Promise<Result<Passkey, ApiError>> {
  const { userId } = change.person
  const name = given.name.trim()
  return change.change.tx('plane', async (tx) => {
    const held = await lockPasskey(tx, { userId, passkeyId: given.passkeyId })
    if (held === undefined) return fail({ error: 'notFound' })
    change.change.ifMatch(toPasskey(held))
    if (held.name !== name) {
      await renamePasskey(tx, held.passkeyId, name)
      await deps.audit({ ...change.caller, action: 'passkeyRenamed', address: change.address }, tx)
    }
    return ok(toPasskey({ ...held, name }))
  })
}

/** Removes a passkey and ends the user's other sign-ins: that passkey may have been used for them. */
export function remove(
  change: FactorChange,
  passkeyId: number,
  deps: PasskeysDeps,
): Promise<Result<undefined, ApiError>> {
  const { userId } = change.person
  return ending<undefined>(change, deps, async (tx) => {
    await holdPasskeys(tx, userId)
    const held = await lockPasskey(tx, { userId, passkeyId })
    if (held === undefined) return fail({ error: 'notFound' })
    const factor = await lockFactor(tx, userId)
    if (factor?.asksPasskeys === true && (await listPasskeys(tx, userId)).length === 1) return fail(lastAskedFor)
    await removePasskey(tx, passkeyId)
    await notify(tx, change, 'passkeyRemoved', deps)
    return ok(undefined)
  })
}

/** Asks for a passkey after the password, or no longer. */
export async function askAfterPassword(
  change: FactorChange,
  given: {
    readonly asSecondFactor: boolean
    readonly proof: PasskeyProof
  },
  deps: PasskeysDeps,
): Promise<Result<PasskeysChangeReply, ApiError>> {
  const proven = await prove(given.proof, change, deps)
  if (!proven.ok) return proven
  if (!given.asSecondFactor) return ending(change, deps, (tx) => stop(tx, change, deps))
  const fresh = await freshRecoveryCodes(deps.passwords)
  if (fresh === undefined) return fail(PASSWORDS_BUSY)
  return ending(change, deps, (tx) => start(tx, { change, fresh }, deps))
}

async function start(
  tx: Tx,
  given: { readonly change: FactorChange; readonly fresh: FreshRecoveryCodes },
  deps: PasskeysDeps,
): Promise<Result<PasskeysChangeReply, ApiError>> {
  const { change, fresh } = given
  const { userId, accountId } = change.person
  const before = await heldState(tx, change)
  change.change.ifMatch(toPasskeysState(before))
  if (before.factor?.asksPasskeys === true)
    return fail({ error: 'businessRule', detail: 'a passkey is already required after the password' })
  if (!before.passkeys.some(({ rpId }) => rpId === change.rp?.id)) return fail(noneHere)
  const isFirst = before.factor?.recoverySalt === undefined
  const now = deps.clock.now()
  await askForPasskeys(tx, { userId, accountId, now, fresh: isFirst ? fresh : undefined })
  await notify(tx, change, 'passkeysAskedFor', deps)
  const after = toPasskeysState(await heldState(tx, change))
  return ok(isFirst ? { ...after, recoveryCodes: fresh.codes.map(formatRecoveryCode) } : after)
}

async function stop(tx: Tx, change: FactorChange, deps: PasskeysDeps): Promise<Result<PasskeysChangeReply, ApiError>> {
  const before = await heldState(tx, change)
  change.change.ifMatch(toPasskeysState(before))
  if (before.factor?.asksPasskeys !== true)
    return fail({ error: 'businessRule', detail: 'a passkey is not required after the password' })
  await stopAskingForPasskeys(tx, before.factor)
  await notify(tx, change, 'passkeysNotAskedFor', deps)
  return ok(toPasskeysState(await heldState(tx, change)))
}

/** The current state, locked until the transaction ends. */
async function heldState(
  tx: Tx,
  { person, session, rp }: FactorCaller,
): Promise<PasskeysStateInput & { readonly rp: RelyingParty | undefined }> {
  const { userId } = person
  await holdPasskeys(tx, userId)
  const factor = await lockFactor(tx, userId)
  const passkeys = await listPasskeys(tx, userId)
  return { passkeys, rp, factor, left: await recoveryCodesLeft(tx, userId), proof: getRequiredProof(factor, session) }
}

/** A change in one transaction with the end of every other sign-in. */
async function ending<T>(
  { caller, change }: FactorChange,
  { sessions }: PasskeysDeps,
  work: (tx: Tx) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  let outcome: Result<T, ApiError> | undefined
  const reason = async (tx: Tx) => {
    outcome = await work(tx)
    if (outcome.ok) await change.confirm()
    return outcome.ok
  }
  await sessions.endUserWith(reason, caller.userId, caller.tokenId)
  if (outcome === undefined) throw new Error('a change of passkeys was not saved')
  return outcome
}

type Told = Extract<SecondFactorNews, { kind: `passkey${string}` }>['kind'] & SignInRecord['action']

/** The audit entry and the email of a change. */
async function notify(tx: Tx, change: FactorCaller, kind: Told, deps: PasskeysDeps): Promise<void> {
  const { caller, person, host, address } = change
  await deps.audit({ ...caller, action: kind, address }, tx)
  await notifyUser(tx, { person, host, news: { kind } }, deps)
}
