import * as z from 'zod/mini'
import { route } from '../wire/index.ts'

/** A name of the TZ database, at most 64 characters. */
export const accountTimeZone = z.object({ timeZone: z.string().check(z.minLength(1), z.maxLength(64)) })

export const getTimeZone = route({
  name: 'getTimeZone',
  summary: 'Get the time zone of the account',
  method: 'GET',
  path: 'accounts/self/timeZone',
  access: 'tenant',
  support: 'yes',
  reply: accountTimeZone,
  errors: [],
})

export const patchTimeZone = route({
  name: 'patchTimeZone',
  summary: 'Update the time zone of the account; sub-users need the right userSettings',
  method: 'PATCH',
  path: 'accounts/self/timeZone',
  access: 'tenant',
  right: 'userSettings',
  support: 'yes',
  operation: 226,
  body: accountTimeZone,
  reply: accountTimeZone,
  errors: ['validation'],
})
