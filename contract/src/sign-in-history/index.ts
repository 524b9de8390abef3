import * as z from 'zod/mini'
import { device, sessionLocation } from '../sessions/index.ts'
import { dateTime, id, route } from '../wire/index.ts'

/** Days that successful and failed sign-ins are kept. */
export const SIGN_IN_DAYS = 90

/** `visit`: a guest of a public demo, without credentials (decision 0026). */
export const signInMethods = ['password', 'passwordAndCode', 'passkey', 'visit'] as const
/** `locked`: rejected without a check, because of too many failures. */
export const signInOutcomes = ['signedIn', 'wrongPassword', 'wrongCode', 'wrongPasskey', 'locked'] as const

/** A successful or failed sign-in; several similar ones within an hour are one entry. */
export const signIn = z.object({
  signInId: id,
  outcome: z.enum(signInOutcomes),
  method: z.enum(signInMethods),
  /** The time of the last one. */
  time: dateTime,
  firstTime: dateTime,
  tries: z.int(),
  device,
  clientId: z.nullable(z.string()),
  clientName: z.nullable(z.string()),
  /** Null if they came from more addresses than are stored, and for visits. */
  address: z.nullable(z.string()),
  place: sessionLocation,
})
export type SignIn = z.infer<typeof signIn>

export const getSignIns = route({
  name: 'getSignIns',
  summary: 'List sign-ins and failed attempts of the user from the last 90 days, newest first',
  method: 'GET',
  path: 'users/self/signIns',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  apiKey: 'no',
  support: 'no',
  reply: z.array(signIn),
  list: { key: 'signInId', sort: ['-time'], defaultLimit: 20, pagedBy: 'store' },
  errors: ['validation'],
})
