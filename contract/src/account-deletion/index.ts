import * as z from 'zod/mini'
import { dateTime, nothing, route } from '../wire/index.ts'

/** Days in which a requested deletion can be canceled (docs/decisions/0021). */
export const GRACE_DAYS = 14

/** A proof that the request comes from the user: the current password, and a code if the second factor is on. */
export const identityProof = z.object({
  password: z.string().check(z.minLength(1, 'Please enter your current password'), z.maxLength(128)),
  /** Of the authenticator app, or a recovery code. */
  code: z.optional(z.string().check(z.maxLength(64))),
})
export type IdentityProof = z.infer<typeof identityProof>

const what = z.enum(['account', 'person'])

/** What will be deleted, and when. */
export const deletion = z.object({
  /** What the signed-in user can delete: owners the whole account, everyone else only themselves. */
  what,
  /** Null if no deletion was requested. */
  requestedAt: z.nullable(dateTime),
  deletesAt: z.nullable(dateTime),
  /** When the account and everyone in it will be deleted; null if its owner didn't request that. */
  accountDeletesAt: z.nullable(dateTime),
  /** Whether a code is required in addition to the password: the second factor is on. */
  asksForCode: z.boolean(),
})
export type Deletion = z.infer<typeof deletion>

const own = { path: 'users/self/deletion', access: 'authenticated', apiKey: 'no' } as const

export const getDeletion = route({
  ...own,
  name: 'getDeletion',
  summary: 'Get the scheduled deletion of the signed-in user or the account',
  method: 'GET',
  support: 'yes',
  reply: deletion,
  errors: [],
})

export const requestDeletion = route({
  ...own,
  name: 'requestDeletion',
  summary: 'Schedule deletion in 14 days: of the account if the owner calls, otherwise of the signed-in user',
  method: 'POST',
  support: 'no',
  notReplayed: 'a stored request would contain the password, and repeating the call changes nothing',
  body: identityProof,
  reply: deletion,
  errors: ['validation', 'authenticationFailed', 'tooManyRequests'],
})

export const cancelDeletion = route({
  ...own,
  name: 'cancelDeletion',
  summary: 'Cancel the scheduled deletion',
  method: 'DELETE',
  support: 'no',
  reply: nothing,
  status: 204,
  errors: ['businessRule'],
})
