import * as z from 'zod/mini'
import { identityProof } from '../account-deletion/index.ts'
import { dateTime, route } from '../wire/index.ts'

/** How much there is of the signed-in user: of owners, of their account. What a deletion loses, and a download lists. */
export const personalDataSummary = z.object({
  cameras: z.int(),
  /** Besides the owner; 0 of who is none. */
  subUsers: z.int(),
  /** Name of the subscription that would end; null of who is not the owner. */
  subscription: z.nullable(z.string()),
  footage: z.object({ bytes: z.int(), oldest: z.nullable(dateTime), newest: z.nullable(dateTime) }),
})
export type PersonalDataSummary = z.infer<typeof personalDataSummary>

const own = { path: 'users/self/personalData', access: 'authenticated', apiKey: 'no', support: 'no' } as const

export const getPersonalData = route({
  ...own,
  name: 'getPersonalData',
  summary: 'How much there is of the signed-in user, or of their account',
  method: 'GET',
  visitor: 'no',
  reply: personalDataSummary,
  errors: [],
})

export const downloadPersonalData = route({
  ...own,
  name: 'downloadPersonalData',
  summary:
    'Everything that is held about the signed-in user, as a file: docs/guide/personal-data.md says what is in it',
  method: 'POST',
  notReplayed: 'a kept reply would be a second copy of everything',
  body: identityProof,
  media: ['application/json'],
  reply: z.unknown(),
  errors: ['validation', 'authenticationFailed', 'tooManyRequests'],
})
