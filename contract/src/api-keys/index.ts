// One table: the same six calls for an account and for a reseller.
import * as z from 'zod/mini'
import { checkedText } from '../user-details/index.ts'
import { dateTime, dateTimeText, id, idText, nothing, route } from '../wire/index.ts'
import { allowedAddressProblem, apiKeyNameProblem, MAX_ALLOWED_ADDRESSES } from './rules.ts'

export { allowedAddressProblem, apiKeyNameProblem, MAX_ALLOWED_ADDRESSES, MAX_API_KEYS } from './rules.ts'

export const apiKeyScope = z.enum(['read', 'write'])
export type ApiKeyScope = z.infer<typeof apiKeyScope>

/** A client of the token endpoint that acts for one person without their presence (api.md §17). */
export const apiKey = z.object({
  apiKeyId: id,
  /** The `client_id` at `/oauth/token`. */
  clientId: z.string(),
  name: z.string(),
  scopes: z.array(apiKeyScope),
  grants: z.array(z.literal('client_credentials')),
  provisioning: z.boolean(),
  /** The person who created it. The key acts for them, with their current rights. */
  actsAs: z.object({ userId: id, name: z.string() }),
  createdAt: dateTime,
  /** Null means no expiry. */
  expiresAt: z.nullable(dateTime),
  /** IP addresses and CIDR ranges; an empty list allows all. */
  allowedAddresses: z.array(z.string()),
  /** When it last got a token, to the minute; null if it never did. */
  lastUsed: z.nullable(dateTime),
  /** Until then the previous secret is valid too; null if only the current one is. */
  oldSecretUntil: z.nullable(dateTime),
})
export type ApiKey = z.infer<typeof apiKey>

/** The secret is only in this response. */
export const apiKeyWithSecret = z.extend(apiKey, { clientSecret: z.string() })
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecret>

const scopes = z.array(apiKeyScope).check(z.minLength(1, 'At least one of read and write'), z.maxLength(2))
const allowedAddresses = z.array(checkedText(allowedAddressProblem)).check(z.maxLength(MAX_ALLOWED_ADDRESSES))

export const newApiKey = z.object({
  name: checkedText(apiKeyNameProblem),
  /** Default: `read`. */
  scopes: z.optional(scopes),
  provisioning: z.optional(z.boolean()),
  expiresAt: z.optional(z.nullable(dateTimeText)),
  allowedAddresses: z.optional(allowedAddresses),
  grants: z.optional(z.array(z.literal('client_credentials', 'An API key takes client_credentials only'))),
  redirectUris: z.optional(
    z.array(z.string()).check(z.maxLength(0, 'An API key has no pages: the operator registers applications')),
  ),
})
export type NewApiKey = z.input<typeof newApiKey>

export const apiKeyPatch = z.partial(
  z.object({
    name: checkedText(apiKeyNameProblem),
    scopes,
    provisioning: z.boolean(),
    expiresAt: z.nullable(dateTimeText),
    allowedAddresses,
  }),
)
export type ApiKeyPatch = z.input<typeof apiKeyPatch>

export const rotation = z.object({
  /** For a compromised secret: it and its tokens end immediately, instead of after 24 hours. */
  endOldSecret: z.optional(z.boolean()),
})

const SECRET_IS_KEPT_NOWHERE = 'the reply holds a secret that is kept nowhere'
const NAME_IS_TAKEN = `${SECRET_IS_KEPT_NOWHERE}, and a second key of that name is refused`
const OLD_ONE_GOES_ON = `${SECRET_IS_KEPT_NOWHERE}, and the secret in use stays good for its 24 hours`
const list = { key: 'apiKeyId', sort: ['name', 'createdAt', 'lastUsed', 'expiresAt'], defaultLimit: 'all' } as const

const byOwner = {
  plane: 'auth',
  access: 'tenant',
  superUserOnly: true,
  apiKey: 'no',
  support: 'no',
  operation: 51,
} as const
const ofOwner = { ids: { 'params.apiKeyId': 'apiKey' }, params: z.object({ apiKeyId: idText }) } as const

export const getApiKeys = route({
  ...byOwner,
  name: 'getApiKeys',
  summary: 'The API keys of the account',
  method: 'GET',
  path: 'apiKeys',
  visitor: 'no',
  reply: z.array(apiKey),
  list,
  errors: [],
})

export const postApiKey = route({
  ...byOwner,
  name: 'postApiKey',
  summary: 'A new API key that acts as the owner of the account; its secret is shown this once',
  method: 'POST',
  path: 'apiKeys',
  body: newApiKey,
  reply: apiKeyWithSecret,
  status: 201,
  created: 'apiKeys/{apiKeyId}',
  notReplayed: NAME_IS_TAKEN,
  errors: ['validation', 'duplicate', 'businessRule'],
})

export const getApiKey = route({
  ...byOwner,
  ...ofOwner,
  name: 'getApiKey',
  summary: 'One API key of the account',
  method: 'GET',
  path: 'apiKeys/{apiKeyId}',
  visitor: 'no',
  reply: apiKey,
  errors: ['notFound'],
})

export const patchApiKey = route({
  ...byOwner,
  ...ofOwner,
  name: 'patchApiKey',
  summary: 'Changes what an API key may do; with a scope taken away its tokens end',
  method: 'PATCH',
  path: 'apiKeys/{apiKeyId}',
  body: apiKeyPatch,
  reply: apiKey,
  errors: ['validation', 'notFound', 'duplicate'],
})

export const deleteApiKey = route({
  ...byOwner,
  ...ofOwner,
  name: 'deleteApiKey',
  summary: 'Ends an API key and its tokens at once',
  method: 'DELETE',
  path: 'apiKeys/{apiKeyId}',
  endsAccess: true,
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})

export const rotateApiKey = route({
  ...byOwner,
  ...ofOwner,
  name: 'rotateApiKey',
  summary: 'A new secret, shown this once; the one in use goes on for 24 hours',
  method: 'POST',
  path: 'apiKeys/{apiKeyId}/rotate',
  body: z.optional(rotation),
  reply: apiKeyWithSecret,
  notReplayed: OLD_ONE_GOES_ON,
  errors: ['validation', 'notFound'],
})

const byStaff = {
  plane: 'auth',
  access: 'object',
  callers: 'staff',
  permission: 'manageApiKeys',
  apiKey: 'no',
  support: 'no',
  operation: 51,
} as const
const ofReseller = { ids: { 'params.resellerId': 'reseller' }, params: z.object({ resellerId: idText }) } as const
const ofStaff = {
  ids: { 'params.resellerId': 'reseller', 'params.apiKeyId': 'apiKey' },
  params: z.object({ resellerId: idText, apiKeyId: idText }),
} as const

export const getResellerApiKeys = route({
  ...byStaff,
  ...ofReseller,
  name: 'getResellerApiKeys',
  summary: 'The API keys of a reseller, whoever of its staff made them',
  method: 'GET',
  path: 'resellers/{resellerId}/apiKeys',
  reply: z.array(apiKey),
  list,
  errors: ['notFound'],
})

export const postResellerApiKey = route({
  ...byStaff,
  ...ofReseller,
  name: 'postResellerApiKey',
  summary: 'A new API key that acts as whoever of the reseller’s staff makes it; its secret is shown this once',
  method: 'POST',
  path: 'resellers/{resellerId}/apiKeys',
  body: newApiKey,
  reply: apiKeyWithSecret,
  status: 201,
  created: 'resellers/{resellerId}/apiKeys/{apiKeyId}',
  notReplayed: NAME_IS_TAKEN,
  errors: ['validation', 'notFound', 'duplicate', 'businessRule'],
})

export const getResellerApiKey = route({
  ...byStaff,
  ...ofStaff,
  name: 'getResellerApiKey',
  summary: 'One API key of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/apiKeys/{apiKeyId}',
  reply: apiKey,
  errors: ['notFound'],
})

export const patchResellerApiKey = route({
  ...byStaff,
  ...ofStaff,
  name: 'patchResellerApiKey',
  summary: 'Changes what an own API key may do; with a scope taken away its tokens end',
  method: 'PATCH',
  path: 'resellers/{resellerId}/apiKeys/{apiKeyId}',
  body: apiKeyPatch,
  reply: apiKey,
  errors: ['validation', 'notFound', 'duplicate'],
})

export const deleteResellerApiKey = route({
  ...byStaff,
  ...ofStaff,
  name: 'deleteResellerApiKey',
  summary: 'Ends an API key of a reseller and its tokens at once, whoever of its staff made it',
  method: 'DELETE',
  path: 'resellers/{resellerId}/apiKeys/{apiKeyId}',
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})

export const rotateResellerApiKey = route({
  ...byStaff,
  ...ofStaff,
  name: 'rotateResellerApiKey',
  summary: 'A new secret of an own API key, shown this once; the one in use goes on for 24 hours',
  method: 'POST',
  path: 'resellers/{resellerId}/apiKeys/{apiKeyId}/rotate',
  body: z.optional(rotation),
  reply: apiKeyWithSecret,
  notReplayed: OLD_ONE_GOES_ON,
  errors: ['validation', 'notFound'],
})
