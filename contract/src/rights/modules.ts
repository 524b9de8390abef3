import * as z from 'zod/mini'
import type { Right } from './rights.ts'

/** Features that a distributor turns on for a reseller's brand (api.md §7). Modules that aren't listed are off. */
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

/** Rights without effect while the brand's module is off. */
export const moduleOfRight: Partial<Readonly<Record<Right, Module>>> = {
  deviceIORead: 'deviceIO',
  deviceIOWrite: 'deviceIO',
}

export const modules = z.object(
  Object.fromEntries(allModules.map((module) => [module, z.boolean()])) as Record<Module, z.ZodMiniBoolean>,
)
export type Modules = z.infer<typeof modules>

/** The modules that are on, from a reseller's stored object. */
export const listActiveModules = (stored: Readonly<Record<string, unknown>>): ReadonlySet<Module> =>
  new Set(allModules.filter((module) => stored[module] === true))
