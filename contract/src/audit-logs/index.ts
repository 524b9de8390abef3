import * as z from 'zod/mini'
import { accountParams, ofAccount } from '../reseller-accounts/index.ts'
import { ofReseller, resellerParams } from '../resellers/index.ts'
import { searchText } from '../user-details/index.ts'
import { dateTime, dateTimeText, id, idListText, route } from '../wire/index.ts'

/** Categories of actions, in menu order. */
export const auditGroups = [
  'signIn',
  'video',
  'cameras',
  'zones',
  'users',
  'account',
  'support',
  'apiKeys',
  'auditLog',
  'dealer',
  'other',
] as const
export const auditGroup = z.enum(auditGroups)
export type AuditGroup = z.infer<typeof auditGroup>

const auditFields = {
  auditLogId: id,
  /** The account whose log contains the entry; for staff, the reseller, distributor or provider. */
  accountId: id,
  time: dateTime,
  /** The user of the action; null if unknown, for example after a failed sign-in. */
  userId: z.nullable(id),
  /** That user's name at the time; in a support session, the staff member's. Null if unknown or erased. */
  user: z.nullable(z.string()),
  /** The action: the name of the call, or `login`, `logout`, `live`, `play` … */
  action: z.string(),
  group: auditGroup,
  /** The target of the action, and its current name if it exists and the reader has access to it. */
  target: z.nullable(z.object({ kind: z.string(), id, name: z.nullable(z.string()) })),
  /** The target, if it is a camera. */
  cameraId: z.nullable(id),
  camera: z.nullable(z.string()),
  address: z.nullable(z.string()),
  clientId: z.nullable(z.string()),
  supportSession: z.boolean(),
  /** The member of support or dealer who acted, in a support session or from outside the account. */
  staff: z.nullable(z.object({ staffId: id, name: z.nullable(z.string()) })),
  apiKeyId: z.nullable(id),
  /** Whether it is in the chain, which reveals every later change. Entries are chained within seconds. */
  sealed: z.boolean(),
  /** Its number in that chain, from 1. */
  sequence: z.nullable(z.int()),
}

/** An audit log entry without the changed values: what staff can read (security.md: metadata only). */
export const auditLogMetadata = z.object(auditFields)
export type AuditLogMetadata = z.infer<typeof auditLogMetadata>

/** An audit log entry (api.md §20). */
export const auditLog = z.object({
  ...auditFields,
  /** The changed values before and after, never secrets; null if there are none. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditLog = z.infer<typeof auditLog>

/** Names of actions separated by commas, at most 50. */
const actionListText = z.pipe(
  z.string().check(z.regex(/^([A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49})?$/)),
  z.transform((text) => (text === '' ? [] : text.split(','))),
)

const auditQuery = {
  /** Earliest time, inclusive. */
  from: z.optional(dateTimeText),
  /** Latest time, exclusive. */
  till: z.optional(dateTimeText),
  userIds: z.optional(idListText),
  cameraIds: z.optional(idListText),
  actions: z.optional(actionListText),
  /** Only actions of support and dealers. */
  staffOnly: z.optional(z.enum(['true', 'false'])),
  /** Part of the name of a person or camera, of an action or an address; case-insensitive. */
  q: z.optional(searchText(64)),
}
const idsOfQuery = { 'query.userIds': 'user', 'query.cameraIds': 'camera' } as const

/** Newest first, or as `sort` says. `X-Total-Count` is at most 10,000, even if there are more. */
const auditList = { key: 'auditLogId', sort: ['-time'], defaultLimit: 100, pagedBy: 'store' } as const
export const MAX_COUNTED = 10_000
export const MAX_EXPORTED = 100_000

export const getAuditLogs = route({
  name: 'getAuditLogs',
  summary:
    'List the audit log of the account, newest first; camera entries only for cameras the caller can access; X-Total-Count stops at 10,000',
  method: 'GET',
  path: 'auditLogs',
  access: 'tenant',
  right: 'viewUserSettings',
  apiKey: 'no',
  support: 'yes',
  ids: idsOfQuery,
  query: z.object(auditQuery),
  visitor: 'no',
  reply: z.array(auditLog),
  list: auditList,
  errors: ['validation', 'timedOut'],
})

export const getAuditActions = route({
  name: 'getAuditActions',
  summary: 'List the actions recorded in the audit log',
  method: 'GET',
  path: 'auditLogs/actions',
  access: 'tenant',
  right: 'viewUserSettings',
  apiKey: 'no',
  support: 'yes',
  visitor: 'no',
  reply: z.array(z.object({ action: z.string(), group: auditGroup })),
  list: { key: 'action', sort: ['action', 'group'], defaultLimit: 'all' },
  errors: ['validation'],
})

export const getAuditExport = route({
  name: 'getAuditExport',
  summary:
    'Export the audit log as a file, newest first: up to 100,000 entries; X-Truncated and the last line show if there are more',
  method: 'GET',
  path: 'auditLogs/export',
  access: 'tenant',
  right: 'viewUserSettings',
  apiKey: 'no',
  support: 'no',
  ids: idsOfQuery,
  query: z.object({ ...auditQuery, format: z.optional(z.enum(['csv', 'json'])) }),
  media: ['text/csv', 'application/json'],
  visitor: 'no',
  reply: z.unknown(),
  errors: ['validation', 'timedOut'],
})

export const getResellerAuditLogs = route({
  name: 'getResellerAuditLogs',
  summary: 'List the audit log of a reseller’s staff, without the changed values',
  method: 'GET',
  path: 'resellers/{resellerId}/auditLogs',
  access: 'object',
  callers: 'staff',
  permission: 'viewAuditLogs',
  support: 'no',
  ids: { ...ofReseller, ...idsOfQuery },
  params: resellerParams,
  query: z.object(auditQuery),
  reply: z.array(auditLogMetadata),
  list: auditList,
  errors: ['notFound', 'validation', 'timedOut'],
})

export const getAccountAuditLogs = route({
  name: 'getAccountAuditLogs',
  summary: 'List the audit log of an account for its dealer, without the changed values',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}/auditLogs',
  access: 'object',
  callers: 'staff',
  permission: 'viewAuditLogs',
  support: 'no',
  ids: { ...ofAccount, ...idsOfQuery },
  params: accountParams,
  query: z.object(auditQuery),
  reply: z.array(auditLogMetadata),
  list: auditList,
  errors: ['notFound', 'validation', 'timedOut'],
})
