import type { AccountStatus, StaffLevel, UserType } from '@sightline/contract/rights'
import type { Generated } from 'kysely'
import type { DefaultedInstant, NullableInstant } from '../instant.ts'
import type { DefaultedJson, JsonObject, Nullable, NullableJson, ReadOnly } from './column-kinds.ts'

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
  /** Computed from the theme, which may contain pictures and shouldn't be read with every call. */
  asks_for_agreement: ReadOnly<boolean>
  contact_details: DefaultedJson<JsonObject>
  zoho_id: Nullable<string>
  time_zone: Generated<string>
  max_sub_users: Generated<number>
  created_at: DefaultedInstant
}

export interface BrandHostsTable {
  host: string
  reseller_id: number
  created_at: DefaultedInstant
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
  /** Maintained by the authorization server's `auth.two_factor`. */
  mfa_enabled: ReadOnly<boolean>
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
  max_storage_bytes: Nullable<number>
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
  /** When its end, with no subscription after it, was recorded. */
  ended_at: NullableInstant
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
  /** Maintained by the sign-in entries of the audit log. */
  last_login_at: NullableInstant
  /** Maintained by the authorization server's `auth.two_factor`. */
  mfa_enabled: ReadOnly<boolean>
  created_at: DefaultedInstant
  deletion_requested_at: NullableInstant
  /** Of the owner: the whole account. */
  deletes_at: NullableInstant
  deletion_reminded_at: NullableInstant
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
  schedule: DefaultedJson<JsonObject>
  created_at: DefaultedInstant
}

export interface MobileSubscriptionsTable {
  account_id: number
  mobile_subscription_id: number
  iccid: string
  sku: string
  status: Generated<'active' | 'suspended' | 'ended'>
  started_at: DefaultedInstant
  ended_at: NullableInstant
}

export interface DevicesTable {
  account_id: number
  device_id: number
  zone_id: number
  name: string
  eth_mac_address: Generated<string>
  created_at: DefaultedInstant
  device_type_id: Generated<number>
  address: Generated<string>
  named_port: Nullable<number>
  named_mac_address: Nullable<string>
  username: Nullable<string>
  password_sealed: Nullable<Buffer>
  allow_basic: Generated<boolean>
  brand: Nullable<string>
  model: Nullable<string>
  firmware_version: Nullable<string>
  serial: Nullable<string>
  onvif_port: Nullable<number>
  onvif_secure: Generated<boolean>
  /** SHA-256. */
  onvif_certificate_sha256: Nullable<Buffer>
  addition_status: Generated<'inProgress' | 'validated' | 'added' | 'failure'>
  addition_sub_status: Generated<string>
  addition_started_at: DefaultedInstant
  addition_step: Nullable<'reachable' | 'identified' | 'signedIn' | 'streams'>
  connection_key: Nullable<string>
  machines: Generated<string[]>
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
  stream_secure: Generated<boolean>
  /** SHA-256. */
  certificate_sha256: Nullable<Buffer>
  onvif_port: Nullable<number>
  onvif_secure: Generated<boolean>
  onvif_certificate_sha256: Nullable<Buffer>
  username: Nullable<string>
  password_sealed: Nullable<Buffer>
  retention_hours: Generated<number>
  time_zone: Nullable<string>
  /** Decimal degrees. */
  latitude: Nullable<number>
  longitude: Nullable<number>
  /** Whether sound from the camera is used. */
  microphone: Generated<boolean>
  /** Whether people may talk through the camera. */
  speaker: Generated<boolean>
  created_at: DefaultedInstant
  addition_status: Generated<'inProgress' | 'validated' | 'added' | 'failure'>
  addition_sub_status: Generated<string>
  addition_started_at: DefaultedInstant
  addition_step: Nullable<'reachable' | 'identified' | 'signedIn' | 'streams' | 'samplePicture' | 'recording'>
  named_port: Nullable<number>
  named_mac_address: Nullable<string>
  input: Nullable<number>
  device_inputs: Generated<number>
  motion_sources: Nullable<string[]>
  machines: Generated<string[]>
  connection_key: Nullable<string>
  /** The recorder whose input the camera is. */
  device_id: Nullable<number>
  allow_basic: Generated<boolean>
  /** Whether gaps are filled from its card. */
  cloud_sync: Generated<boolean>
  mode: Generated<'armed' | 'silent' | 'disarmed' | 'private' | 'scheduled'>
  recording_mode: Generated<'continuous' | 'event'>
  mode_before_private: Generated<'armed' | 'silent' | 'disarmed' | 'scheduled'>
  schedule: NullableJson<JsonObject>
  video_detection: DefaultedJson<JsonObject>
  audio_detection: DefaultedJson<JsonObject>
  pir_detection: DefaultedJson<JsonObject>
  pre_roll_seconds: Generated<number>
  /** Since when it belongs to another account, as that account's camera; its footage stays. */
  transferred_at: NullableInstant
  transferred_camera_id: Nullable<number>
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
