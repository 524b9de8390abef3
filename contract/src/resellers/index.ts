import * as z from 'zod/mini'
import { modules } from '../rights/index.ts'
import { brandTheme, tokenLifetimes } from '../theme/index.ts'
import { steersText } from '../user-details/index.ts'
import { dateTime, id, nothing, route } from '../wire/index.ts'
import {
  contactDetails,
  contactDetailsPatch,
  distributorParams,
  ofDistributor,
  organisationIdText,
  organisationName,
  zohoId,
} from './organisation.ts'

export {
  type ContactDetails,
  type ContactDetailsPatch,
  contactDetails,
  contactDetailsPatch,
  countryCode,
  distributorParams,
  email,
  ofDistributor,
  organisationIdText,
  organisationName,
  personalContactDetails,
  zohoId,
} from './organisation.ts'

export const resellerParams = z.object({ resellerId: organisationIdText })
export const ofReseller = { 'params.resellerId': 'reseller' } as const

/** An organization that sells the service under its own brand (specification §3 "Reseller"). */
export const reseller = z.object({
  resellerId: id,
  distributorId: id,
  name: z.string(),
  modules,
  contactDetails,
  zohoId: z.nullable(z.string()),
  /** The default of new accounts. */
  timeZone: z.string(),
  /** Sub-users of each account without its own limit. */
  maxSubUsers: z.int(),
  accounts: z.int(),
  createdAt: dateTime,
})
export type Reseller = z.infer<typeof reseller>

const timeZone = z.string().check(z.minLength(1), z.maxLength(64))
const maxSubUsers = z.int().check(z.gte(0), z.lte(100_000))
const modulesPatch = z.partial(modules)

export const newReseller = z.object({
  name: organisationName,
  contactDetails: z.optional(contactDetailsPatch),
  zohoId: z.optional(z.nullable(zohoId)),
  timeZone: z.optional(timeZone),
  maxSubUsers: z.optional(maxSubUsers),
  /** Modules that aren't listed are off. */
  modules: z.optional(modulesPatch),
})
export type NewReseller = z.infer<typeof newReseller>

export const resellerPatch = z.partial(
  z.object({
    name: organisationName,
    contactDetails: contactDetailsPatch,
    zohoId: z.nullable(zohoId),
    timeZone,
    maxSubUsers,
  }),
)
export type ResellerPatch = z.infer<typeof resellerPatch>

const reading = { access: 'object', callers: 'staff', support: 'no', ids: ofReseller, params: resellerParams } as const
const changing = { ...reading, level: 'distributor', apiKey: 'no' } as const
const ofBrand = { permission: 'whiteLabel', module: 'whiteLabel' } as const

export const getResellers = route({
  name: 'getResellers',
  summary: 'List the resellers of a distributor',
  method: 'GET',
  path: 'distributors/{distributorId}/resellers',
  access: 'object',
  callers: 'staff',
  level: 'distributor',
  support: 'no',
  ids: ofDistributor,
  params: distributorParams,
  reply: z.array(reseller),
  list: { key: 'resellerId', sort: ['name', 'resellerId', 'createdAt', 'accounts'], defaultLimit: 100 },
  errors: ['notFound'],
})

export const addReseller = route({
  name: 'addReseller',
  summary: 'Create a reseller',
  method: 'POST',
  path: 'distributors/{distributorId}/resellers',
  access: 'object',
  callers: 'staff',
  level: 'distributor',
  apiKey: 'no',
  support: 'no',
  operation: 150,
  ids: ofDistributor,
  params: distributorParams,
  body: newReseller,
  reply: reseller,
  status: 201,
  created: 'resellers/{resellerId}',
  errors: ['validation', 'notFound', 'duplicate'],
})

export const getReseller = route({
  name: 'getReseller',
  summary: 'Get a reseller with its modules',
  method: 'GET',
  path: 'resellers/{resellerId}',
  ...reading,
  reply: reseller,
  errors: ['notFound'],
})

export const patchReseller = route({
  name: 'patchReseller',
  summary: 'Update the name, contact, time zone or limits of a reseller',
  method: 'PATCH',
  path: 'resellers/{resellerId}',
  ...changing,
  operation: 150,
  body: resellerPatch,
  reply: reseller,
  errors: ['validation', 'notFound', 'duplicate', 'businessRule'],
})

export const deleteReseller = route({
  name: 'deleteReseller',
  summary: 'Delete a reseller with its staff and packages; not possible while it has accounts or its own hosts',
  method: 'DELETE',
  path: 'resellers/{resellerId}',
  ...changing,
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
})

export const patchModules = route({
  name: 'patchModules',
  summary: 'Turn modules of a reseller on or off; open sessions and streams that depend on them update immediately',
  method: 'PATCH',
  path: 'resellers/{resellerId}/modules',
  ...changing,
  operation: 256,
  body: z.strictObject(modulesPatch.def.shape),
  reply: modules,
  errors: ['validation', 'notFound'],
})

export const getResellerTheme = route({
  name: 'getResellerTheme',
  summary: 'Get the theme of a brand; missing values come from the provider',
  method: 'GET',
  path: 'resellers/{resellerId}/theme',
  ...reading,
  ...ofBrand,
  reply: brandTheme,
  errors: ['notFound'],
})

/** Null restores the provider's value. Colors and links are changed individually. */
export const brandThemePatch = z.partial(
  z.object({
    logo: z.nullable(brandTheme.def.shape.logo),
    logoDark: z.nullable(brandTheme.def.shape.logoDark),
    logoWidth: z.nullable(brandTheme.def.shape.logoWidth),
    logoHeight: z.nullable(brandTheme.def.shape.logoHeight),
    companyName: z.nullable(
      brandTheme.def.shape.companyName.check(
        z.refine((text) => !steersText(text), 'Please enter a valid Company name'),
      ),
    ),
    favicon: brandTheme.def.shape.favicon,
    asksForAgreement: z.boolean(),
    /** Replaced as a whole. */
    tokenLifetimes: z.nullable(tokenLifetimes),
    colors: z.strictObject({
      primary: z.optional(z.nullable(brandTheme.def.shape.colors.def.shape.primary)),
      secondary: z.optional(z.nullable(brandTheme.def.shape.colors.def.shape.primary)),
    }),
    links: z.partial(
      z.strictObject({
        privacyPolicy: z.nullable(brandTheme.def.shape.links.def.shape.privacyPolicy),
        cookies: z.nullable(brandTheme.def.shape.links.def.shape.cookies),
        terms: z.nullable(brandTheme.def.shape.links.def.shape.terms),
        webapp: z.nullable(brandTheme.def.shape.links.def.shape.webapp),
        downloadportal: z.nullable(brandTheme.def.shape.links.def.shape.downloadportal),
        myaccount: z.nullable(brandTheme.def.shape.links.def.shape.myaccount),
        dealerdashboard: z.nullable(brandTheme.def.shape.links.def.shape.dealerdashboard),
        windowsApp: z.nullable(brandTheme.def.shape.links.def.shape.windowsApp),
        macApp: z.nullable(brandTheme.def.shape.links.def.shape.macApp),
        iosApp: z.nullable(brandTheme.def.shape.links.def.shape.iosApp),
        androidApp: z.nullable(brandTheme.def.shape.links.def.shape.androidApp),
        showDownloadPortal: z.boolean(),
        showdealerdashboard: z.boolean(),
      }),
    ),
  }),
)
export type BrandThemePatch = z.infer<typeof brandThemePatch>

export const patchResellerTheme = route({
  name: 'patchResellerTheme',
  summary: 'Update the theme of a brand; its hosts show the change within seconds',
  method: 'PATCH',
  path: 'resellers/{resellerId}/theme',
  ...reading,
  ...ofBrand,
  apiKey: 'no',
  body: brandThemePatch,
  reply: brandTheme,
  errors: ['validation', 'notFound'],
})

export const getTheme = route({
  name: 'getTheme',
  summary: 'Get the theme for a host; the provider’s theme if no brand uses that host',
  method: 'GET',
  path: 'themes/{host}',
  access: 'public',
  support: 'yes',
  params: z.object({ host: z.string().check(z.minLength(1), z.maxLength(259)) }),
  reply: brandTheme,
  // Changes must be visible within seconds.
  keptFor: { seconds: 5 },
  errors: [],
})
