import * as z from 'zod/mini'
import { date } from '../subscriptions/index.ts'
import { dateTime, id, idText, route } from '../wire/index.ts'

const ownAccount = {
  ids: { 'params.accountId': 'account' },
  params: z.object({ accountId: z.union([z.literal('self'), idText]) }),
} as const

/** The most days of one answer: two years, as long as the longest package keeps footage, and a leap day. */
export const MAX_STORAGE_DAYS = 731
/** Days up to today that are answered where none are named. */
export const USUAL_STORAGE_DAYS = 31

const taken = {
  bytes: z.int(),
  /** Of footage, to the thousandth. */
  hours: z.number(),
}

/** What footage takes up (api.md §20), as far as it is still there; of cameras that the caller reaches. */
export const storageUsage = z.object({
  accountId: id,
  /** The account's, in which the days begin. */
  timeZone: z.string(),
  from: date,
  /** The last day, which is in it. */
  till: date,
  ...taken,
  /** Also those without footage; by name. */
  cameras: z.array(
    z.object({
      cameraId: id,
      name: z.string(),
      ...taken,
      /** When the footage begins that is kept of it, whatever the span; null: there is none. */
      oldestRecording: z.nullable(dateTime),
    }),
  ),
  /** Each day of the span, also those without footage. */
  days: z.array(z.object({ day: date, ...taken })),
})
export type StorageUsage = z.infer<typeof storageUsage>

export const getStorageUsage = route({
  name: 'getStorageUsage',
  summary:
    'What the footage of the cameras in reach takes up, by camera and by day; without from and till the last 31 days',
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

/** What an account holds and may hold; null: nothing limits it (api.md §5). */
export const accountUsage = z.object({
  cameras: z.int(),
  cameraSlots: z.nullable(z.int()),
  devices: z.int(),
  deviceSlots: z.nullable(z.int()),
  /** Besides the owner, who needs no place. */
  users: z.int(),
  maxUsers: z.int(),
  storageBytes: z.int(),
  oldestRecording: z.nullable(dateTime),
})
export type AccountUsage = z.infer<typeof accountUsage>

export const getAccountUsage = route({
  name: 'getAccountUsage',
  summary: 'How many cameras, devices and users the account has and may have, and how much footage',
  method: 'GET',
  path: 'accounts/{accountId}/usage',
  access: 'object',
  right: 'storageUsage',
  support: 'yes',
  ...ownAccount,
  reply: accountUsage,
  errors: ['notFound', 'timedOut'],
})
