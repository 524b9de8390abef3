import { createHash } from 'node:crypto'
import { effectiveRights, type Right } from '@sightline/contract/rights'

/** Who calls, as the token and the person's present rights say. Never built from anything a client sends. */
export interface Caller {
  readonly tokenSha256: Buffer
  readonly tokenId: number
  readonly userId: number
  readonly accountId: number
  readonly resellerId: number
  readonly isSuperUser: boolean
  readonly isDemoUser: boolean
  readonly clientId: string
  readonly appId: string
  readonly scopes: readonly string[]
  readonly rights: ReadonlySet<Right>
  readonly rightsVersion: number
  readonly allCameras: boolean
  readonly language: string
  readonly accountStatus: 'active' | 'inactive' | 'suspended'
  readonly preventEditUserDetails: boolean
  readonly userSelfServiceManagement: boolean
  readonly expiresAt: number
}

/** One row of the view `sessions`. */
export interface SessionRow {
  readonly token_id: number
  readonly user_id: number
  readonly account_id: number
  readonly reseller_id: number
  readonly client_id: string
  readonly app_id: string
  readonly scopes: readonly string[]
  readonly expires_at: number
  readonly rights: readonly string[]
  readonly rights_version: number
  readonly all_cameras: boolean
  readonly blocked: boolean
  readonly language: string
  readonly account_status: Caller['accountStatus']
  readonly prevent_edit_user_details: boolean
  readonly user_self_service_management: boolean
}

export const tokenSha256 = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The caller that a row stands for, or undefined where the person is blocked or the account suspended. */
export function toCaller(row: SessionRow, sha256: Buffer): Caller | undefined {
  if (row.blocked || row.account_status === 'suspended') return undefined
  const isSuperUser = row.user_id === row.account_id
  return {
    tokenSha256: sha256,
    tokenId: row.token_id,
    userId: row.user_id,
    accountId: row.account_id,
    resellerId: row.reseller_id,
    isSuperUser,
    isDemoUser: row.rights.includes('demoUser'),
    clientId: row.client_id,
    appId: row.app_id,
    scopes: row.scopes,
    rights: effectiveRights({ isSuperUser, granted: row.rights }),
    rightsVersion: row.rights_version,
    allCameras: row.all_cameras || isSuperUser,
    language: row.language,
    accountStatus: row.account_status,
    preventEditUserDetails: row.prevent_edit_user_details,
    userSelfServiceManagement: row.user_self_service_management,
    expiresAt: row.expires_at,
  }
}

/** The one query a session reader makes; by SHA-256 of the token. */
export type FindSession = (sha256: Buffer) => Promise<SessionRow | undefined>

export interface SessionReader {
  /** The caller behind a token; undefined for a dead or unknown one. Answers may be up to `maxAgeMs` old. */
  find(token: string): Promise<Caller | undefined>
  /** A fresh answer for a token known by its hash only (open streams check themselves each second). */
  confirm(sha256: Buffer): Promise<Caller | undefined>
  /** A revocation became known: forget what was remembered, all of it or of one user. */
  forget(userId?: number): void
}

/**
 * Checks tokens by looking their SHA-256 up, remembering each answer for at most `maxAgeMs` (1 s in production), so that
 * a revoked right is refused at the next call after that at the latest (security.md R16).
 */
export function sessionReader(find: FindSession, now: () => number, maxAgeMs = 1000): SessionReader {
  const remembered = new Map<string, { caller: Caller | undefined; until: number }>()
  const ask = async (sha256: Buffer): Promise<Caller | undefined> => {
    const row = await find(sha256)
    return row === undefined ? undefined : toCaller(row, sha256)
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
