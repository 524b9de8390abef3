import type { ScopedCamera } from '@sightline/contract/rights'
import type { Tx } from '@sightline/platform/db'
import { buildMember, type MemberCaller } from '@sightline/platform/sessions'
import { owesAgreement } from '../agreements/index.ts'
import { accessibleCameras } from '../cameras/index.ts'
import { findProfile } from '../permission-profiles/index.ts'
import type { StoredUser } from '../sub-users/index.ts'
import type { ExplainedUser } from './rules.ts'

/** A user of the account as authorization would see them if they were signed in to one of our applications. */
export async function loadExplained(
  tx: Tx,
  { row, access }: StoredUser,
  legalFolder: string | undefined,
): Promise<ExplainedUser> {
  const brand = await tx
    .selectFrom('resellers')
    .select('modules')
    .where('reseller_id', '=', row.reseller_id)
    .executeTakeFirstOrThrow()
  const account = await tx
    .selectFrom('accounts')
    .select('sub_users_barred')
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const member = buildMember(
    {
      ...row,
      grants: row.rights,
      modules: brand.modules,
      barred: account.sub_users_barred && row.user_id !== row.account_id,
      camera_ids: [...access.cameraIds],
      zone_ids: [...access.zoneIds],
    },
    { scopes: ['read', 'write'], support: undefined, apiKeyId: undefined, provisioning: false, isGuest: false },
  )
  const owed = await owesAgreement(tx, member, legalFolder)
  return { member: { ...member, owesAgreement: owed }, isBlocked: row.blocked, profile: await loadProfile(tx, row) }
}

export async function loadProfile(
  tx: Tx,
  { account_id, permission_profile_id }: StoredUser['row'],
): Promise<ExplainedUser['profile']> {
  if (permission_profile_id === null) return undefined
  const profile = await findProfile(tx, { accountId: account_id, permissionProfileId: permission_profile_id })
  if (profile === undefined) return undefined
  return { id: profile.permissionProfileId, name: profile.name, rights: new Set(profile.rights) }
}

export interface ExplainableCamera extends ScopedCamera {
  readonly name: string
  readonly zoneName: string
}

/** The cameras in the caller's scope, by zone and name; explanations cover only these. */
export async function namedCameras(tx: Tx, caller: MemberCaller): Promise<readonly ExplainableCamera[]> {
  const rows = await accessibleCameras(tx, caller)
    .innerJoin('zones', (join) =>
      join.onRef('zones.account_id', '=', 'cameras.account_id').onRef('zones.zone_id', '=', 'cameras.zone_id'),
    )
    .select(['cameras.account_id', 'cameras.camera_id', 'cameras.zone_id', 'cameras.name', 'zones.name as zone_name'])
    .orderBy('zones.name')
    .orderBy('cameras.name')
    .orderBy('cameras.camera_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    cameraId: row.camera_id,
    zoneId: row.zone_id,
    name: row.name,
    zoneName: row.zone_name,
  }))
}

/** The name of a zone of the account. */
export async function zoneName(tx: Tx, accountId: number, zoneId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('zones')
    .select('name')
    .where('account_id', '=', accountId)
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  return row?.name
}
