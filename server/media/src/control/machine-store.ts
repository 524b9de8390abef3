import { type Db, instant, roleName } from '@sightline/platform/db'
import { sql } from 'kysely'

/** A machine with media workers, as the operator added it. Times in milliseconds since 1970. */
export interface MachineRow {
  readonly name: string
  readonly certificateSha256: Buffer
  readonly issuedAt: number
  readonly expiresAt: number
  readonly revokedAt: number | undefined
}

export async function listMachines({ plain }: Db): Promise<readonly MachineRow[]> {
  const rows = await plain.selectFrom('media_machines').selectAll().orderBy('name').execute()
  return rows.map((row) => ({
    name: row.name,
    certificateSha256: row.certificate_sha256,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at ?? undefined,
  }))
}

/** The user of the database that only this machine connects as: it has the rights of the media workers. */
export const machineUser = (name: string): string => `${roleName('media')}_${name}`

export interface NewMachine {
  readonly name: string
  readonly certificateSha256: Buffer
  readonly issuedAt: number
  readonly expiresAt: number
  /** Of its user of the database. */
  readonly password: string
}

/**
 * Adds a machine, or gives one that exists a new certificate and password.
 *
 * @param db under the role `owner`.
 */
export async function addMachine(db: Db, machine: NewMachine): Promise<void> {
  const { name, certificateSha256, issuedAt, expiresAt, password } = machine
  const user = sql.id(machineUser(name))
  await db.transaction(async (tx) => {
    const certificate = {
      certificate_sha256: certificateSha256,
      issued_at: instant(issuedAt),
      expires_at: instant(expiresAt),
      revoked_at: null,
    }
    await tx
      .insertInto('media_machines')
      .values({ name, ...certificate })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(certificate))
      .execute()
    const { rows } = await sql`select from pg_roles where rolname = ${machineUser(name)}`.execute(tx)
    if (rows.length === 0) await sql`create role ${user} login inherit`.execute(tx)
    await sql`alter role ${user} login password ${sql.lit(password)}`.execute(tx)
    await sql`grant ${sql.id(roleName('media'))} to ${user}`.execute(tx)
    // Only a member may end its connections.
    await sql`grant ${user} to current_user`.execute(tx)
  })
}

/**
 * Ends all that a machine may do: its certificate counts no longer, and its user can't connect to the database.
 *
 * @param db under the role `owner`. @returns false if there is no such machine.
 */
export async function revokeMachine(db: Db, name: string, now: number): Promise<boolean> {
  const user = machineUser(name)
  return await db.transaction(async (tx) => {
    const revoked = await tx
      .updateTable('media_machines')
      .set({ revoked_at: instant(now) })
      .where('name', '=', name)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (revoked === undefined) return false
    await sql`alter role ${sql.id(user)} nologin`.execute(tx)
    await sql`revoke ${sql.id(roleName('media'))} from ${sql.id(user)}`.execute(tx)
    await tx.deleteFrom('media_workers').where('store', '=', name).execute()
    return true
  })
}

/** Ends the connections of a machine's user to the database. */
export async function endConnections({ plain }: Db, name: string): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${machineUser(name)}`.execute(plain)
}
