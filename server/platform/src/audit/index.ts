import type { IdSource, Tx } from '../db/index.ts'
import type { Caller } from '../sessions/index.ts'

/** One line of the audit log: who did what to which thing. `before` and `after` never hold secrets. */
export interface AuditEntry {
  readonly action: string
  readonly target?: { readonly kind: string; readonly id: number }
  readonly before?: unknown
  readonly after?: unknown
}

/** Appends to the audit log inside the transaction of the change itself, so that neither is without the other. */
export async function appendAudit(
  tx: Tx,
  given: { readonly ids: IdSource; readonly caller: Caller; readonly address: string; readonly entry: AuditEntry },
): Promise<void> {
  const { caller, entry } = given
  await tx
    .insertInto('audit_log')
    .values({
      account_id: caller.accountId,
      audit_log_id: await given.ids.next(),
      user_id: caller.userId,
      client_id: caller.clientId,
      action: entry.action,
      target_kind: entry.target?.kind ?? null,
      target_id: entry.target?.id ?? null,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
      address: given.address,
    })
    .execute()
}
