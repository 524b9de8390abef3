import * as z from 'zod/mini'
import { ofReseller, resellerParams } from '../resellers/index.ts'
import { dateTime, id, route } from '../wire/index.ts'

/** Days of each period. */
export const insightPeriods = { day: 1, week: 7, month: 30, year: 365 } as const

/** Statistics of a reseller, for the accounts that the caller may manage. */
export const insights = z.object({
  resellerId: id,
  from: dateTime,
  till: dateTime,
  accounts: z.object({
    total: z.int(),
    active: z.int(),
    inactive: z.int(),
    suspended: z.int(),
    /** Of the type trial, whatever their status. */
    trial: z.int(),
    /** Added in the period, or moved here. */
    new: z.int(),
    /** Removed in the period, or moved away. */
    lost: z.int(),
  }),
  cameras: z.object({ total: z.int(), online: z.int(), offline: z.int() }),
  users: z.int(),
  storageBytes: z.int(),
})
export type Insights = z.infer<typeof insights>

export const getInsights = route({
  name: 'getInsights',
  summary: 'Get the number of accounts, cameras and users of a reseller, and the change over a period',
  method: 'GET',
  path: 'resellers/{resellerId}/insights',
  access: 'object',
  callers: 'staff',
  permission: 'viewInsights',
  support: 'no',
  ids: ofReseller,
  params: resellerParams,
  query: z.object({ period: z._default(z.enum(['day', 'week', 'month', 'year']), 'month') }),
  reply: insights,
  errors: ['validation', 'notFound'],
})
