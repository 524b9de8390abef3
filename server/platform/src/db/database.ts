import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  Kysely,
  type KyselyConfig,
  type DatabaseConnection as KyselyConnection,
  PostgresDialect,
  PostgresDriver,
  Transaction,
} from 'kysely'
import pg from 'pg'
import type { Logger } from '../log/index.ts'
import { columnTypes } from './column-types.ts'
import { clientConfig, type DatabaseConnection, type Role } from './connection.ts'
import { isTransient } from './db-errors.ts'
import { type NoticeListener, Notices } from './notices.ts'
import { BEGIN_READ_ONLY, END_READ_ONLY, PreparedClient } from './prepared-client.ts'
import type { Database } from './schema.ts'

/** Queries inside one transaction. */
export type Tx = Transaction<Database>

/** Whose rows a transaction may see: the row policies compare with these ids. */
export interface TenantScope {
  readonly accountId: number
  readonly userId: number
}

/**
 * The scope of a staff transaction: one organisation's own rows and log, and if set the rows of a reseller or of a
 * distributor. The caller has checked that they belong to the staff member's part of the tree.
 */
export interface OrganisationScope {
  /** The reseller, the distributor or the provider that is acted on. */
  readonly organisationId: number
  readonly userId: number
  readonly resellerId?: number | undefined
  /** Allows entries in this reseller's log, and none of its other data. */
  readonly logOfResellerId?: number | undefined
  readonly distributorId?: number | undefined
  readonly isProvider?: boolean | undefined
}

/** Current connections of a pool. */
export interface PoolFigures {
  readonly total: number
  readonly idle: number
  /** Requests waiting for a connection. */
  readonly waiting: number
}

export interface Db extends AsyncDisposable {
  connections(): PoolFigures
  /** Single statements on tables that belong to no tenant, or under a role that may see all of them. */
  readonly plain: Kysely<Database>
  /**
   * Single statements on a reserved connection, for queries that a transaction needs outside itself: if transactions
   * used all the other connections, waiting for one of those would be a deadlock.
   */
  readonly beside: Kysely<Database>
  /**
   * One transaction that sees the rows of one account. Retried up to five times after a conflict, so `work` must be
   * repeatable.
   */
  inTenant<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same with the scope of an organisation above the accounts. */
  inOrganisation<T>(scope: OrganisationScope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** One transaction without a tenant, retried in the same way. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Listens to notices about events: the account, or undefined if some may have been missed. Returns how to stop. */
  eventNotices(listener: NoticeListener): () => void
  /** The same, but the database refuses to change anything (SQLSTATE 25006). */
  readonly readOnly: Transactions
}

type Transactions = Pick<Db, 'inTenant' | 'inOrganisation' | 'transaction'>

export interface DatabaseSettings {
  readonly connection: DatabaseConnection
  readonly role: Role
  readonly maxConnections: number
  /** As operators see it in `pg_stat_activity`. */
  readonly applicationName: string
  /** Called for connections that broke while idle; the pool replaces them. */
  readonly log: Logger
}

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_MS = 30_000
/** A request that waits longer than this for the database has lost its caller. */
const STATEMENT_TIMEOUT_MS = 30_000
const ATTEMPTS = 5
const FIRST_PAUSE_MS = 5

/** Opens a pool; connections are opened when first needed and closed after 30 s without work. */
export function openDatabase(settings: DatabaseSettings): Db {
  let isClosing = false
  const openPool = (max: number) => poolOf({ ...settings, maxConnections: max }, () => isClosing)
  const pool = openPool(settings.maxConnections)
  const dialect = new PostgresDialect({ pool })
  const config: KyselyConfig = { dialect }
  const driver = new PostgresDriver({ pool })
  const plain = new Kysely<Database>({ dialect })
  const beside = new Kysely<Database>({ dialect: new PostgresDialect({ pool: openPool(1) }) })
  const notices = new Notices(settings, 'events')
  const begin = (beginSql: string): OpenTransaction => ({ plain, config, driver, dialect, beginSql })
  const transactions = (start: string, run: typeof runTransaction): Transactions => ({
    inTenant: ({ accountId, userId }, work) =>
      repeatedly(() => run(begin(beginWith(start, { account: accountId, user: userId })), work)),
    inOrganisation: (scope, work) => repeatedly(() => run(begin(beginWith(start, settingsOf(scope))), work)),
    transaction: (work) => repeatedly(() => run(begin(start), work)),
  })
  return {
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    plain,
    beside,
    ...transactions('begin', runTransaction),
    eventNotices: (listener) => notices.listen(listener),
    readOnly: transactions(BEGIN_READ_ONLY, runReading),
    async [Symbol.asyncDispose]() {
      isClosing = true
      await Promise.all([plain.destroy(), beside.destroy(), notices[Symbol.asyncDispose]()])
    },
  }
}

function poolOf(settings: DatabaseSettings, isClosing: () => boolean): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(settings.connection, settings.role),
    Client: PreparedClient,
    // Only `runReading` sends a statement before the previous one is answered.
    pipeline: true,
    types: columnTypes,
    max: settings.maxConnections,
    application_name: settings.applicationName,
    // Times are read as UTC (column-types.ts), regardless of the server's zone and style.
    options: '-c timezone=UTC -c datestyle=ISO',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
  })
  pool.on('error', ({ message }) => {
    // A server that stops just after us may end a connection before it has read our goodbye.
    if (!isClosing()) settings.log.warn({ reason: message }, 'an idle database connection was lost')
  })
  // The pool listens to idle connections only. One that breaks while in use, between two statements, would end the
  // process; its user learns of it at the next statement.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

interface OpenTransaction {
  readonly plain: Kysely<Database>
  readonly config: KyselyConfig
  readonly driver: PostgresDriver
  readonly dialect: PostgresDialect
  readonly beginSql: string
}

const settingsOf = (scope: OrganisationScope): Readonly<Record<string, number>> => ({
  account: scope.organisationId,
  user: scope.userId,
  staff: 1,
  ...(scope.resellerId === undefined ? {} : { reseller: scope.resellerId }),
  ...(scope.logOfResellerId === undefined ? {} : { reseller_log: scope.logOfResellerId }),
  ...(scope.distributorId === undefined ? {} : { distributor: scope.distributorId }),
  ...(scope.isProvider === true ? { provider: 1 } : {}),
})

/** Begin and scope in one message to the server. The values are checked to be integers, which rules out injection. */
function beginWith(start: string, settings: Readonly<Record<string, number>>): string {
  const sets = Object.entries(settings).map(([name, value]) => {
    if (!Number.isSafeInteger(value)) throw new TypeError(`the scope app.${name} needs an integer, got ${value}`)
    return `set_config('app.${name}', '${value}', true)`
  })
  return `${start}; select ${sets.join(', ')}`
}

type DriverConnection = Parameters<PostgresDriver['rollbackTransaction']>[0]

type Work<T> = (tx: Tx) => Promise<T>

/** Kysely begins transactions with its own message; this one includes the scope, which saves a round trip. */
const runTransaction = <T>(open: OpenTransaction, work: Work<T>): Promise<T> =>
  onConnection(open, work, async (connection, value) => {
    await connection.executeQuery(CompiledQuery.raw(open.beginSql))
    const done = await value()
    await open.driver.commitTransaction(connection)
    return done
  })

/**
 * Sends begin with the first query and doesn't wait for the end, which saves two round trips. If begin fails, queries
 * have no scope, so the row policies reject them, and the whole fails with the error of begin. The outcome of a
 * read-only transaction's end doesn't matter; a connection that fails to end one is discarded (`PreparedClient`).
 */
const runReading = <T>(open: OpenTransaction, work: Work<T>): Promise<T> =>
  onConnection(open, work, async (connection, value) => {
    const begun = connection.executeQuery(CompiledQuery.raw(open.beginSql))
    begun.catch(() => undefined)
    const [done] = await Promise.allSettled([value()])
    await begun
    if (done.status === 'rejected') throw done.reason
    connection.executeQuery(CompiledQuery.raw(END_READ_ONLY)).catch(() => undefined)
    return done.value
  })

async function onConnection<T>(
  { plain, config, driver, dialect }: OpenTransaction,
  work: Work<T>,
  run: (connection: KyselyConnection, value: () => Promise<T>) => Promise<T>,
): Promise<T> {
  const executor = plain.getExecutor()
  return executor.provideConnection(async (connection) => {
    const onlyThis = executor.withConnectionProvider({ provideConnection: (use) => use(connection) })
    try {
      return await run(connection, () =>
        work(new Transaction<Database>({ config, driver, dialect, executor: onlyThis })),
      )
    } catch (error) {
      // The pool discards a connection that can't even roll back; the first error is more useful.
      await driver.rollbackTransaction(connection as DriverConnection).catch(() => undefined)
      throw error
    }
  })
}

async function repeatedly<T>(attempt: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await attempt()
    } catch (error) {
      failures += 1
      if (failures === ATTEMPTS || !isTransient(error)) throw error
      // Random, so that two that collided do not collide again.
      await sleep(FIRST_PAUSE_MS * 2 ** failures * Math.random())
    }
  }
}
