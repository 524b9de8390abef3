import * as z from 'zod/mini'
import { dateTime, nothing, route } from '../wire/index.ts'

/** Whether the signed-in user must accept the brand's services subscription agreement (decision 20). */
export const agreement = z.object({
  /**
   * True until the user accepts this version. False for support and demo users, and if the brand doesn't require it.
   */
  asked: z.boolean(),
  /** Version of the current text; null if the brand doesn't require acceptance. */
  version: z.nullable(z.string()),
  /** When this user accepted that version. */
  acceptedAt: z.nullable(dateTime),
})
export type Agreement = z.infer<typeof agreement>

/** All three must be true (specification §5 "Terms"). */
export const agreementAcceptance = z.object({
  version: z.string().check(z.minLength(1), z.maxLength(64)),
  isAdult: z.literal(true),
  isInUsOrCanada: z.literal(true),
  watchesNoChildren: z.literal(true),
})
export type AgreementAcceptance = z.infer<typeof agreementAcceptance>

const own = { path: 'users/self/agreement', access: 'authenticated' } as const

export const getAgreement = route({
  ...own,
  name: 'getAgreement',
  summary: 'Get the brand’s subscription agreement and whether it still has to be accepted',
  method: 'GET',
  support: 'yes',
  reply: agreement,
  errors: [],
})

export const acceptAgreement = route({
  ...own,
  name: 'acceptAgreement',
  summary:
    'Accept the current version of the agreement: 18 or older, in the US or Canada, no monitoring of children under 16',
  method: 'POST',
  apiKey: 'no',
  support: 'no',
  notReplayed: 'accepting the same version again changes nothing',
  body: agreementAcceptance,
  reply: nothing,
  status: 204,
  errors: ['validation', 'businessRule'],
})
