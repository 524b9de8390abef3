import type { AccountStatus, StaffLevel, UserType } from '@sightline/contract/rights'
import type { ColumnType, Generated } from 'kysely'
import type { SessionRow } from '../sessions/session-row.ts'
import type { DefaultedInstant, Instant, NullableInstant } from './instant.ts'

/** The provider itself, whose staff are administrators (docs/decisions/0003: one id space). */
export const PROVIDER_ID = 2

/** One type per table, as the migrations make it. One file on purpose: it is the schema's table of contents. */
export interface Database {
  installation: InstallationTable
  id_blocks: IdBlocksTable
  schema_migrations: SchemaMigrationsTable
  distributors: DistributorsTable
  resellers: ResellersTable
  brand_hosts: BrandHostsTable
  staff: StaffTable
  staff_accounts: StaffAccountsTable
  permission_profiles: PermissionProfilesTable
  subscription_packages: SubscriptionPackagesTable
  accounts: AccountsTable
  subscriptions: SubscriptionsTable
  users: UsersTable
  zones: ZonesTable
  cameras: CamerasTable
  devices: DevicesTable
  user_cameras: UserCamerasTable
  user_zones: UserZonesTable
  audit_log: AuditLogTable
  audit_unsealed: AuditUnsealedTable
  audit_chain: AuditChainTable
  audit_checkpoints: AuditCheckpointsTable
  'auth.people': PeopleView
  'auth.credentials': CredentialsTable
  'auth.provider_records': ProviderRecordsTable
  'auth.access_sessions': AccessSessionsTable
  'auth.failures': FailuresTable
  'auth.clients': ClientsTable
  'auth.consents': ConsentsTable
  'auth.password_links': PasswordLinksTable
  mail_outbox: MailOutboxTable
  sessions: SessionsView
  camera_status: CameraStatusTable
  camera_leases: CameraLeasesTable
  recording_runs: RecordingRunsTable
  stream_tickets: StreamTicketsTable
  idempotency_keys: IdempotencyKeysTable
}

/** `jsonb`: an object or array when read; written as the text of it (`JSON.stringify`), because the driver would write an array as an SQL array. */
export type Json<T> = ColumnType<T, string, string>
type DefaultedJson<T> = ColumnType<T, string | undefined, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
type JsonObject = Readonly<Record<string, unknown>>
/** May be left out; then null. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** Never written to. */
type ReadOnly<T> = ColumnType<T, never, never>

export interface InstallationTable {
  key: string
  value: string
}

export interface IdBlocksTable {
  name: string
  next: number
}

export interface SchemaMigrationsTable {
  name: ReadOnly<string>
  sha256: ReadOnly<string>
  applied_at: ReadOnly<number>
}

export interface DistributorsTable {
  distributor_id: number
  name: string
  email: Nullable<string>
  country: Nullable<string>
  contact_details: DefaultedJson<JsonObject>
  theme: DefaultedJson<JsonObject>
  created_at: DefaultedInstant
}

export interface ResellersTable {
  reseller_id: number
  distributor_id: number
  name: string
  modules: DefaultedJson<JsonObject>
  theme: DefaultedJson<JsonObject>
  contact_details: DefaultedJson<JsonObject>
  zoho_id: Nullable<string>
  time_zone: Generated<string>
  max_sub_users: Generated<number>
  created_at: DefaultedInstant
}

export interface BrandHostsTable {
  host: string
  reseller_id: number
}

export interface StaffTable {
  user_id: number
  level: StaffLevel
  /** The reseller, the distributor, or {@link PROVIDER_ID}. */
  organisation_id: number
  distributor_id: Nullable<number>
  reseller_id: Nullable<number>
  email: string
  email_folded: string
  first_name: string
  last_name: string
  phone: Nullable<string>
  language: Generated<string>
  permissions: Generated<readonly string[]>
  permission_profile_id: Nullable<number>
  all_accounts: Generated<boolean>
  blocked: Generated<boolean>
  created_at: DefaultedInstant
}

export interface StaffAccountsTable {
  user_id: number
  account_id: number
}

export interface PermissionProfilesTable {
  organisation_id: number
  permission_profile_id: number
  scope: 'account' | 'reseller' | 'distributor'
  name: string
  grants: Generated<readonly string[]>
  created_at: DefaultedInstant
}

export interface SubscriptionPackagesTable {
  reseller_id: number
  subscription_package_id: number
  name: string
  sku: Nullable<string>
  quality: Nullable<'SD1' | 'HD1' | 'HD2' | 'CM10'>
  retention_hours: Nullable<number>
  max_cameras: Nullable<number>
  max_devices: Nullable<number>
  available: Generated<boolean>
  valid: Generated<boolean>
  price_reference: Nullable<string>
  sort_order: Generated<number>
}

export interface SubscriptionsTable {
  account_id: number
  reseller_id: number
  subscription_package_id: number
  next_subscription_package_id: Nullable<number>
  /** `yyyy-mm-dd` in the account's time zone. */
  start_date: string
  end_date: string
  contract_period_months: Generated<number>
}

export interface AccountsTable {
  account_id: number
  reseller_id: number
  name: string
  status: Generated<AccountStatus>
  user_type: Generated<UserType>
  time_zone: Generated<string>
  user_self_service_management: Generated<boolean>
  prevent_edit_user_details: Generated<boolean>
  /** Null is closed, 9999-12-31 is always. */
  helpdesk_expires_at: NullableInstant
  helpdesk_show_video: Generated<boolean>
  language: Generated<string>
  contact_details: DefaultedJson<JsonObject>
  zoho_id: Nullable<string>
  max_sub_users: Nullable<number>
  max_cameras: Nullable<number>
  max_devices: Nullable<number>
  sub_users_barred: Generated<boolean>
  public_demo: Generated<boolean>
  created_at: DefaultedInstant
}

export interface UsersTable {
  account_id: number
  user_id: number
  reseller_id: number
  email: string
  email_folded: string
  first_name: string
  last_name: string
  phone: Nullable<string>
  company_name: Nullable<string>
  country: Nullable<string>
  language: Generated<string>
  address: Nullable<string>
  city: Nullable<string>
  region: Nullable<string>
  postal_code: Nullable<string>
  secondary_phone: Nullable<string>
  rights: Generated<readonly string[]>
  all_cameras: Generated<boolean>
  blocked: Generated<boolean>
  permission_profile_id: Nullable<number>
  /** Kept by the lines of sign-ins in the audit log. */
  last_login_at: NullableInstant
  created_at: DefaultedInstant
}

export interface ZonesTable {
  account_id: number
  zone_id: number
  name: string
  latitude: Nullable<number>
  longitude: Nullable<number>
  time_zone: Nullable<string>
  mode: Generated<'armed' | 'silent' | 'disarmed' | 'private' | 'scheduled'>
  recording_mode: Generated<'continuous' | 'event'>
  created_at: DefaultedInstant
}

export interface DevicesTable {
  account_id: number
  device_id: number
  zone_id: number
  name: string
  eth_mac_address: string
  created_at: DefaultedInstant
}

export interface CamerasTable {
  account_id: number
  camera_id: number
  zone_id: number
  name: string
  device_type_id: Generated<number>
  eth_mac_address: string
  brand: Nullable<string>
  model: Nullable<string>
  firmware_version: Nullable<string>
  serial: Nullable<string>
  address: string
  rtsp_port: number
  main_path: string
  sub_path: Nullable<string>
  username: Nullable<string>
  password_sealed: Nullable<Buffer>
  retention_hours: Generated<number>
  time_zone: Nullable<string>
  created_at: DefaultedInstant
}

export interface UserCamerasTable {
  account_id: number
  user_id: number
  camera_id: number
}

export interface UserZonesTable {
  account_id: number
  user_id: number
  zone_id: number
}

export interface AuditLogTable {
  account_id: number
  audit_log_id: number
  at: DefaultedInstant
  user_id: Nullable<number>
  client_id: Nullable<string>
  action: string
  target_kind: Nullable<string>
  target_id: Nullable<number>
  before: NullableJson<JsonObject>
  after: NullableJson<JsonObject>
  address: Nullable<string>
  actor_name: Nullable<string>
  staff_id: Nullable<number>
  api_key_id: Nullable<number>
  salt: Nullable<Buffer>
}

export interface AuditUnsealedTable {
  position: ReadOnly<number>
  account_id: number
  audit_log_id: number
}

export interface AuditChainTable {
  account_id: number
  sequence: number
  audit_log_id: number
  checkpoint: number
  commitments: Buffer
  line_sha256: Buffer
  hash: Buffer
}

export interface AuditCheckpointsTable {
  number: number
  at: Instant
  line: string
}

export interface CredentialsTable {
  user_id: number
  account_id: number
  password_hash: string
  changed_at: DefaultedInstant
  sign_in_generation: Generated<number>
}

export interface ProviderRecordsTable {
  kind: string
  id_sha256: Buffer
  payload: Json<JsonObject>
  grant_id: Nullable<string>
  uid: Nullable<string>
  consumed_at: NullableInstant
  expires_at: NullableInstant
}

export interface AccessSessionsTable {
  token_sha256: Buffer
  token_id: number
  user_id: number
  account_id: number
  client_id: string
  app_id: string
  scopes: readonly string[]
  grant_id: Nullable<string>
  address: Nullable<string>
  support_staff_id: Nullable<number>
  created_at: DefaultedInstant
  expires_at: Instant
}

export interface PeopleView {
  user_id: ReadOnly<number>
  account_id: ReadOnly<number>
  reseller_id: ReadOnly<number | null>
  email: ReadOnly<string>
  email_folded: ReadOnly<string>
  name: ReadOnly<string>
  language: ReadOnly<string>
  barred: ReadOnly<boolean>
  created_at: ReadOnly<number>
  account_name: ReadOnly<string>
  reseller_name: ReadOnly<string>
  is_staff: ReadOnly<boolean>
}

export interface FailuresTable {
  key: string
  failures: number
  window_ends_at: Instant
}

export interface ClientsTable {
  client_id: string
  kind: 'confidential' | 'native' | 'browser'
  name: string
  secret_sha256: Nullable<Buffer>
  redirect_uris: readonly string[]
  logged_out_uris: readonly string[]
  scopes: readonly string[]
  password_grant: boolean
  legacy_token_callback: boolean
  reseller_id: Nullable<number>
  user_id: Nullable<number>
  api_key_id: Nullable<number>
  account_id: Nullable<number>
  created_by: Nullable<number>
  provisioning: Generated<boolean>
  expires_at: NullableInstant
  allowed_addresses: Generated<readonly string[]>
  previous_secret_sha256: Nullable<Buffer>
  previous_secret_until: NullableInstant
  last_used_at: NullableInstant
  /** Whether the present secret has got a token yet. */
  secret_used: Generated<boolean>
  created_at: DefaultedInstant
}

export interface ConsentsTable {
  user_id: number
  client_id: string
  scopes: readonly string[]
  given_at: DefaultedInstant
}

export interface PasswordLinksTable {
  user_id: number
  kind: 'invitation' | 'reset'
  account_id: number
  token_sha256: Buffer
  email_folded: string
  sign_in_generation: Nullable<number>
  expires_at: Instant
}

export interface MailOutboxTable {
  account_id: number
  mail_id: number
  kind: string
  recipient: string
  content_sealed: Nullable<Buffer>
  created_at: Instant
  give_up_at: Instant
  tries: Generated<number>
  next_try_at: NullableInstant
  sent_at: NullableInstant
  failure: Nullable<string>
}

/** In `sessions/session-row.ts` is what its columns mean. */
export interface SessionsView extends SessionRow {
  readonly token_sha256: Buffer
}

export interface CameraStatusTable {
  account_id: number
  camera_id: number
  online: boolean
  recording: Generated<boolean>
  last_seen: NullableInstant
  last_connection_result: Generated<string>
  width: Nullable<number>
  height: Nullable<number>
  codec: Nullable<string>
  audio_codec: Nullable<string>
  changed_at: DefaultedInstant
}

export interface CameraLeasesTable {
  account_id: number
  camera_id: number
  worker_id: string
  fence: number
  expires_at: Instant
}

export type StreamKind = 'main' | 'sub'

export interface RecordingRunsTable {
  account_id: number
  camera_id: number
  stream: StreamKind
  run_id: string
  started_at: Instant
  ended_at: Instant
  is_open: Generated<boolean>
  kind: Generated<'continuous' | 'event'>
  store: Generated<string>
  bytes: Generated<number>
  locked: Generated<boolean>
  end_reason: Nullable<string>
}

export interface StreamTicketsTable {
  account_id: number
  ticket_sha256: Buffer
  user_id: number
  camera_id: number
  token_sha256: Buffer
  use: 'live' | 'playback' | 'mp4' | 'snapshot'
  from_at: NullableInstant
  till_at: NullableInstant
  expires_at: Instant
  used_at: NullableInstant
}

export interface IdempotencyKeysTable {
  account_id: number
  user_id: number
  key_sha256: Buffer
  request_sha256: Buffer
  claim_id: Nullable<string>
  claimed_until: NullableInstant
  reply_status: Nullable<number>
  reply_headers: NullableJson<Readonly<Record<string, string>>>
  reply_body: Nullable<string>
  expires_at: Instant
}
