import { hash } from 'node:crypto'
import type { SessionRow, Tx } from '../db/index.ts'
import type { AgreementVersion } from '../legal-texts/index.ts'
import { type Caller, isSuspendedOnly, type MemberCaller, toCaller } from './caller.ts'

export type { SessionRow } from '../db/index.ts'
export { isAllowedAddress } from './allowed-address.ts'
export { buildMember, type Caller, type MemberCaller, type MemberRow, type StaffCaller, toCaller } from './caller.ts'

export { type LastSeen, openLastSeen } from './last-seen.ts'

/** A character for each byte; a buffer from OpenSSL costs three times as much, and garbage. */
const tokenKey = (token: string): string => hash('sha256', token, 'binary')

const bytesOf = (key: string): Buffer => Buffer.from(key, 'latin1')

export const tokenSha256 = (token: string): Buffer => bytesOf(tokenKey(token))

/** The one query of a session reader, by SHA-256 of the token. */
export type FindSession = (sha256: Buffer) => Promise<SessionRow | undefined>

/** The query within a transaction, or on any connection: the token and its user as seen there now. */
export const createFindSession =
  (from: Pick<Tx, 'selectFrom'>): FindSession =>
  (sha256) =>
    from.selectFrom('sessions').selectAll().where('token_sha256', '=', sha256).executeTakeFirst()

export interface SessionReader {
  /** The caller behind a token; undefined for an expired or unknown one. Answers may be up to `maxAgeMs` old. */
  find(token: string): Promise<Caller | undefined>
  /**
   * A fresh answer for a token known only by its hash (open streams are checked each second); `by` queries within a
   * given transaction.
   */
  confirm(sha256: Buffer, by?: FindSession): Promise<Caller | undefined>
  /**
   * Whether a token doesn't work only because the account is suspended, and will work again after that. Queries the
   * database.
   */
  isSuspended(token: string): Promise<boolean>
  /** A revocation was reported: clear the cache, completely or for one user. */
  forget(userId?: number): void
}

interface Known {
  readonly caller: Caller
  readonly accepted: SessionRow['accepted_agreements']
}

/** The member, and whether they owe the brand's agreement after accepting those versions. */
export async function owingAgreement(
  caller: MemberCaller,
  accepted: SessionRow['accepted_agreements'],
  agreementVersion: AgreementVersion,
): Promise<MemberCaller> {
  if (accepted === null) return caller
  return { ...caller, owesAgreement: !accepted.includes(await agreementVersion(caller.resellerId)) }
}

export interface SessionReading {
  readonly find: FindSession
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly agreementVersion: AgreementVersion
  /** How long an answer is cached; 1 s if omitted. */
  readonly maxAgeMs?: number | undefined
  /** Called with valid tokens, each time they are looked up. */
  readonly onSeen?: ((sha256: Buffer) => void) | undefined
}

/**
 * Checks tokens by looking up their SHA-256. Each answer is cached for at most `maxAgeMs` (1 s in production), so that
 * a revoked right is refused at the first call after that at the latest (security.md R16).
 */
export function sessionReader(reading: SessionReading): SessionReader {
  const { find, now, agreementVersion, maxAgeMs = 1000, onSeen } = reading
  const remembered = new Map<string, Known & { readonly until: number }>()
  const known = async (sha256: Buffer, by = find): Promise<Known | undefined> => {
    const row = await by(sha256)
    const caller = row === undefined ? undefined : toCaller(row, sha256, now())
    if (caller === undefined) return undefined
    onSeen?.(sha256)
    return { caller, accepted: row?.accepted_agreements ?? null }
  }
  // The current version isn't cached: a text that the operator changes takes effect immediately.
  const asOf = async ({ caller, accepted }: Known): Promise<Caller> =>
    caller.kind === 'member' ? owingAgreement(caller, accepted, agreementVersion) : caller
  const ask = async (sha256: Buffer, by?: FindSession): Promise<Caller | undefined> => {
    const found = await known(sha256, by)
    return found === undefined ? undefined : asOf(found)
  }
  /** Undefined if it has to be queried: a user who owes the agreement may have accepted it since. */
  const recall = async (key: string): Promise<Caller | undefined> => {
    const before = remembered.get(key)
    if (before === undefined || before.until <= now() || before.caller.expiresAt <= now()) return undefined
    const caller = await asOf(before)
    return caller.kind === 'member' && caller.owesAgreement ? undefined : caller
  }
  const sweep = () => {
    if (remembered.size < 10_000) return
    for (const [key, entry] of remembered) if (entry.until <= now()) remembered.delete(key)
  }
  return {
    async find(token) {
      const key = tokenKey(token)
      const recalled = await recall(key)
      if (recalled !== undefined) return recalled
      const found = await known(bytesOf(key))
      sweep()
      // Unknown tokens are not remembered: an attacker could fill the memory with them.
      if (found !== undefined) remembered.set(key, { ...found, until: now() + maxAgeMs })
      else remembered.delete(key)
      return found === undefined ? undefined : asOf(found)
    },
    confirm: ask,
    async isSuspended(token) {
      const row = await find(tokenSha256(token))
      return row !== undefined && isSuspendedOnly(row, now())
    },
    forget(userId) {
      for (const [key, entry] of remembered) {
        if (userId === undefined || entry.caller.userId === userId) remembered.delete(key)
      }
    },
  }
}
