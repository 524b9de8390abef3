import type { JsonObject } from './column-kinds.ts'

/** A distributor's details, visible only to transactions with it in scope; writes go to {@link DistributorsTable}. */
export interface DistributorDetailsView {
  distributor_id: number
  email: string | null
  country: string | null
  contact_details: JsonObject
}

/** A reseller's details, visible only to transactions with it in scope; writes go to {@link ResellersTable}. */
export interface ResellerDetailsView {
  reseller_id: number
  contact_details: JsonObject
  zoho_id: string | null
}
