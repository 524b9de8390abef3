import type { IdSource, Tx } from '../db/index.ts'

export { pictureHour } from './picture-views.ts'

/** Who acts, as far as the audit log asks; a caller is one. */
export interface AuditActor {
  /** A user of an account, or staff of a reseller, a distributor or the provider. */
  readonly kind?: 'member' | 'staff'
  /** Of staff the organisation they belong to. */
  readonly accountId: number
  readonly userId: number
  readonly clientId: string
  /** The displayed name, stored with the entry: users are deleted, entries are not. */
  readonly name?: string | undefined
  /** Present in a support session: the staff member who acts as that user. */
  readonly support?: { readonly staffId: number; readonly staffName: string } | undefined
  readonly apiKeyId?: number | undefined
}

/** The server itself, for scheduled work. */
export interface AuditServer extends Omit<AuditActor, 'userId'> {
  readonly userId: null
}

/** One entry of the audit log: who did what to which target. `before` and `after` never contain secrets. */
export interface AuditEntry {
  readonly action: string
  /**
   * The organisation whose log gets the entry, if it isn't the actor's own: staff act on organisations below theirs.
   */
  readonly accountId?: number
  readonly target?: { readonly kind: string; readonly id: number }
  readonly before?: unknown
  readonly after?: unknown
}

/**
 * Appends to the audit log: inside the transaction of the change, so that neither exists without the other, or in its
 * own if nothing changes. The entry is signed about a second later (docs/design/audit-log.md).
 */
export async function appendAudit(
  tx: Pick<Tx, 'insertInto'>,
  given: {
    readonly ids: IdSource
    readonly caller: AuditActor | AuditServer
    readonly address: string
    readonly entry: AuditEntry
  },
): Promise<void> {
  const { caller, entry } = given
  await tx
    .insertInto('audit_log')
    .values({
      account_id: entry.accountId ?? caller.accountId,
      audit_log_id: await given.ids.next(),
      user_id: caller.userId,
      actor_name: caller.support?.staffName ?? caller.name ?? null,
      staff_id: staffOf(caller),
      api_key_id: caller.apiKeyId ?? null,
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

function staffOf({ kind, support, userId }: AuditActor | AuditServer): number | null {
  if (support !== undefined) return support.staffId
  return kind === 'staff' ? userId : null
}
