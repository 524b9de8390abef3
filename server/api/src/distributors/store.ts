import type { Distributor } from '@sightline/contract/distributors'
import type { ContactDetails } from '@sightline/contract/resellers'
import { toDateTime } from '@sightline/contract/wire'
import { type Db, isForeignKeyViolation, isUniqueViolation, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import type { Selectable } from 'kysely'

export const PROVIDER = PROVIDER_ID

const query = (tx: Tx) =>
  tx
    .selectFrom('distributors as d')
    .innerJoin('distributor_details as details', 'details.distributor_id', 'd.distributor_id')
    .select(['d.distributor_id', 'd.name', 'd.created_at'])
    .select(['details.email', 'details.country', 'details.contact_details'])
    .select(({ selectFrom }) =>
      selectFrom('resellers as r')
        .whereRef('r.distributor_id', '=', 'd.distributor_id')
        .select(({ fn }) => fn.countAll<number>().as('resellers'))
        .$asScalar()
        .as('resellers'),
    )

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

/** Those in the transaction's scope. */
export async function listDistributors(tx: Tx): Promise<Distributor[]> {
  const rows = await query(tx).orderBy('d.name').orderBy('d.distributor_id').execute()
  return rows.map(toDistributor)
}

/** One in the transaction's scope. */
export async function findDistributor(tx: Tx, distributorId: number): Promise<Distributor | undefined> {
  const row = await query(tx).where('d.distributor_id', '=', distributorId).executeTakeFirst()
  return row === undefined ? undefined : toDistributor(row)
}

/** Whether the distributor exists, which everyone may know. */
export async function isDistributor(from: Pick<Db['plain'], 'selectFrom'>, distributorId: number): Promise<boolean> {
  const row = await from
    .selectFrom('distributors')
    .select('distributor_id')
    .where('distributor_id', '=', distributorId)
    .executeTakeFirst()
  return row !== undefined
}

/** The same, locked until the transaction ends. */
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

/** Removes it with its staff. Returns the ids whose sign-ins must end. */
export async function removeDistributor(tx: Tx, distributorId: number): Promise<number[]> {
  const gone = await tx.deleteFrom('staff').where('organisation_id', '=', distributorId).returning('user_id').execute()
  await tx.deleteFrom('permission_profiles').where('organisation_id', '=', distributorId).execute()
  await tx.deleteFrom('distributors').where('distributor_id', '=', distributorId).execute()
  return gone.map((row) => row.user_id)
}

export const isDistributorNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'distributors_by_name')
export const isStillReferenced = (error: unknown): boolean => isForeignKeyViolation(error)
