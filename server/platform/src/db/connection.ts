import type { ClientConfig } from 'pg'

/** Who connects. Each plane has its own role; the owner is for migrations and start-up only. */
export type Role = 'owner' | PlaneRole

/**
 * `app` is the API, `auth` the authorization server, `media` the video plane's workers, `sealer` chains the audit log,
 * `alerts` notifies users about their cameras, `eraser` deletes the data of removed users, `jobs` is the job queue.
 */
export type PlaneRole = 'app' | 'auth' | 'media' | 'sealer' | 'alerts' | 'eraser' | 'jobs'

export const PLANE_ROLES: readonly PlaneRole[] = ['app', 'auth', 'media', 'sealer', 'alerts', 'eraser', 'jobs']

export const roleName = (role: PlaneRole): string => `sightline_${role}`

/** Of the roles that the holder may connect as; the others are missing. */
export type RolePasswords = Readonly<Partial<Record<Role, string>>>

/** Where the database is. Plain data, so that it can be sent to a child process over its channel. */
export type DatabaseConnection =
  | {
      readonly kind: 'socket'
      readonly folder: string
      readonly database: string
      readonly owner: string
      readonly passwords: RolePasswords
    }
  | {
      readonly kind: 'url'
      /** `postgres://owner:password@host:port/database?sslmode=…`; its user owns the schema and may create roles. */
      readonly url: string
      readonly passwords: RolePasswords
      /** Names of users that stand for a plane's role and have its rights; of other machines. */
      readonly users?: Readonly<Partial<Record<PlaneRole, string>>>
    }

/** The same database for a process that connects under one role: it gets no password of another one. */
export function restrictRole(connection: DatabaseConnection, role: PlaneRole): DatabaseConnection {
  const passwords = { [role]: passwordOf(connection, role) }
  if (connection.kind === 'socket') return { ...connection, passwords }
  const url = new URL(connection.url)
  url.username = ''
  url.password = ''
  return { ...connection, url: url.href, passwords }
}

function passwordOf(connection: DatabaseConnection, role: Role): string {
  const password = connection.passwords[role]
  if (password === undefined) throw new Error(`this process has no password for the database role ${role}`)
  return password
}

/** The driver's options to connect as that role. Contains secrets: never log it. */
export function clientConfig(connection: DatabaseConnection, role: Role): ClientConfig {
  if (connection.kind === 'socket') {
    const user = role === 'owner' ? connection.owner : roleName(role)
    return { host: connection.folder, user, password: passwordOf(connection, role), database: connection.database }
  }
  if (role === 'owner') return { connectionString: connection.url }
  const url = new URL(connection.url)
  url.username = connection.users?.[role] ?? roleName(role)
  url.password = encodeURIComponent(passwordOf(connection, role))
  return { connectionString: url.href }
}

/** The same server, another database: tests make one each. */
export function withDatabase(connection: DatabaseConnection, database: string): DatabaseConnection {
  if (connection.kind === 'socket') return { ...connection, database }
  const url = new URL(connection.url)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...connection, url: url.href }
}
