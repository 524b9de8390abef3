import * as z from 'zod/mini'
import { accountParams, ofAccount } from '../reseller-accounts/index.ts'
import { checkedText } from '../user-details/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'
import { iccidProblem, skuProblem } from './rules.ts'

export { iccidProblem, normalIccid, skuProblem } from './rules.ts'

/** `ended` is over: its SIM card may be in another subscription. */
export const mobileSubscriptionStatuses = ['active', 'suspended', 'ended'] as const

/** The most of one account, ended ones too. */
export const MAX_MOBILE_SUBSCRIPTIONS = 500

/** A SIM card of an account with its mobile plan, for cameras without another network. */
export const mobileSubscription = z.object({
  mobileSubscriptionId: id,
  /** The number of the SIM card: 18 to 22 digits. */
  iccid: z.string(),
  /** The article number of the mobile plan. */
  sku: z.string(),
  status: z.enum(mobileSubscriptionStatuses),
  startDate: dateTime,
  /** When it ended; null before. */
  endDate: z.nullable(dateTime),
  /** Megabytes used this month; null while no mobile operator reports it. */
  usedMB: z.nullable(z.number()),
})
export type MobileSubscription = z.infer<typeof mobileSubscription>

const ofDealer = { access: 'object', callers: 'staff', module: 'mobileSubscriptions', support: 'no' } as const
const reading = { ...ofDealer, permission: 'viewAccounts', ids: ofAccount } as const
const changing = { ...ofDealer, permission: 'manageSubscriptions', apiKey: 'provisioning' } as const
const ofOne = { ...ofAccount, 'params.mobileSubscriptionId': 'mobileSubscription' } as const

const oneParams = z.extend(accountParams, { mobileSubscriptionId: idText })
const sku = checkedText(skuProblem)

export const getMobileSubscriptions = route({
  ...reading,
  name: 'getMobileSubscriptions',
  summary: 'List the mobile subscriptions of an account',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}/mobileSubscriptions',
  params: accountParams,
  reply: z.array(mobileSubscription),
  list: {
    key: 'mobileSubscriptionId',
    sort: ['startDate', 'iccid', 'sku', 'status', 'mobileSubscriptionId'],
    defaultLimit: 'all',
  },
  errors: ['notFound'],
})

export const getMobileSubscription = route({
  ...reading,
  name: 'getMobileSubscription',
  summary: 'Get a mobile subscription of an account',
  method: 'GET',
  path: 'resellers/{resellerId}/accounts/{accountId}/mobileSubscriptions/{mobileSubscriptionId}',
  ids: ofOne,
  params: oneParams,
  reply: mobileSubscription,
  errors: ['notFound'],
})

export const newMobileSubscription = z.object({ iccid: checkedText(iccidProblem), sku })

export const addMobileSubscription = route({
  ...changing,
  name: 'addMobileSubscription',
  summary: 'Adds a SIM card with its mobile plan to an account; no other active subscription may have the card',
  method: 'POST',
  path: 'resellers/{resellerId}/accounts/{accountId}/mobileSubscriptions',
  operation: 45,
  ids: ofAccount,
  params: accountParams,
  body: newMobileSubscription,
  reply: mobileSubscription,
  status: 201,
  created: 'resellers/{resellerId}/accounts/{accountId}/mobileSubscriptions/{mobileSubscriptionId}',
  errors: ['validation', 'notFound', 'businessRule'],
})

export const mobileSubscriptionPatch = z.partial(z.object({ sku, status: z.enum(mobileSubscriptionStatuses) }))

export const patchMobileSubscription = route({
  ...changing,
  name: 'patchMobileSubscription',
  summary: 'Changes the plan of a mobile subscription, suspends it, resumes it or ends it',
  method: 'PATCH',
  path: 'resellers/{resellerId}/accounts/{accountId}/mobileSubscriptions/{mobileSubscriptionId}',
  operation: 47,
  ids: ofOne,
  params: oneParams,
  body: mobileSubscriptionPatch,
  reply: mobileSubscription,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteMobileSubscription = route({
  ...changing,
  name: 'deleteMobileSubscription',
  summary: 'Removes a mobile subscription from an account; its SIM card can be used again',
  method: 'DELETE',
  path: 'resellers/{resellerId}/accounts/{accountId}/mobileSubscriptions/{mobileSubscriptionId}',
  ids: ofOne,
  params: oneParams,
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})
