import { randomBytes } from 'node:crypto'
import { foldEmail } from '@sightline/contract/user-details'
import { type Db, type IdSource, instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import type { Canaries, OwnedObject } from './canaries.ts'

export interface Arranger {
  readonly owner: Db['plain']
  readonly ids: IdSource
  readonly canaries: Canaries
}

/** An object's position in the tenant tree. */
export interface TreeIds {
  readonly accountId: number
  readonly resellerId: number
  readonly distributorId: number
}

export const HOUR_MS = 3_600_000
const inHours = (hours: number) => instant(Date.now() + hours * HOUR_MS)

export interface UserInput {
  readonly userId?: number
  readonly rights?: readonly string[]
  readonly allCameras?: boolean
  readonly cameras?: readonly number[]
  readonly zones?: readonly number[]
  readonly blocked?: boolean
}

/** A user of an account; the owner if `userId` is the account's id. */
export async function addUser({ owner, ids, canaries }: Arranger, at: TreeIds, given: UserInput = {}): Promise<number> {
  const userId = given.userId ?? (await ids.next())
  const mark = canaries.mark({ kind: 'person', id: userId, ...at })
  const email = `${mark}@tenancy.example`
  await owner
    .insertInto('users')
    .values({
      account_id: at.accountId,
      user_id: userId,
      reseller_id: at.resellerId,
      email,
      email_folded: foldEmail(email),
      first_name: mark,
      last_name: mark,
      company_name: mark,
      city: mark,
      rights: [...(given.rights ?? [])],
      all_cameras: given.allCameras ?? false,
      blocked: given.blocked ?? false,
    })
    .execute()
  const key = { account_id: at.accountId, user_id: userId }
  for (const camera_id of given.cameras ?? []) {
    await owner
      .insertInto('user_cameras')
      .values({ ...key, camera_id })
      .execute()
  }
  for (const zone_id of given.zones ?? []) {
    await owner
      .insertInto('user_zones')
      .values({ ...key, zone_id })
      .execute()
  }
  return userId
}

export interface TokenInput {
  readonly scopes?: readonly string[]
  readonly hours?: number
  readonly clientId?: string
  readonly supportStaffId?: number
  /** The token is a public demo guest's. */
  readonly visitor?: boolean
}

export interface TestToken {
  readonly token: string
  readonly tokenId: number
}

/** A user's token; its account is the organization that they belong to. */
export async function addToken(
  { owner, ids }: Arranger,
  of: { readonly userId: number; readonly accountId: number },
  given: TokenInput = {},
): Promise<TestToken> {
  const tokenId = await ids.next()
  const token = `token-${tokenId}`
  // Support sessions and keys have no session.
  const isSession = given.supportStaffId === undefined && given.clientId === undefined
  const session = { session_id: tokenId, grant_id: `grant-${tokenId}` }
  if (isSession) await addSession(owner, of, session)
  await owner
    .insertInto('auth.access_sessions')
    .values({
      token_sha256: tokenSha256(token),
      token_id: tokenId,
      user_id: of.userId,
      account_id: of.accountId,
      client_id: given.clientId ?? 'account.v2',
      app_id: 'account.v2',
      scopes: [...(given.scopes ?? ['read', 'write'])],
      support_staff_id: given.supportStaffId ?? null,
      visitor: given.visitor ?? false,
      ...(isSession ? session : {}),
      expires_at: inHours(given.hours ?? 1),
    })
    .execute()
  return { token, tokenId }
}

/** A session with the id of its one token. */
async function addSession(
  owner: Arranger['owner'],
  of: { readonly userId: number; readonly accountId: number },
  session: { readonly session_id: number; readonly grant_id: string },
): Promise<void> {
  const person = { account_id: of.accountId, user_id: of.userId, client_id: 'account.v2' }
  const now = inHours(0)
  await owner
    .insertInto('auth.user_sessions')
    .values({ ...session, ...person, begun_at: now, last_seen_at: now })
    .execute()
}

interface KeyInput {
  readonly allowedAddresses?: readonly string[]
  readonly provisioning?: boolean
}

export interface TestApiKey {
  readonly apiKeyId: number
  readonly clientId: string
}

/** A key of an account or organization, acting as `userId`. */
export async function addApiKey(
  { owner, ids, canaries }: Arranger,
  of: { readonly userId: number; readonly accountId: number },
  place: Partial<TreeIds>,
  { allowedAddresses = [], provisioning = false }: KeyInput = {},
): Promise<TestApiKey> {
  const apiKeyId = await ids.next()
  const mark = canaries.mark({ kind: 'apiKey', id: apiKeyId, ...place })
  const clientId = `key-${mark}`
  await owner
    .insertInto('auth.clients')
    .values({
      client_id: clientId,
      kind: 'confidential',
      name: mark,
      secret_sha256: tokenSha256(`secret-${apiKeyId}`),
      redirect_uris: [],
      logged_out_uris: [],
      scopes: ['read', 'write'],
      password_grant: false,
      legacy_token_callback: false,
      user_id: of.userId,
      api_key_id: apiKeyId,
      account_id: of.accountId,
      created_by: of.userId,
      allowed_addresses: [...allowedAddresses],
      provisioning,
    })
    .execute()
  return { apiKeyId, clientId }
}

/** A report of an account, or of a reseller about that account. */
export async function addReport({ owner, ids, canaries }: Arranger, at: TreeIds, of: 'account' | 'reseller') {
  const reportId = await ids.next()
  const mark = canaries.mark({ kind: 'report', id: reportId, ...at })
  const isOfAccount = of === 'account'
  await owner
    .insertInto('reports')
    .values({
      organisation_id: isOfAccount ? at.accountId : at.resellerId,
      report_id: reportId,
      account_id: isOfAccount ? at.accountId : null,
      reseller_id: isOfAccount ? null : at.resellerId,
      type: isOfAccount ? 'storageUsage' : 'billing',
      format: 'csv',
      from_day: '2026-01-01',
      till_day: '2026-01-31',
      time_zone: 'UTC',
      row_count: 1,
      content: Buffer.from(mark),
      account_ids: isOfAccount ? null : [at.accountId],
      created_at: inHours(0),
      expires_at: inHours(1),
    })
    .execute()
  return reportId
}

/** The owner's report schedule, due in an hour. */
export async function addReportSchedule({ owner, ids, canaries }: Arranger, at: TreeIds) {
  const reportScheduleId = await ids.next()
  const host = canaries.mark({ kind: 'reportSchedule', id: reportScheduleId, ...at })
  await owner
    .insertInto('report_schedules')
    .values({
      account_id: at.accountId,
      report_schedule_id: reportScheduleId,
      user_id: at.accountId,
      type: 'storageUsage',
      format: 'csv',
      every: 'day',
      at_time: '06:00',
      host,
      created_at: inHours(0),
      next_at: inHours(1),
    })
    .execute()
  return reportScheduleId
}

/** A SIM card of the account; the mark is its plan's article number. */
export async function addMobileSubscription({ owner, ids, canaries }: Arranger, at: TreeIds): Promise<number> {
  const id = await ids.next()
  const sku = canaries.mark({ kind: 'mobileSubscription', id, ...at })
  const iccid = `8944${String(id).padStart(18, '0')}`
  await owner
    .insertInto('mobile_subscriptions')
    .values({ account_id: at.accountId, mobile_subscription_id: id, iccid, sku })
    .execute()
  return id
}

/** A profile without users. */
export async function addProfile(
  { owner, ids, canaries }: Arranger,
  of: { readonly organisationId: number; readonly scope: 'account' | 'reseller' | 'distributor' },
  place: Partial<TreeIds>,
): Promise<number> {
  const profileId = await ids.next()
  await owner
    .insertInto('permission_profiles')
    .values({
      organisation_id: of.organisationId,
      permission_profile_id: profileId,
      scope: of.scope,
      name: canaries.mark({ kind: 'profile', id: profileId, ...place }),
      grants: [],
    })
    .execute()
  return profileId
}

/** What an audit entry is about, and its content apart from the mark. */
export interface AuditEntryInput extends Omit<OwnedObject, 'kind' | 'id'> {
  readonly action: string
  readonly after?: object
}

/** An entry in an organization's log, about a camera or zone if given. */
export async function addAuditEntry(
  { owner, ids, canaries }: Arranger,
  of: { readonly accountId: number; readonly userId: number },
  { action, after, ...about }: AuditEntryInput,
): Promise<void> {
  const id = await ids.next()
  const mark = canaries.mark({ kind: 'auditLine', id, ...about })
  const target = targetOf(about) ?? { target_kind: 'user', target_id: of.userId }
  await owner
    .insertInto('audit_log')
    .values({
      account_id: of.accountId,
      audit_log_id: id,
      user_id: of.userId,
      actor_name: mark,
      client_id: 'account.v2',
      action,
      ...target,
      after: JSON.stringify({ ...after, note: mark }),
      address: '192.0.2.1',
    })
    .execute()
}

function targetOf({ cameraId, zoneId }: Omit<OwnedObject, 'kind' | 'id'>) {
  if (cameraId !== undefined) return { target_kind: 'camera', target_id: cameraId }
  return zoneId === undefined ? undefined : { target_kind: 'zone', target_id: zoneId }
}

export interface StaffUserInput {
  readonly level: 'reseller' | 'distributor' | 'admin'
  readonly organisationId: number
  readonly resellerId?: number
  readonly distributorId?: number
  readonly permissions?: readonly string[]
  /** All accounts by default. */
  readonly accounts?: readonly number[]
}

/** Staff of a reseller, a distributor or the provider. */
export async function addStaff({ owner, ids, canaries }: Arranger, given: StaffUserInput): Promise<number> {
  const userId = await ids.next()
  const { resellerId, distributorId } = given
  const place = {
    ...(resellerId === undefined ? {} : { resellerId }),
    ...(distributorId === undefined ? {} : { distributorId }),
  }
  const mark = canaries.mark({ kind: 'staff', id: userId, ...place })
  const email = `${mark}@staff.example`
  await owner
    .insertInto('staff')
    .values({
      user_id: userId,
      level: given.level,
      organisation_id: given.organisationId,
      distributor_id: distributorId ?? null,
      reseller_id: resellerId ?? null,
      email,
      email_folded: email,
      first_name: mark,
      last_name: mark,
      permissions: [...(given.permissions ?? [])],
      all_accounts: given.accounts === undefined,
    })
    .execute()
  for (const account_id of given.accounts ?? []) {
    await owner.insertInto('staff_accounts').values({ user_id: userId, account_id }).execute()
  }
  return userId
}

/** A point on the curve; no one has its private key. */
export const PUSH_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

/** The owner's passkey; no one has its private key. */
export async function addPasskey({ owner, ids, canaries }: Arranger, at: TreeIds): Promise<number> {
  const passkeyId = await ids.next()
  await owner
    .insertInto('auth.passkeys')
    .values({
      passkey_id: passkeyId,
      user_id: at.accountId,
      account_id: at.accountId,
      credential_id: randomBytes(32),
      rp_id: 'brand.example',
      user_handle: randomBytes(32),
      public_key: randomBytes(77),
      sign_count: 0,
      transports: ['internal'],
      aaguid: '00000000-0000-0000-0000-000000000000',
      backup_eligible: true,
      backed_up: true,
      name: canaries.mark({ kind: 'passkey', id: passkeyId, ...at }),
      created_at: inHours(0),
    })
    .execute()
  return passkeyId
}

/** The owner's browser; no one may see its push address. */
export async function addPushDevice({ owner, ids, canaries }: Arranger, at: TreeIds): Promise<number> {
  const pushDeviceId = await ids.next()
  canaries.mark({ kind: 'pushDevice', id: pushDeviceId, ...at })
  const endpoint = `https://push.example/${canaries.mark({ kind: 'secret', id: pushDeviceId })}`
  await owner
    .insertInto('push_devices')
    .values({
      account_id: at.accountId,
      push_device_id: pushDeviceId,
      user_id: at.accountId,
      platform: 'web',
      endpoint_sha256: tokenSha256(endpoint),
      subscription_sealed: Buffer.from(JSON.stringify({ endpoint, keys: PUSH_KEYS })),
      created_at: inHours(0),
      seen_at: inHours(0),
    })
    .execute()
  return pushDeviceId
}
