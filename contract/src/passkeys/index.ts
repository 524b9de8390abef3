import * as z from 'zod/mini'
import { checkedText } from '../user-details/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'
import { creationOptions, passkeyAnswer, passkeyRegistration, requestOptions } from './ceremonies.ts'
import { passkeyNameProblem } from './rules.ts'

export {
  type CreationOptions,
  type PasskeyAnswer,
  type PasskeyRegistration,
  passkeyAnswer,
  passkeyRegistration,
  type RequestOptions,
  requestOptions,
} from './ceremonies.ts'
export { MAX_PASSKEYS, passkeyNameProblem } from './rules.ts'

/** A passkey of the person. Its public key is never returned. */
export const passkey = z.object({
  passkeyId: id,
  name: z.string(),
  /** The only host on which it works. */
  host: z.string(),
  createdAt: dateTime,
  lastUsedAt: z.nullable(dateTime),
  /** It is synced to an account of its vendor and so outlives the device. */
  isBackedUp: z.boolean(),
})
export type Passkey = z.infer<typeof passkey>

const state = {
  passkeys: z.array(passkey),
  /** The host for passkeys added by this request; null if passkeys aren't possible, for example at an IP address. */
  host: z.nullable(z.string()),
  /** Whether a passkey, or a recovery code, is required after the password. */
  asSecondFactor: z.boolean(),
  /**
   * How a change is confirmed, if not with a passkey: with the password, or with a code if there is a second factor.
   */
  proof: z.enum(['password', 'code']),
  /** Of the second factor; 0 if there is none. */
  recoveryCodesLeft: z.int(),
}

/** The passkeys of the signed-in person. */
export const passkeysState = z.object(state)
export type Passkeys = z.infer<typeof passkeysState>

/** A proof that the person is present: exactly one of the three. */
export const passkeyProof = z
  .object({
    password: z.optional(z.string().check(z.maxLength(128))),
    /** Of the authenticator app, or a recovery code. */
    code: z.optional(z.string().check(z.maxLength(64))),
    /** The response to `users/self/passkeys/confirmation`. */
    passkey: z.optional(passkeyAnswer),
  })
  .check((ctx) => {
    if (Object.values(ctx.value).filter((value) => value !== undefined).length === 1) return
    ctx.issues.push({ code: 'custom', message: 'One of password, code and passkey is needed', input: ctx.value })
  })
export type PasskeyProof = z.infer<typeof passkeyProof>

const own = { plane: 'auth', access: 'authenticated', callers: 'both', apiKey: 'no', support: 'no' } as const
const one = { ids: { 'params.passkeyId': 'passkey' }, params: z.object({ passkeyId: idText }) } as const
const ANOTHER_CHALLENGE = 'each reply holds another challenge, which takes the place of the one before'

export const getPasskeys = route({
  ...own,
  name: 'getPasskeys',
  summary: 'The passkeys of the signed-in person, and what they are asked for',
  method: 'GET',
  path: 'users/self/passkeys',
  visitor: 'no',
  reply: passkeysState,
  errors: [],
})

export const confirmByPasskey = route({
  ...own,
  name: 'confirmByPasskey',
  summary: 'Begins to prove by a passkey that the person is there; its answer is a proof for another call',
  method: 'POST',
  path: 'users/self/passkeys/confirmation',
  reply: requestOptions,
  notReplayed: ANOTHER_CHALLENGE,
  errors: ['businessRule'],
})

export const beginPasskey = route({
  ...own,
  name: 'beginPasskey',
  summary: 'Begins to add a passkey: what the browser is to make one with, within five minutes',
  method: 'POST',
  path: 'users/self/passkeys/registration',
  body: z.object({ proof: passkeyProof }),
  reply: creationOptions,
  notReplayed: ANOTHER_CHALLENGE,
  errors: ['validation', 'authenticationFailed', 'businessRule', 'tooManyRequests'],
})

export const postPasskey = route({
  ...own,
  name: 'postPasskey',
  summary: 'Adds the passkey that the browser made; it signs in without a password from then on',
  method: 'POST',
  path: 'users/self/passkeys',
  body: z.object({ name: checkedText(passkeyNameProblem), credential: passkeyRegistration }),
  reply: passkey,
  status: 201,
  notReplayed: 'a challenge is answered once',
  errors: ['validation', 'businessRule', 'duplicate'],
})

/** With recovery codes if these are the first ones. They are in this response only. */
export const passkeysChangeReply = z.object({ ...state, recoveryCodes: z.optional(z.array(z.string())) })
export type PasskeysChangeReply = z.infer<typeof passkeysChangeReply>

export const patchPasskeys = route({
  ...own,
  name: 'patchPasskeys',
  summary: 'Asks for a passkey after the password, or no longer; every other token and sign-in of the user ends',
  method: 'PATCH',
  path: 'users/self/passkeys',
  body: z.object({ asSecondFactor: z.boolean(), proof: passkeyProof }),
  reply: passkeysChangeReply,
  errors: ['validation', 'authenticationFailed', 'businessRule', 'tooManyRequests'],
})

export const patchPasskey = route({
  ...own,
  ...one,
  name: 'patchPasskey',
  summary: 'Gives a passkey another name',
  method: 'PATCH',
  path: 'users/self/passkeys/{passkeyId}',
  body: z.object({ name: checkedText(passkeyNameProblem) }),
  reply: passkey,
  errors: ['validation', 'notFound'],
})

export const deletePasskey = route({
  ...own,
  ...one,
  name: 'deletePasskey',
  summary: 'Removes a passkey; every other token and sign-in of the user ends',
  method: 'DELETE',
  path: 'users/self/passkeys/{passkeyId}',
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})
