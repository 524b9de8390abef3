import * as z from 'zod/mini'
import { idText, route } from '../wire/index.ts'

/** Whether guests can enter the account without a password (specification §6: a demo user can be made public). */
export const accountVisibility = z.object({ publicDemo: z.boolean() })

export const patchAccountStatus = route({
  name: 'patchAccountStatus',
  summary:
    'Makes a demonstration public, so that anybody may look around it without a password, or ends that with every visit',
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
