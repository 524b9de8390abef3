import type { AccountStatus, StaffLevel, UserType } from '@sightline/contract/rights'

/** One row of the view `sessions`: a valid token and its user. */
export interface SessionRow {
  readonly token_id: number
  readonly user_id: number
  readonly account_id: number
  readonly client_id: string
  readonly app_id: string
  readonly scopes: readonly string[]
  readonly expires_at: number
  readonly api_key_id: number | null
  readonly allowed_addresses: readonly string[] | null
  /** Of an API key that is for provisioning. */
  readonly provisioning: boolean
  readonly name: string
  readonly language: string
  readonly blocked: boolean
  /** Rights of a member, permissions of staff. */
  readonly grants: readonly string[]
  readonly reseller_id: number | null
  readonly distributor_id: number | null
  readonly modules: Readonly<Record<string, unknown>> | null
  /** Of a member; null of staff. */
  readonly all_cameras: boolean | null
  /** Null without a list: for owners, users with access to every camera, staff. */
  readonly camera_ids: readonly number[] | null
  readonly zone_ids: readonly number[] | null
  readonly account_status: AccountStatus | null
  readonly user_type: UserType | null
  readonly prevent_edit_user_details: boolean | null
  readonly user_self_service_management: boolean | null
  /** Of a support session; null of any other. */
  readonly support_staff_id: number | null
  readonly support_name: string | null
  readonly support_grants: readonly string[] | null
  /** Whether that staff member isn't blocked and still works with this account. */
  readonly support_reaches: boolean | null
  readonly helpdesk_expires_at: number | null
  readonly helpdesk_show_video: boolean | null
  /** A sub-user of an account that keeps them out. */
  readonly barred: boolean
  /** A guest of a public demo, without a password. */
  readonly visitor: boolean
  /** For the brand's subscription agreement; null if the brand requires none, and for staff. */
  readonly accepted_agreements: readonly string[] | null
  /** Of staff; null of members. */
  readonly level: StaffLevel | null
  readonly all_accounts: boolean | null
  readonly account_ids: readonly number[] | null
}
