import { createHash } from 'node:crypto'
import { chown, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { PLANE_ROLES, type Role, roleName } from '../connection.ts'
import { SUPERUSER } from './cluster.ts'

/** One for each role of the database, and the superuser's. At least 128 random bits each. */
export type EmbeddedPasswords = Readonly<Record<Role | 'superuser', string>>

export const DATABASE = 'sightline'
export const OWNER = 'sightline_owner'

export interface AccessSettings {
  readonly cluster: string
  readonly passwords: EmbeddedPasswords
  /** The user who owns PostgreSQL's files; only root can give files to another user. */
  readonly fileOwner: number
}

/** The first line identifies the active passwords, so that a start can compare them with the secrets. */
const closed = (passwords: EmbeddedPasswords): string =>
  `# Written by Sightline. Passwords: ${digestOf(passwords)}\nlocal all all scram-sha-256\n`

/** Only while passwords are being set; the socket lies in a folder that only our user can enter. */
const opened = `# Written by Sightline while it sets passwords.\nlocal all ${SUPERUSER} trust\nlocal all all scram-sha-256\n`

function digestOf(passwords: EmbeddedPasswords): string {
  const sorted = Object.entries(passwords).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}

/**
 * Call it before the server starts. If these passwords aren't active yet (a new cluster, one of a version without
 * passwords, or replaced secrets), the superuser may connect without one until {@link setPasswords}.
 *
 * @returns whether the passwords are active.
 */
export async function prepareAccess(settings: AccessSettings): Promise<boolean> {
  const present = await readFile(join(settings.cluster, 'pg_hba.conf'), 'utf8').catch(() => '')
  if (present === closed(settings.passwords)) return true
  await writeAccess(settings, opened)
  return false
}

/**
 * Creates the owner and the database if missing, sets every existing role's password, and from then on requires one. A
 * killed process repeats it at its next start.
 */
export async function setPasswords(socketFolder: string, settings: AccessSettings): Promise<void> {
  const { passwords } = settings
  const client = new pg.Client({ host: socketFolder, user: SUPERUSER, database: 'template1' })
  await client.connect()
  try {
    const { rows } = await client.query<{ roles: string[]; has_database: boolean }>(
      `select array(select rolname::text from pg_roles) as roles,
              exists (select from pg_database where datname = '${DATABASE}') as has_database`,
    )
    const roles = new Set(rows[0]?.roles)
    if (!roles.has(OWNER)) await client.query(`create role ${OWNER} login createrole createdb`)
    if (rows[0]?.has_database !== true) {
      // The database from initdb is still new, and a copy of it means 300 files.
      await client.query(`alter database postgres rename to ${DATABASE}; alter database ${DATABASE} owner to ${OWNER}`)
    }
    const planes = PLANE_ROLES.filter((role) => roles.has(roleName(role)))
    const named = [
      [SUPERUSER, passwords.superuser],
      [OWNER, passwords.owner],
      ...planes.map((role) => [roleName(role), passwords[role]] as const),
    ] as const
    await client.query(
      named.map(([name, password]) => `alter role ${name} password ${client.escapeLiteral(password)}`).join('; '),
    )
    await writeAccess(settings, closed(passwords))
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

async function writeAccess({ cluster, fileOwner }: AccessSettings, content: string): Promise<void> {
  const file = join(cluster, 'pg_hba.conf')
  await writeFile(`${file}.new`, content, { mode: 0o600 })
  if (process.getuid?.() === 0) await chown(`${file}.new`, fileOwner, fileOwner)
  await rename(`${file}.new`, file)
}
