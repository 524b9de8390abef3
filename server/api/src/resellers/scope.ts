import type { ApiError } from '@sightline/contract/errors'
import { canAccessAccount, canAccessReseller, type Module } from '@sightline/contract/rights'
import type { Db, OrganisationScope, Tx } from '@sightline/platform/db'
import type { Change } from '@sightline/platform/http'
import { fail, type Result } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { findKnown, findResellerId, isResellerAccount, type KnownReseller } from './store.ts'

/** The reseller in an address; undefined if it doesn't exist or the caller has no access to it. */
export async function findResellerInScope(
  db: Db,
  caller: StaffCaller,
  named: number | 'self',
): Promise<KnownReseller | undefined> {
  const resellerId = named === 'self' ? caller.resellerId : named
  const reseller = resellerId === undefined ? undefined : await findKnown(db.plain, resellerId)
  return reseller !== undefined && canAccessReseller(caller, reseller) ? reseller : undefined
}

/** Why a call needs a module that the reseller in its address doesn't have. */
export const getModuleDenyReason = (reseller: KnownReseller, module: Module): ApiError | undefined =>
  reseller.modules[module]
    ? undefined
    : { error: 'notAuthorized', detail: `the brand does not have the module ${module}` }

interface NamedReseller {
  readonly db: Db
  readonly caller: StaffCaller
  readonly resellerId: number | 'self'
  /** Of a writing call, which then writes in its transaction. */
  readonly change?: Pick<Change<StaffCaller>, 'tx'> | undefined
}

/** The transaction of a change, or a read-only one. */
const inScope = <T>(
  { db, change }: Pick<NamedReseller, 'db' | 'change'>,
  scope: OrganisationScope,
  work: (tx: Tx) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> => (change === undefined ? db.inOrganisation(scope, work) : change.tx(scope, work))

/**
 * Work on a reseller's data: its accounts and their users, packages, staff and log, but not the content of accounts.
 */
export async function inReseller<T>(
  { db, change, caller, resellerId: named }: NamedReseller,
  work: (tx: Tx, reseller: KnownReseller) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const reseller = await findResellerInScope(db, caller, named)
  if (reseller === undefined) return fail({ error: 'notFound' })
  const { resellerId, distributorId } = reseller
  const scope = { organisationId: resellerId, userId: caller.userId, resellerId }
  // Staff above a reseller can also write what its distributor can: the reseller itself.
  const above = caller.level === 'reseller' ? {} : { distributorId }
  return inScope({ db, change }, { ...scope, ...above }, (tx) => work(tx, reseller))
}

/**
 * Work inside one account of a reseller. Entries can be written to its log and the reseller's, and to that of another
 * reseller in the caller's scope. Other accounts of the reseller are visible only for their users, because each user
 * has a unique email address.
 */
export async function inAccount<T>(
  named: NamedReseller & {
    readonly accountId: number
    readonly alsoLogOf?: KnownReseller
    readonly seesReseller?: true
  },
  work: (tx: Tx, reseller: KnownReseller) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const { db, caller, accountId, alsoLogOf } = named
  const reseller = await findResellerInScope(db, caller, named.resellerId)
  if (reseller === undefined || !canAccessAccount(caller, { ...reseller, accountId }))
    return fail({ error: 'notFound' })
  const { resellerId } = reseller
  const seen = named.seesReseller ? { resellerId } : { logOfResellerId: resellerId }
  const scope = { organisationId: accountId, userId: caller.userId, ...seen }
  return inScope(named, { ...scope, distributorId: alsoLogOf?.distributorId }, async (tx) =>
    (await isResellerAccount(tx, { accountId, resellerId })) ? work(tx, reseller) : fail({ error: 'notFound' }),
  )
}

/**
 * The same for an address without a reseller: `accounts/{accountId}`. For staff, `self` doesn't exist, because they
 * have no account.
 */
export async function inAnyAccount<T>(
  { accountId, ...named }: Omit<NamedReseller, 'resellerId'> & { readonly accountId: number | 'self' },
  work: (tx: Tx, of: { readonly accountId: number; readonly resellerId: number }) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  if (accountId === 'self') return fail({ error: 'notFound' })
  const scope = { organisationId: accountId, userId: named.caller.userId }
  const resellerId = await named.db.inOrganisation(scope, (tx) => findResellerId(tx, accountId))
  if (resellerId === undefined) return fail({ error: 'notFound' })
  return inAccount({ ...named, resellerId, accountId }, (tx) => work(tx, { accountId, resellerId }))
}
