import type { JsonObject } from './column-kinds.ts'

/** What of a distributor is shown only to transactions that reach it; {@link DistributorsTable} is where it is written. */
export interface DistributorDetailsView {
  distributor_id: number
  email: string | null
  country: string | null
  contact_details: JsonObject
}

/** What of a reseller is shown only to transactions that reach it; {@link ResellersTable} is where it is written. */
export interface ResellerDetailsView {
  reseller_id: number
  contact_details: JsonObject
  zoho_id: string | null
}
