import { createHash } from 'node:crypto'
import type { SessionRow, Tx } from '../db/index.ts'
import { type Caller, toCaller } from './caller.ts'

export type { SessionRow } from '../db/index.ts'
export { isAllowedAddress } from './allowed-address.ts'
export { type Caller, type MemberCaller, type MemberRow, memberOf, type StaffCaller, toCaller } from './caller.ts'

export const tokenSha256 = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The one query a session reader makes; by SHA-256 of the token. */
export type FindSession = (sha256: Buffer) => Promise<SessionRow | undefined>

/** The query within a transaction, or on any connection: the token and the person as it sees them at this moment. */
export const sessionIn =
  (from: Pick<Tx, 'selectFrom'>): FindSession =>
  (sha256) =>
    from.selectFrom('sessions').selectAll().where('token_sha256', '=', sha256).executeTakeFirst()

export interface SessionReader {
  /** The caller behind a token; undefined for a dead or unknown one. Answers may be up to `maxAgeMs` old. */
  find(token: string): Promise<Caller | undefined>
  /**
   * A fresh answer for a token known by its hash only (open streams check themselves each second); `by` asks in another
   * place, which is a transaction.
   */
  confirm(sha256: Buffer, by?: FindSession): Promise<Caller | undefined>
  /** A revocation became known: forget what was remembered, all of it or of one user. */
  forget(userId?: number): void
}

/**
 * Checks tokens by looking their SHA-256 up, remembering each answer for at most `maxAgeMs` (1 s in production), so that
 * a revoked right is refused at the next call after that at the latest (security.md R16).
 */
export function sessionReader(find: FindSession, now: () => number, maxAgeMs = 1000): SessionReader {
  const remembered = new Map<string, { caller: Caller | undefined; until: number }>()
  const ask = async (sha256: Buffer, by = find): Promise<Caller | undefined> => {
    const row = await by(sha256)
    return row === undefined ? undefined : toCaller(row, sha256, now())
  }
  const sweep = () => {
    if (remembered.size < 10_000) return
    for (const [key, entry] of remembered) if (entry.until <= now()) remembered.delete(key)
  }
  return {
    async find(token) {
      const sha256 = tokenSha256(token)
      const key = sha256.toString('latin1')
      const known = remembered.get(key)
      if (known !== undefined && known.until > now()) {
        return known.caller !== undefined && known.caller.expiresAt > now() ? known.caller : undefined
      }
      const caller = await ask(sha256)
      sweep()
      // Unknown tokens are not remembered: an attacker could fill the memory with them.
      if (caller !== undefined) remembered.set(key, { caller, until: now() + maxAgeMs })
      else remembered.delete(key)
      return caller
    },
    confirm: ask,
    forget(userId) {
      for (const [key, entry] of remembered) {
        if (userId === undefined || entry.caller?.userId === userId) remembered.delete(key)
      }
    },
  }
}
