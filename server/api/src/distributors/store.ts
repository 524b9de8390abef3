import type { Distributor } from '@sightline/contract/distributors'
import type { ContactDetails } from '@sightline/contract/resellers'
import { toDateTime } from '@sightline/contract/wire'
import { type Db, isForeignKeyViolation, isUniqueViolation, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import type { Selectable } from 'kysely'

/** Distributors are known to everybody by name and look; the rest is shown to those whose they are. */
type Reader = Pick<Db['plain'], 'selectFrom'>

export const PROVIDER = PROVIDER_ID

const query = (from: Reader) =>
  from
    .selectFrom('distributors as d')
    .leftJoin('resellers as r', 'r.distributor_id', 'd.distributor_id')
    .select(['d.distributor_id', 'd.name', 'd.email', 'd.country', 'd.contact_details', 'd.created_at'])
    .select(({ fn }) => fn.count<number>('r.reseller_id').as('resellers'))
    .groupBy('d.distributor_id')

type Row = Selectable<Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>>

const toDistributor = (row: Row): Distributor => ({
  distributorId: row.distributor_id,
  name: row.name,
  email: row.email,
  country: row.country,
  contactDetails: row.contact_details as ContactDetails,
  resellers: Number(row.resellers),
  createdAt: toDateTime(row.created_at),
})

export async function listDistributors(from: Reader): Promise<Distributor[]> {
  const rows = await query(from).orderBy('d.name').orderBy('d.distributor_id').execute()
  return rows.map(toDistributor)
}

export async function findDistributor(from: Reader, distributorId: number): Promise<Distributor | undefined> {
  const row = await query(from).where('d.distributor_id', '=', distributorId).executeTakeFirst()
  return row === undefined ? undefined : toDistributor(row)
}

/** The same, kept from changing until the transaction ends. */
export async function lockDistributor(tx: Tx, distributorId: number): Promise<Distributor | undefined> {
  await tx
    .selectFrom('distributors')
    .select('distributor_id')
    .where('distributor_id', '=', distributorId)
    .forUpdate()
    .execute()
  return findDistributor(tx, distributorId)
}

const columnsOf = (given: Omit<Distributor, 'resellers' | 'createdAt'>) => ({
  name: given.name,
  email: given.email,
  country: given.country,
  contact_details: JSON.stringify(given.contactDetails),
})

/** Fails with {@link isDistributorNameTaken}. */
export async function insertDistributor(tx: Tx, given: Omit<Distributor, 'resellers' | 'createdAt'>): Promise<void> {
  await tx
    .insertInto('distributors')
    .values({ distributor_id: given.distributorId, ...columnsOf(given) })
    .execute()
}

/** Fails with {@link isDistributorNameTaken}. */
export async function saveDistributor(tx: Tx, next: Distributor): Promise<void> {
  await tx.updateTable('distributors').set(columnsOf(next)).where('distributor_id', '=', next.distributorId).execute()
}

/** Removes it with its staff, and answers whose sign-ins are to end. */
export async function removeDistributor(tx: Tx, distributorId: number): Promise<number[]> {
  const gone = await tx.deleteFrom('staff').where('organisation_id', '=', distributorId).returning('user_id').execute()
  await tx.deleteFrom('permission_profiles').where('organisation_id', '=', distributorId).execute()
  await tx.deleteFrom('distributors').where('distributor_id', '=', distributorId).execute()
  return gone.map((row) => row.user_id)
}

export const isDistributorNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'distributors_by_name')
export const isStillReferredTo = (error: unknown): boolean => isForeignKeyViolation(error)
