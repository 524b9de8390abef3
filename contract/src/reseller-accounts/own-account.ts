import * as z from 'zod/mini'
import { contactDetails, contactDetailsPatch } from '../resellers/index.ts'
import { idText, route } from '../wire/index.ts'

const ownAccount = {
  access: 'object',
  superUserOnly: true,
  ids: { 'params.accountId': 'account' },
  params: z.object({ accountId: z.union([z.literal('self'), idText]) }),
} as const

export const getAccountDetails = route({
  ...ownAccount,
  name: 'getAccountDetails',
  summary: 'Whom to turn to about the own account',
  method: 'GET',
  path: 'accounts/{accountId}/details',
  support: 'yes',
  reply: contactDetails,
  errors: ['notFound'],
})

export const patchAccountDetails = route({
  ...ownAccount,
  name: 'patchAccountDetails',
  summary: 'Changes contact and address of the own account; null or an empty text clears a part',
  method: 'PATCH',
  path: 'accounts/{accountId}/details',
  apiKey: 'no',
  support: 'no',
  body: contactDetailsPatch,
  reply: contactDetails,
  errors: ['validation', 'notFound'],
})
