import * as z from 'zod/mini'
import { contactDetails, contactDetailsPatch } from '../resellers/index.ts'
import { idText, route } from '../wire/index.ts'

const ownAccount = {
  access: 'object',
  callers: 'both',
  superUserOnly: true,
  ids: { 'params.accountId': 'account' },
  params: z.object({ accountId: z.union([z.literal('self'), idText]) }),
} as const

export const getAccountDetails = route({
  ...ownAccount,
  name: 'getAccountDetails',
  summary: 'Get the contact and address of the caller’s account; for staff, of any account they can access',
  permission: 'viewAccounts',
  method: 'GET',
  path: 'accounts/{accountId}/details',
  support: 'yes',
  reply: contactDetails,
  errors: ['notFound'],
})

export const patchAccountDetails = route({
  ...ownAccount,
  name: 'patchAccountDetails',
  permission: 'editAccount',
  summary: 'Update the contact and address of the account; null or an empty string clears a field',
  method: 'PATCH',
  path: 'accounts/{accountId}/details',
  apiKey: 'no',
  support: 'no',
  body: contactDetailsPatch,
  reply: contactDetails,
  errors: ['validation', 'notFound'],
})
