import * as z from 'zod/mini'
import { ofReseller, organisationIdText, resellerParams } from '../resellers/index.ts'
import { HIDDEN_CHARACTERS, steersText } from '../user-details/index.ts'
import { id, idText, route } from '../wire/index.ts'

export {
  changeSubscription,
  type DueChange,
  getDueChange,
  givesMore,
  onDay,
  type PackageFacts,
  type ProlongState,
  prolongState,
  type SubscriptionAction,
  type SubscriptionChange,
  type SubscriptionState,
  subscriptionActions,
} from './rules.ts'

/** Video quality: VGA, 720p, 1080p, and camera management without storage (specification §9). */
export const qualities = ['SD1', 'HD1', 'HD2', 'CM10'] as const
export const quality = z.enum(qualities)

/** `yyyy-mm-dd` */
export const date = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

const packageFields = {
  name: z.string(),
  /** A custom package has a null sku, quality or retention; its name ends in `_<number of cameras>`. */
  sku: z.nullable(z.string()),
  quality: z.nullable(quality),
  /** Hours: days times 24. */
  retention: z.nullable(z.int()),
  maxAmountOfCameras: z.nullable(z.int()),
  maxAmountOfDevices: z.nullable(z.int()),
  /** Bytes of footage; beyond it, the oldest that isn't locked is deleted. */
  maxStorageBytes: z.nullable(z.int()),
  /** Can be chosen. */
  available: z.boolean(),
  /** Can be renewed by accounts that have it. */
  valid: z.boolean(),
}

/** A package that can be subscribed to; responses contain old and new field names (decision 4). */
export const subscriptionPackage = z.object({
  subscriptionId: id,
  subscriptionPackageId: id,
  ...packageFields,
  /** The billing name; for dealers only. */
  priceReference: z.optional(z.nullable(z.string())),
  sortOrder: z.int(),
})
export type SubscriptionPackage = z.infer<typeof subscriptionPackage>

/** An account's subscription, merged with its package. `-1` means none: it ends on the last day. */
export const accountSubscription = z.object({
  subscriptionPackageId: id,
  subscriptionId: id,
  nextSubscriptionPackageId: z.int(),
  nextSubscriptionId: z.int(),
  startDate: date,
  /** The last day, in the account's time zone. */
  endDate: date,
  /** Months. */
  contractPeriod: z.int(),
  ...packageFields,
})
export type AccountSubscription = z.infer<typeof accountSubscription>

/** The current or next package; a next one of `-1` means none. Either field name is accepted (decision 4). */
export const subscriptionChoice = z
  .partial(
    z.strictObject({
      subscriptionId: id,
      subscriptionPackageId: id,
      nextSubscriptionId: z.union([id, z.literal(-1)]),
      nextSubscriptionPackageId: z.union([id, z.literal(-1)]),
    }),
  )
  .check(
    z.refine(
      (given) => new Set(Object.values(given).filter((value) => value !== undefined)).size === 1,
      'send exactly one package, or -1 for none',
    ),
  )
export type SubscriptionChoice = z.infer<typeof subscriptionChoice>

const accountIdText = z.union([z.literal('self'), idText])
const ownAccount = z.object({ accountId: accountIdText })
const accountParams = z.object({ resellerId: organisationIdText, accountId: accountIdText })
const ofAccount = { ...ofReseller, 'params.accountId': 'account' } as const
const offered = z.partial(z.object({ available: z.enum(['true', 'false']), valid: z.enum(['true', 'false']) }))
const packageList = {
  key: 'subscriptionPackageId',
  sort: ['sortOrder', 'name', 'subscriptionPackageId'],
  defaultLimit: 'all',
} as const

export const getCurrentSubscription = route({
  name: 'getCurrentSubscription',
  summary: 'Get the subscription of the account with its package',
  method: 'GET',
  path: 'accounts/{accountId}/subscriptions/current',
  access: 'object',
  callers: 'both',
  permission: 'viewAccounts',
  support: 'yes',
  ids: { 'params.accountId': 'account' },
  params: ownAccount,
  reply: accountSubscription,
  errors: ['notFound'],
})

export const getSubscriptions = route({
  name: 'getSubscriptions',
  summary: 'List the packages that the brand offers; for staff, and for owners who can manage their own subscription',
  method: 'GET',
  path: 'accounts/{accountId}/subscriptions',
  access: 'object',
  callers: 'both',
  permission: 'viewAccounts',
  superUserOnly: true,
  support: 'yes',
  ids: { 'params.accountId': 'account' },
  params: ownAccount,
  query: offered,
  reply: z.array(subscriptionPackage),
  list: packageList,
  errors: ['notFound'],
})

export const getAccountSubscriptions = route({
  name: 'getAccountSubscriptions',
  summary: 'List the packages available to an account of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}/subscriptions',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofAccount,
  params: accountParams,
  query: offered,
  reply: z.array(subscriptionPackage),
  list: packageList,
  errors: ['notFound'],
})

export const getAccountSubscription = route({
  name: 'getAccountSubscription',
  summary: 'Get the subscription of an account of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}/subscriptions/current',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofAccount,
  params: accountParams,
  reply: accountSubscription,
  errors: ['notFound'],
})

export const patchSubscription = route({
  name: 'patchSubscription',
  summary: 'Change the subscription: choose a package, renew, cancel a downgrade, or let it end',
  method: 'PATCH',
  path: 'resellers/{resellerId}/accounts/{accountId}/subscriptions/current',
  access: 'object',
  callers: 'both',
  superUserOnly: true,
  activeAccountOnly: true,
  permission: 'manageSubscriptions',
  apiKey: 'provisioning',
  support: 'no',
  ids: {
    ...ofAccount,
    'body.subscriptionId': 'subscriptionPackage',
    'body.subscriptionPackageId': 'subscriptionPackage',
    'body.nextSubscriptionId': 'subscriptionPackage',
    'body.nextSubscriptionPackageId': 'subscriptionPackage',
  },
  params: accountParams,
  body: subscriptionChoice,
  reply: accountSubscription,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const getSubscriptionPackages = route({
  name: 'getSubscriptionPackages',
  summary: 'List the packages of a reseller, including unavailable ones',
  method: 'GET',
  path: 'resellers/{resellerId}/subscriptionPackages',
  access: 'object',
  callers: 'staff',
  permission: 'viewAccounts',
  support: 'no',
  ids: ofReseller,
  params: resellerParams,
  reply: z.array(subscriptionPackage),
  list: packageList,
  errors: ['notFound'],
})

const count = z.int().check(z.gte(0), z.lte(100_000))
const shortText = z.string().check(
  z.minLength(1),
  z.maxLength(64),
  z.refine((text) => !steersText(text), HIDDEN_CHARACTERS),
)

export const newPackage = z.object({
  name: z.string().check(
    z.minLength(1),
    z.maxLength(128),
    z.refine((text) => !steersText(text), 'Please enter a valid name'),
  ),
  sku: z.nullable(shortText),
  quality: z.nullable(quality),
  /** Hours, at most two years. */
  retention: z.nullable(z.int().check(z.gte(0), z.lte(730 * 24))),
  maxAmountOfCameras: z.nullable(count),
  maxAmountOfDevices: z.optional(z.nullable(count)),
  /** Bytes of footage, at most 1 PB; null: as much as the server has room for. */
  maxStorageBytes: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(10 ** 15)))),
  available: z.optional(z.boolean()),
  valid: z.optional(z.boolean()),
  priceReference: z.optional(z.nullable(shortText)),
  sortOrder: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
})
export type NewPackage = z.infer<typeof newPackage>

export const putSubscriptionPackage = route({
  name: 'putSubscriptionPackage',
  summary: 'Create or replace a package of a reseller under an id from the price list',
  method: 'PUT',
  path: 'resellers/{resellerId}/subscriptionPackages/{subscriptionPackageId}',
  access: 'object',
  callers: 'staff',
  level: 'distributor',
  permission: 'manageSubscriptions',
  apiKey: 'no',
  support: 'no',
  ids: { ...ofReseller, 'params.subscriptionPackageId': 'subscriptionPackage' },
  params: z.object({ resellerId: organisationIdText, subscriptionPackageId: idText }),
  body: newPackage,
  reply: subscriptionPackage,
  errors: ['validation', 'notFound', 'businessRule'],
})
