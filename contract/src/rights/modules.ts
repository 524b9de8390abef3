import * as z from 'zod/mini'
import type { Right } from './rights.ts'

/** What a distributor switches on for a reseller's brand (api.md §7); what is not named is off. */
export const allModules = [
  'generateAccessToken',
  'selfServiceManagement',
  'mobileSubscriptions',
  'deviceIO',
  'bodyCams',
  'reports',
  'whiteLabel',
] as const
export type Module = (typeof allModules)[number]

/** Rights that mean nothing while the brand's module is off, however they are switched. */
export const moduleOfRight: Partial<Readonly<Record<Right, Module>>> = {
  deviceIORead: 'deviceIO',
  deviceIOWrite: 'deviceIO',
}

export const modules = z.object(
  Object.fromEntries(allModules.map((module) => [module, z.boolean()])) as Record<Module, z.ZodMiniBoolean>,
)
export type Modules = z.infer<typeof modules>

/** The modules that are on, of the object that a reseller is stored with. */
export const listActiveModules = (stored: Readonly<Record<string, unknown>>): ReadonlySet<Module> =>
  new Set(allModules.filter((module) => stored[module] === true))
