import * as z from 'zod/mini'

/** What staff of a reseller, of a distributor or of the provider may do (api.md §2.6 "RS(n)"). */
export const allPermissions = [
  'viewAccounts',
  'addAccount',
  'editAccount',
  'deleteAccount',
  'editAccountUsers',
  'manageSubscriptions',
  'generateAccessToken',
  'manageUsers',
  'manageApiKeys',
  'viewAuditLogs',
  'viewInsights',
  'whiteLabel',
] as const
export type Permission = (typeof allPermissions)[number]

export const permissions = z.object(
  Object.fromEntries(allPermissions.map((permission) => [permission, z.boolean()])) as Record<
    Permission,
    z.ZodMiniBoolean
  >,
)
export type Permissions = z.infer<typeof permissions>

/** A staff member's level in the tree. Each level includes the ones below it, in its own part of the tree. */
export const staffLevels = ['reseller', 'distributor', 'admin'] as const
export type StaffLevel = (typeof staffLevels)[number]

export const isAtLeast = (level: StaffLevel, wanted: StaffLevel): boolean =>
  staffLevels.indexOf(level) >= staffLevels.indexOf(wanted)
