import type { Db, IdSource } from '@sightline/platform/db'

export interface SignInRecord {
  readonly accountId: number
  readonly userId: number
  readonly action:
    | 'login'
    | 'loginFailed'
    | 'logout'
    | 'passwordChanged'
    | 'tokenRevoked'
    | 'clientAllowed'
    | 'invitationAccepted'
    | 'passwordReset'
  readonly clientId: string | undefined
  readonly address: string
}

export type WriteAudit = (record: SignInRecord) => Promise<void>

/** Appends to the audit log of the person's account. */
export const auditWriter =
  (db: Db, ids: IdSource): WriteAudit =>
  async (record) => {
    await db.plain
      .insertInto('audit_log')
      .values({
        account_id: record.accountId,
        audit_log_id: await ids.next(),
        user_id: record.userId,
        client_id: record.clientId ?? null,
        action: record.action,
        target_kind: 'user',
        target_id: record.userId,
        address: record.address,
      })
      .execute()
  }
