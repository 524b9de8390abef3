import * as z from 'zod/mini'
import { idText, route } from '../wire/index.ts'

/** Whether guests can enter the account without a password (specification §6: a demo user can be made public). */
export const accountVisibility = z.object({ publicDemo: z.boolean() })

export const patchAccountStatus = route({
  name: 'patchAccountStatus',
  summary:
    'Make a demo account public, so that anyone can view it without a password, or end public access and all visits',
  method: 'PATCH',
  path: 'accounts/{accountId}/status',
  access: 'object',
  callers: 'staff',
  level: 'admin',
  apiKey: 'no',
  support: 'no',
  ids: { 'params.accountId': 'account' },
  params: z.object({ accountId: idText }),
  body: z.partial(accountVisibility),
  reply: accountVisibility,
  errors: ['validation', 'notFound', 'businessRule'],
})
