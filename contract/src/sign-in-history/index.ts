import * as z from 'zod/mini'
import { device, sessionLocation } from '../sessions/index.ts'
import { dateTime, id, route } from '../wire/index.ts'

/** Days that sign-ins and failed ones are kept. */
export const SIGN_IN_DAYS = 90

/** `visit`: without any, of a public demonstration (decision 0026). */
export const signInMethods = ['password', 'passwordAndCode', 'passkey', 'visit'] as const
/** `locked`: refused unlooked at, because there had been too many wrong ones. */
export const signInOutcomes = ['signedIn', 'wrongPassword', 'wrongCode', 'wrongPasskey', 'locked'] as const

/** A sign-in, or one that failed; several alike within an hour are one. */
export const signIn = z.object({
  signInId: id,
  outcome: z.enum(signInOutcomes),
  method: z.enum(signInMethods),
  /** The last of them. */
  time: dateTime,
  firstTime: dateTime,
  tries: z.int(),
  device,
  clientId: z.nullable(z.string()),
  clientName: z.nullable(z.string()),
  /** Null where they came from more places than are kept, and of visits. */
  address: z.nullable(z.string()),
  place: sessionLocation,
})
export type SignIn = z.infer<typeof signIn>

export const getSignIns = route({
  name: 'getSignIns',
  summary: 'Who signed in as the user, or tried to, in the last 90 days, newest first',
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
