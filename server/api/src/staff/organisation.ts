import type { StaffLevel } from '@sightline/contract/rights'
import type { Db, OrganisationScope } from '@sightline/platform/db'
import type { StaffCaller } from '@sightline/platform/sessions'
import { findDistributorInScope } from '../distributors/index.ts'
import { findResellerInScope } from '../resellers/index.ts'
import { PROVIDER } from './store.ts'

/** The organization of the staff: a reseller, a distributor or the provider. */
export interface Organisation {
  readonly organisationId: number
  readonly level: StaffLevel
  readonly resellerId: number | null
  readonly distributorId: number | null
}

export const toOrganisationScope = (caller: StaffCaller, of: Organisation): OrganisationScope => ({
  organisationId: of.organisationId,
  userId: caller.userId,
  ...(of.resellerId === null ? {} : { resellerId: of.resellerId }),
})

export const theProvider: Organisation = {
  organisationId: PROVIDER,
  level: 'admin',
  resellerId: null,
  distributorId: null,
}

export async function findResellerOrganisation(
  db: Db,
  caller: StaffCaller,
  named: number | 'self',
): Promise<Organisation | undefined> {
  const reseller = await findResellerInScope(db, caller, named)
  if (reseller === undefined) return undefined
  const { resellerId, distributorId } = reseller
  return { organisationId: resellerId, level: 'reseller', resellerId, distributorId }
}

export async function findDistributorOrganisation(
  db: Db,
  caller: StaffCaller,
  named: number | 'self',
): Promise<Organisation | undefined> {
  const distributorId = await findDistributorInScope(db, caller, named)
  if (distributorId === undefined) return undefined
  return { organisationId: distributorId, level: 'distributor', resellerId: null, distributorId }
}
