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
  grants: z.optional(z.array(z.literal('client_credentials', 'API keys support only client_credentials'))),
  redirectUris: z.optional(
    z
      .array(z.string())
      .check(
        z.maxLength(0, 'API keys have no redirect addresses: ask the operator to register an application instead'),
      ),
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

const SECRET_IS_KEPT_NOWHERE = 'the reply contains a secret that isn’t stored'
const NAME_IS_TAKEN = `${SECRET_IS_KEPT_NOWHERE}, and a second key with the same name is rejected`
const OLD_ONE_GOES_ON = `${SECRET_IS_KEPT_NOWHERE}, and the previous secret still works for 24 hours`
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
  summary: 'List the API keys of the account',
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
  summary: 'Create an API key that acts as the account owner; the secret is returned only once',
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
  summary: 'Get an API key of the account',
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
  summary: 'Update an API key; removing a scope revokes its tokens',
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
  summary: 'Delete an API key and revoke its tokens immediately',
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
  summary: 'Create a new secret for an API key, returned only once; the previous secret works for another 24 hours',
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
  summary: 'List the API keys of a reseller, created by any of its staff',
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
  summary:
    'Create an API key that acts as the reseller’s staff member who creates it; the secret is returned only once',
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
  summary: 'Get an API key of a reseller',
  method: 'GET',
  path: 'resellers/{resellerId}/apiKeys/{apiKeyId}',
  reply: apiKey,
  errors: ['notFound'],
})

export const patchResellerApiKey = route({
  ...byStaff,
  ...ofStaff,
  name: 'patchResellerApiKey',
  summary: 'Update one of your own API keys; removing a scope revokes its tokens',
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
  summary: 'Delete an API key of a reseller, created by any of its staff, and revoke its tokens immediately',
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
  summary:
    'Create a new secret for one of your own API keys, returned only once; the previous secret works for another 24 hours',
  method: 'POST',
  path: 'resellers/{resellerId}/apiKeys/{apiKeyId}/rotate',
  body: z.optional(rotation),
  reply: apiKeyWithSecret,
  notReplayed: OLD_ONE_GOES_ON,
  errors: ['validation', 'notFound'],
})
