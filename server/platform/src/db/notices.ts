import pg from 'pg'
import type { Logger } from '../log/index.ts'
import { clientConfig, type DatabaseConnection, type Role } from './connection.ts'

const RECONNECT_MS = 1000

/** Called with the payload of a notice, or with undefined after a time in which notices may have been missed. */
export type NoticeListener = (payload: string | undefined) => void

export interface NoticeSettings {
  readonly connection: DatabaseConnection
  readonly role: Role
  readonly applicationName: string
  readonly log: Logger
}

/** Notices of one channel (NOTIFY), over a connection of its own that is there while someone listens. */
export class Notices implements AsyncDisposable {
  readonly #settings: NoticeSettings
  readonly #channel: string
  readonly #listeners = new Set<NoticeListener>()
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(settings: NoticeSettings, channel: string) {
    this.#settings = settings
    this.#channel = channel
  }

  /** Returns how to stop. */
  listen(listener: NoticeListener): () => void {
    this.#listeners.add(listener)
    if (this.#client === undefined && this.#retry === undefined) this.#connect()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) void this.#disconnect()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear()
    await this.#disconnect()
  }

  #connect(): void {
    const { connection, role, applicationName, log } = this.#settings
    const client = new pg.Client({
      ...clientConfig(connection, role),
      application_name: applicationName,
      keepAlive: true,
    })
    this.#client = client
    const lost = (err?: Error) => {
      if (this.#client !== client) return
      this.#client = undefined
      log.warn({ reason: err?.message }, 'the database connection for notices was lost; connecting again')
      client.end().catch(() => undefined)
      this.#retry = setTimeout(() => {
        this.#retry = undefined
        if (this.#listeners.size > 0) this.#connect()
      }, RECONNECT_MS)
    }
    client.on('error', lost)
    client.on('end', () => lost())
    client.on('notification', ({ payload }) => this.#tell(payload ?? ''))
    client
      .connect()
      .then(() => client.query(`listen ${pg.escapeIdentifier(this.#channel)}`))
      .then(() => this.#tell(undefined))
      .catch(lost)
  }

  async #disconnect(): Promise<void> {
    clearTimeout(this.#retry)
    this.#retry = undefined
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }

  #tell(payload: string | undefined): void {
    for (const listener of this.#listeners) listener(payload)
  }
}
