import type { Generated } from 'kysely'
import type { DefaultedInstant, Instant, NullableInstant } from '../instant.ts'
import type { Json, JsonObject, Nullable, ReadOnly } from './column-kinds.ts'
import type { SessionRow } from './session-row.ts'

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
  /** References auth.user_sessions; null for support sessions and tokens that a client got for itself. */
  session_id: Nullable<number>
  /** Of a guest of a public demo. */
  visitor: Generated<boolean>
  created_at: DefaultedInstant
  expires_at: Instant
}

/** The known origin of a request. */
interface OriginColumns {
  browser: Nullable<string>
  system: Nullable<string>
  device: Nullable<string>
  address: Nullable<string>
  country: Nullable<string>
  city: Nullable<string>
}

export interface UserSessionsTable extends OriginColumns {
  session_id: number
  account_id: number
  user_id: number
  session_uid: Nullable<string>
  grant_id: Nullable<string>
  client_id: Nullable<string>
  visitor: Generated<boolean>
  begun_at: Instant
  last_seen_at: Instant
}

export interface SignInHistoryTable extends OriginColumns {
  sign_in_id: number
  account_id: number
  user_id: number
  outcome: 'signedIn' | 'wrongPassword' | 'wrongCode' | 'wrongPasskey' | 'locked'
  method: 'password' | 'passwordAndCode' | 'passkey' | 'visit'
  client_id: Nullable<string>
  tries: number
  first_at: Instant
  last_at: Instant
  same_as: string
}

export interface KnownDevicesTable {
  user_id: number
  kind: 'cookie' | 'network' | 'country'
  key_sha256: Buffer
  last_at: Instant
}

export interface LockdownsTable {
  user_id: number
  account_id: number
  email_folded: string
  at: Instant
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
  /** The two that `barred` merges. */
  blocked: ReadOnly<boolean>
  suspended: ReadOnly<boolean>
}

/** The public demos that guests may enter. */
export interface DemonstrationsView {
  account_id: ReadOnly<number>
  reseller_id: ReadOnly<number>
  name: ReadOnly<string>
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

export interface ActionLinksTable {
  token_sha256: Buffer
  kind: 'invitation' | 'reset' | 'lockdown' | 'emailChange'
  user_id: number
  account_id: number
  email_folded: string
  sign_in_generation: Nullable<number>
  created_at: Instant
  expires_at: Instant
}

export interface TwoFactorTable {
  user_id: number
  account_id: number
  seed_sealed: Nullable<Buffer>
  created_at: Instant
  enabled_at: NullableInstant
  passkeys_since: NullableInstant
  last_step: Nullable<number>
  recovery_salt: Nullable<Buffer>
  recovery_since: NullableInstant
}

export interface RecoveryCodesTable {
  user_id: number
  code_hash: Buffer
}

export interface PasskeysTable {
  passkey_id: number
  user_id: number
  account_id: number
  credential_id: Buffer
  rp_id: string
  user_handle: Buffer
  public_key: Buffer
  sign_count: number
  transports: readonly string[]
  aaguid: string
  backup_eligible: boolean
  backed_up: boolean
  name: string
  created_at: Instant
  last_used_at: NullableInstant
}

export interface PasskeyChallengesTable {
  purpose: 'signIn' | 'secondStep' | 'confirm' | 'register'
  bound_sha256: Buffer
  challenge: Buffer
  user_handle: Nullable<Buffer>
  expires_at: Instant
}

export interface EmailChangesTable {
  account_id: number
  user_id: number
  old_email_folded: string
  email: string
  email_folded: string
  asked_by: number
  asked_by_name: string
  expires_at: Instant
}

export interface MailRequestsTable {
  account_id: number
  mail_id: number
  kind: 'invitation' | 'reset' | 'newEmail' | 'emailChange' | 'emailChangeNote'
  user_id: number
  recipient: string
  host: string
  asked_by_name: string
  requested_at: Instant
}

export interface MailOutboxTable {
  account_id: number
  mail_id: number
  kind: string
  recipient: string
  content_sealed: Nullable<Buffer>
  created_at: Instant
  give_up_at: Instant
  sent_at: NullableInstant
  given_up_at: NullableInstant
  failure: Nullable<string>
}

/** In `session-row.ts` is what its columns mean. */
export interface SessionsView extends SessionRow {
  readonly token_sha256: Buffer
}
