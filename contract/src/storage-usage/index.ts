import * as z from 'zod/mini'
import { date } from '../subscriptions/index.ts'
import { dateTime, id, idText, route } from '../wire/index.ts'

const ownAccount = {
  ids: { 'params.accountId': 'account' },
  params: z.object({ accountId: z.union([z.literal('self'), idText]) }),
} as const

/** Maximum days of a response: two years, the longest retention of a package, and a leap day. */
export const MAX_STORAGE_DAYS = 731
/** Default number of days, up to today. */
export const USUAL_STORAGE_DAYS = 31

const taken = {
  bytes: z.int(),
  /** Of footage, to the thousandth. */
  hours: z.number(),
}

/** Storage of existing footage (api.md §20), for cameras that the caller has access to. */
export const storageUsage = z.object({
  accountId: id,
  /** The account's time zone, in which the days start. */
  timeZone: z.string(),
  from: date,
  /** The last day, included. */
  till: date,
  ...taken,
  /** Including cameras without footage; by name. */
  cameras: z.array(
    z.object({
      cameraId: id,
      name: z.string(),
      ...taken,
      /** Start of its stored footage, regardless of the requested days; null if there is none. */
      oldestRecording: z.nullable(dateTime),
    }),
  ),
  /** All requested days, including those without footage. */
  days: z.array(z.object({ day: date, ...taken })),
})
export type StorageUsage = z.infer<typeof storageUsage>

export const getStorageUsage = route({
  name: 'getStorageUsage',
  summary: 'Get the storage used per camera and day, for cameras the caller can access; the last 31 days by default',
  method: 'GET',
  path: 'accounts/{accountId}/storage',
  access: 'object',
  right: 'storageUsage',
  support: 'yes',
  ...ownAccount,
  query: z.object({ from: z.optional(date), till: z.optional(date) }),
  reply: storageUsage,
  errors: ['validation', 'notFound', 'timedOut'],
})

/** An account's usage and limits; null means unlimited (api.md §5). */
export const accountUsage = z.object({
  cameras: z.int(),
  cameraSlots: z.nullable(z.int()),
  devices: z.int(),
  deviceSlots: z.nullable(z.int()),
  /** Without the owner, who doesn't count. */
  users: z.int(),
  maxUsers: z.int(),
  storageBytes: z.int(),
  /** Beyond it, the oldest footage that isn't locked is deleted. */
  maxStorageBytes: z.nullable(z.int()),
  oldestRecording: z.nullable(dateTime),
})
export type AccountUsage = z.infer<typeof accountUsage>

export const getAccountUsage = route({
  name: 'getAccountUsage',
  summary: 'Get the number of cameras, devices and users of the account with their limits, and the footage stored',
  method: 'GET',
  path: 'accounts/{accountId}/usage',
  access: 'object',
  right: 'storageUsage',
  support: 'yes',
  ...ownAccount,
  reply: accountUsage,
  errors: ['notFound', 'timedOut'],
})
