import { allModules, allPermissions, type Module, type Permission, type StaffLevel } from '@sightline/contract/rights'
import { foldEmail } from '@sightline/contract/user-details'
import { type Db, type IdSource, instant, PROVIDER_ID } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'

/** Organisations above the accounts, and who works for them. For tests. */
export interface DealerArranger {
  addDistributor(name?: string): Promise<number>
  /** Under distributor 1 and with every module by default. */
  addReseller(given?: { distributorId?: number; name?: string; modules?: readonly Module[] }): Promise<number>
  /** Of reseller 255 under distributor 1 and with every permission by default. */
  addStaff(given?: StaffInput): Promise<{ userId: number; token: string }>
  /** Under reseller 255 by default; 10 cameras, 7 days. */
  addPackage(subscriptionPackageId: number, given?: PackageInput): Promise<void>
}

export interface StaffInput {
  readonly level?: StaffLevel
  readonly resellerId?: number
  readonly distributorId?: number
  readonly permissions?: readonly Permission[]
  /** Those only. */
  readonly accountIds?: readonly number[]
  readonly email?: string
}

interface PackageInput {
  readonly resellerId?: number
  readonly quality?: 'SD1' | 'HD1' | 'HD2' | 'CM10'
  readonly days?: number
  readonly maxCameras?: number
  readonly available?: boolean
  readonly valid?: boolean
}

export function dealerArranger(owner: Db, ids: IdSource): DealerArranger {
  return {
    async addDistributor(name) {
      const distributorId = await ids.next()
      await owner.plain
        .insertInto('distributors')
        .values({ distributor_id: distributorId, name: name ?? `Distributor ${distributorId}` })
        .execute()
      return distributorId
    },
    async addReseller({ distributorId = 1, name, modules = allModules } = {}) {
      const resellerId = await ids.next()
      const switches = JSON.stringify(Object.fromEntries(modules.map((module) => [module, true])))
      await owner.plain
        .insertInto('resellers')
        .values({
          reseller_id: resellerId,
          distributor_id: distributorId,
          name: name ?? `Reseller ${resellerId}`,
          modules: switches,
        })
        .execute()
      return resellerId
    },
    addStaff: (given = {}) => addStaff(owner, ids, given),
    async addPackage(subscriptionPackageId, given = {}) {
      const { resellerId = 255, quality = 'SD1', days = 7, maxCameras = 10, available = true, valid = true } = given
      const sku = `${quality}-${days}-${maxCameras}`
      await owner.plain
        .insertInto('subscription_packages')
        .values({
          reseller_id: resellerId,
          subscription_package_id: subscriptionPackageId,
          name: sku,
          sku,
          quality,
          retention_hours: days * 24,
          max_cameras: maxCameras,
          available,
          valid,
        })
        .execute()
    },
  }
}

async function addStaff(owner: Db, ids: IdSource, given: StaffInput): Promise<{ userId: number; token: string }> {
  const { level = 'reseller', permissions = allPermissions, accountIds } = given
  const userId = await ids.next()
  const resellerId = level === 'reseller' ? (given.resellerId ?? 255) : null
  const distributorId = level === 'admin' ? null : (given.distributorId ?? 1)
  const organisationId = resellerId ?? distributorId ?? PROVIDER_ID
  const email = given.email ?? `staff-${userId}@demo.example`
  await owner.plain
    .insertInto('staff')
    .values({
      user_id: userId,
      level,
      organisation_id: organisationId,
      distributor_id: distributorId,
      reseller_id: resellerId,
      email,
      email_folded: foldEmail(email),
      first_name: 'Stella',
      last_name: 'Staff',
      permissions,
      all_accounts: accountIds === undefined,
    })
    .execute()
  for (const accountId of accountIds ?? []) {
    await owner.plain.insertInto('staff_accounts').values({ user_id: userId, account_id: accountId }).execute()
  }
  const token = `token-${await ids.next()}`
  await owner.plain
    .insertInto('auth.access_sessions')
    .values({
      token_sha256: tokenSha256(token),
      token_id: await ids.next(),
      user_id: userId,
      account_id: organisationId,
      client_id: 'account.v2',
      app_id: 'account.v2',
      scopes: ['read', 'write'],
      expires_at: instant(Date.now() + 3_600_000),
    })
    .execute()
  return { userId, token }
}
