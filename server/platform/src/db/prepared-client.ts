import { hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'

/** A connection caches each statement's plan; statements with a varying number of parameters must not fill it. */
const MAX_STATEMENTS = 400
const names = new Map<string, string>()
const MAX_NAMES = 5000

/** The start of a transaction whose first query is sent with it. */
export const BEGIN_READ_ONLY = 'begin read only'
/** How it ends, which is not waited for. */
export const END_READ_ONLY = 'end'

type QueryArguments = [query: unknown, values?: unknown, callback?: unknown]

/**
 * A connection that prepares each statement once and then sends only its name: half the work per query for the server
 * and the driver. Transaction control and settings stay simple queries, which may contain several statements.
 */
export class PreparedClient extends pg.Client {
  readonly #prepared = new Set<string>()

  // The driver declares twelve overloads; the pool, Kysely and this product call it with a text and values only.
  // biome-ignore lint/suspicious/noExplicitAny: the declared return type is a union over those overloads
  override query(...[query, values, callback]: QueryArguments): any {
    const original = super.query.bind(this) as (...all: QueryArguments) => unknown
    if (typeof query === 'string' && query.startsWith(BEGIN_READ_ONLY)) holdUntilNextQuery(this.connection.stream)
    const name = typeof query === 'string' ? this.#nameFor(query) : undefined
    if (name !== undefined) return original({ name, text: query, values: values ?? [] }, undefined, callback)
    const answer = original(query, values, callback)
    if (query === END_READ_ONLY) (answer as Promise<unknown>).catch(() => this.#breakOff())
    return answer
  }

  /** Otherwise the connection's next user gets a failed transaction, in which nothing works until a rollback. */
  #breakOff(): void {
    this.connection.stream.destroy()
  }

  #nameFor(text: string): string | undefined {
    if (!/^\s*(?:select|insert|update|delete|with)\b/i.test(text)) return undefined
    const name = nameOf(text)
    if (this.#prepared.has(name)) return name
    if (this.#prepared.size >= MAX_STATEMENTS) return undefined
    this.#prepared.add(name)
    return name
  }
}

/** Sends all queries of this tick in one write: each write is a system call and wakes the server. */
function holdUntilNextQuery(socket: Writable): void {
  socket.cork()
  // nextTick from a microtask runs after all microtasks, including the first query.
  queueMicrotask(() => process.nextTick(() => socket.uncork()))
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `q${hash('sha1', text, 'base64url')}`
  if (names.size < MAX_NAMES) names.set(text, name)
  return name
}
