import * as z from 'zod/mini'
import { identityProof } from '../account-deletion/index.ts'
import { dateTime, route } from '../wire/index.ts'

/**
 * The amount of data about the signed-in user, and for owners about their account: what a deletion removes and a
 * download contains.
 */
export const personalDataSummary = z.object({
  cameras: z.int(),
  /** Without the owner; 0 for other users. */
  subUsers: z.int(),
  /** Name of the subscription that would end; null for users who aren't the owner. */
  subscription: z.nullable(z.string()),
  footage: z.object({ bytes: z.int(), oldest: z.nullable(dateTime), newest: z.nullable(dateTime) }),
})
export type PersonalDataSummary = z.infer<typeof personalDataSummary>

const own = { path: 'users/self/personalData', access: 'authenticated', apiKey: 'no', support: 'no' } as const

export const getPersonalData = route({
  ...own,
  name: 'getPersonalData',
  summary: 'Get the amount of data stored about the signed-in user, or their account',
  method: 'GET',
  visitor: 'no',
  reply: personalDataSummary,
  errors: [],
})

export const downloadPersonalData = route({
  ...own,
  name: 'downloadPersonalData',
  summary:
    'Download all data stored about the signed-in user as a file; docs/guide/personal-data.md describes its contents',
  method: 'POST',
  notReplayed: 'a stored reply would be a second copy of all the data',
  body: identityProof,
  media: ['application/json'],
  reply: z.unknown(),
  errors: ['validation', 'authenticationFailed', 'tooManyRequests'],
})
