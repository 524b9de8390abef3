import * as z from 'zod/mini'
import { dateTime, dateTimeText, route } from '../wire/index.ts'

/** The end of a grant without limit: 9999-12-31T23:59:59.000+00:00, in milliseconds since 1970. */
export const ALWAYS = Date.UTC(9999, 11, 31, 23, 59, 59)

/** The access that the owner grants to support (specification §3 "Account status"). */
export const supportAccess = z.object({
  /** Null: closed; {@link ALWAYS}: until it is withdrawn. */
  allowsHelpdeskExpirationDate: z.nullable(dateTime),
  allowsHelpdeskShowVideo: z.boolean(),
})
export type SupportAccess = z.infer<typeof supportAccess>

export const supportAccessPatch = z.partial(
  z.object({ allowsHelpdeskExpirationDate: z.nullable(dateTimeText), allowsHelpdeskShowVideo: z.boolean() }),
)
export type SupportAccessPatch = z.infer<typeof supportAccessPatch>

export const getSupportAccess = route({
  name: 'getSupportAccess',
  summary: 'Get support access: when it ends, and whether support can see video',
  method: 'GET',
  path: 'users/self/status',
  access: 'tenant',
  support: 'yes',
  operation: 82,
  reply: supportAccess,
  errors: [],
})

export const patchSupportAccess = route({
  name: 'patchSupportAccess',
  summary: 'Allow or end support access; null ends it, and open support sessions close within seconds',
  method: 'PATCH',
  path: 'users/self/status',
  access: 'tenant',
  superUserOnly: true,
  apiKey: 'no',
  support: 'no',
  endsAccess: true,
  operation: 82,
  body: supportAccessPatch,
  reply: supportAccess,
  errors: ['validation'],
})
