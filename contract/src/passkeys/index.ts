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
    ctx.issues.push({ code: 'custom', message: 'Send one of password, code or passkey', input: ctx.value })
  })
export type PasskeyProof = z.infer<typeof passkeyProof>

const own = { plane: 'auth', access: 'authenticated', callers: 'both', apiKey: 'no', support: 'no' } as const
const one = { ids: { 'params.passkeyId': 'passkey' }, params: z.object({ passkeyId: idText }) } as const
const ANOTHER_CHALLENGE = 'each reply contains a new challenge that replaces the previous one'

export const getPasskeys = route({
  ...own,
  name: 'getPasskeys',
  summary: 'List the passkeys of the signed-in user and when they’re required',
  method: 'GET',
  path: 'users/self/passkeys',
  visitor: 'no',
  reply: passkeysState,
  errors: [],
})

export const confirmByPasskey = route({
  ...own,
  name: 'confirmByPasskey',
  summary: 'Start a passkey check; its response proves the user’s presence to another call',
  method: 'POST',
  path: 'users/self/passkeys/confirmation',
  reply: requestOptions,
  notReplayed: ANOTHER_CHALLENGE,
  errors: ['businessRule'],
})

export const beginPasskey = route({
  ...own,
  name: 'beginPasskey',
  summary: 'Start adding a passkey; returns the options for the browser, valid for five minutes',
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
  summary: 'Add the passkey that the browser created; it signs in without a password from then on',
  method: 'POST',
  path: 'users/self/passkeys',
  body: z.object({ name: checkedText(passkeyNameProblem), credential: passkeyRegistration }),
  reply: passkey,
  status: 201,
  notReplayed: 'a challenge can be answered only once',
  errors: ['validation', 'businessRule', 'duplicate'],
})

/** With recovery codes if these are the first ones. They are in this response only. */
export const passkeysChangeReply = z.object({ ...state, recoveryCodes: z.optional(z.array(z.string())) })
export type PasskeysChangeReply = z.infer<typeof passkeysChangeReply>

export const patchPasskeys = route({
  ...own,
  name: 'patchPasskeys',
  summary: 'Require a passkey after the password, or stop requiring it; all other tokens and sign-ins of the user end',
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
  summary: 'Rename a passkey',
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
  summary: 'Delete a passkey; all other tokens and sign-ins of the user end',
  method: 'DELETE',
  path: 'users/self/passkeys/{passkeyId}',
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})
