import * as z from 'zod/mini'
import { ofReseller, organisationIdText, resellerParams } from '../resellers/index.ts'
import { checkedText } from '../user-details/index.ts'
import { dateTime, nothing, route } from '../wire/index.ts'
import { brandHostProblem } from './rules.ts'

export { brandHostProblem, hostInText, MAX_BRAND_HOSTS, normalBrandHost } from './rules.ts'

/** A host at which a brand is seen and its people sign in. */
export const brandHost = z.object({
  /** As in the Host header, lower case, with the port when it isn't the scheme's own. */
  host: z.string(),
  createdAt: dateTime,
})
export type BrandHost = z.infer<typeof brandHost>

const ofBrand = {
  access: 'object',
  callers: 'staff',
  permission: 'whiteLabel',
  module: 'whiteLabel',
  support: 'no',
  ids: ofReseller,
} as const
/** A host decides whose customers sign in there, so the reseller's own staff doesn't choose it (docs/decisions/0062). */
const changing = { ...ofBrand, level: 'distributor', apiKey: 'no' } as const

const hostParams = z.object({
  resellerId: organisationIdText,
  host: z.string().check(z.minLength(1), z.maxLength(259)),
})

export const getBrandHosts = route({
  ...ofBrand,
  name: 'getBrandHosts',
  summary: 'The hosts of a brand',
  method: 'GET',
  path: 'resellers/{resellerId}/hosts',
  params: resellerParams,
  reply: z.array(brandHost),
  list: { key: 'host', sort: ['host', 'createdAt'], defaultLimit: 'all' },
  errors: ['notFound'],
})

export const getBrandHost = route({
  ...ofBrand,
  name: 'getBrandHost',
  summary: 'Get a host of a brand',
  method: 'GET',
  path: 'resellers/{resellerId}/hosts/{host}',
  params: hostParams,
  reply: brandHost,
  errors: ['notFound'],
})

export const addBrandHost = route({
  ...changing,
  name: 'addBrandHost',
  summary: 'Adds a host to a brand, which no other brand may have; it shows the brand within seconds',
  method: 'POST',
  path: 'resellers/{resellerId}/hosts',
  params: resellerParams,
  body: z.object({ host: checkedText(brandHostProblem) }),
  reply: brandHost,
  status: 201,
  created: 'resellers/{resellerId}/hosts/{host}',
  errors: ['validation', 'notFound', 'duplicate', 'businessRule'],
})

export const deleteBrandHost = route({
  ...changing,
  name: 'deleteBrandHost',
  summary: 'Removes a host from a brand; it shows the provider’s own look within seconds',
  method: 'DELETE',
  path: 'resellers/{resellerId}/hosts/{host}',
  params: hostParams,
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})
