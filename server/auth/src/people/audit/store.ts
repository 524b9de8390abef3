import type { AuditActor } from '@sightline/platform/audit'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** The user who signs in or out, as far as known; the rest is looked up. */
export interface SignInRecord extends Omit<AuditActor, 'clientId' | 'kind'> {
  readonly action:
    | 'login'
    | 'loginFailed'
    | 'visit'
    | 'logout'
    | 'passwordChanged'
    | 'tokenRevoked'
    | 'clientAllowed'
    | 'clientWithdrawn'
    | 'invitationAccepted'
    | 'passwordReset'
    | 'mfaEnabled'
    | 'mfaDisabled'
    | 'recoveryCodeUsed'
    | 'recoveryCodesRenewed'
    | 'lockedDown'
    | 'apiKeysEnded'
    | 'passkeyAdded'
    | 'passkeyRenamed'
    | 'passkeyRemoved'
    | 'passkeyRefused'
    | 'passkeysAskedFor'
    | 'passkeysNotAskedFor'
  readonly clientId: string | undefined
  readonly address: string
}

/** Uses the caller's transaction, if there is one. */
export type WriteAudit = (record: SignInRecord, tx?: Pick<Tx, 'insertInto'>) => Promise<void>

/** Appends to the audit log of the user's account. */
export const auditWriter =
  (db: Db, ids: IdSource): WriteAudit =>
  async (record, tx = db.plain) => {
    await tx
      .insertInto('audit_log')
      .values({
        account_id: record.accountId,
        audit_log_id: await ids.next(),
        user_id: record.userId,
        actor_name: record.support?.staffName ?? record.name ?? nameOf(record.userId),
        staff_id: record.support?.staffId ?? staffIdOf(record.userId),
        api_key_id: record.apiKeyId ?? null,
        client_id: record.clientId ?? null,
        action: record.action,
        target_kind: 'user',
        target_id: record.userId,
        address: record.address,
      })
      .execute()
  }

const nameOf = (userId: number) => sql<string>`(select name from auth.people where user_id = ${userId})`

const staffIdOf = (userId: number) =>
  sql<number>`(select user_id from auth.people where user_id = ${userId} and is_staff)`
