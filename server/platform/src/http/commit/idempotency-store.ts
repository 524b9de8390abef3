import { randomUUID } from 'node:crypto'
import { type Expression, sql } from 'kysely'
import type { Db, TenantScope, Tx } from '../../db/index.ts'

/** A stored reply, byte for byte as it was sent. */
export interface StoredReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request that must run once: its key and its fingerprint. */
export interface OnceRequest {
  readonly keySha256: Buffer
  readonly requestSha256: Buffer
}

export type Claim =
  /** The caller may run it now. */
  | { readonly kind: 'claimed'; readonly claimId: string }
  /** It ran. */
  | { readonly kind: 'kept'; readonly reply: StoredReply }
  /** Another process is running it now. */
  | { readonly kind: 'running' }
  /** The key was used for another request. */
  | { readonly kind: 'otherRequest' }
  /** The user has the maximum number of keys. */
  | { readonly kind: 'full' }

export interface IdempotencyStore {
  /** A claim that isn't renewed for this many milliseconds belongs to a dead process. */
  readonly claimMs: number
  claim(scope: TenantScope, request: OnceRequest): Promise<Claim>
  /** Call it more often than every `claimMs`, or another process may take over the request. */
  renew(scope: TenantScope, claimId: string, request: OnceRequest): Promise<void>
  keep(scope: TenantScope, claimId: string, given: { request: OnceRequest; reply: StoredReply }): Promise<void>
  /** It did not succeed, so the key is free again. */
  release(scope: TenantScope, claimId: string, request: OnceRequest): Promise<void>
  /** Deletes all entries older than 24 hours. */
  sweep(): Promise<void>
}

export interface IdempotencySettings {
  /** 15,000 unless told. */
  readonly claimMs?: number
  /** Of one user within 24 hours; 10,000 unless told, about 10 MB at 1 KiB each. */
  readonly mostKeys?: number
}

const replyEnd = sql<number>`now() + interval '24 hours'`

/**
 * In table `idempotency_keys`, under the role `app`. Times come from the database, so that machines don't have to
 * agree.
 */
export function idempotencyStore(db: Db, settings: IdempotencySettings = {}): IdempotencyStore {
  const { claimMs = 15_000, mostKeys = 10_000 } = settings
  const claimEnd = sql<number>`now() + ${`${claimMs} milliseconds`}::interval`
  const update = (tx: Tx, { scope, claimId, request }: { scope: TenantScope; claimId: string; request: OnceRequest }) =>
    tx
      .updateTable('idempotency_keys')
      .where('account_id', '=', scope.accountId)
      .where('user_id', '=', scope.userId)
      .where('key_sha256', '=', request.keySha256)
      .where('claim_id', '=', claimId)
  return {
    claimMs,
    claim: (scope, request) =>
      db.inTenant(scope, async (tx): Promise<Claim> => {
        const claimId = randomUUID()
        if (await insertClaim(tx, { scope, claimId, request }, claimEnd)) {
          if ((await countKeys(tx, scope)) <= mostKeys) return { kind: 'claimed', claimId }
          await remove(tx, { scope, claimId, request })
          return { kind: 'full' }
        }
        return readClaim(tx, scope, request)
      }),
    renew: (scope, claimId, request) =>
      db.inTenant(scope, async (tx) => {
        await update(tx, { scope, claimId, request }).set({ claimed_until: claimEnd }).execute()
      }),
    keep: (scope, claimId, { request, reply }) =>
      db.inTenant(scope, async (tx) => {
        await update(tx, { scope, claimId, request })
          .set({
            claim_id: null,
            claimed_until: null,
            reply_status: reply.status,
            reply_headers: JSON.stringify(reply.headers),
            reply_body: reply.body,
            expires_at: replyEnd,
          })
          .execute()
      }),
    release: (scope, claimId, request) => db.inTenant(scope, (tx) => remove(tx, { scope, claimId, request })),
    async sweep() {
      await sql`select sweep_idempotency_keys()`.execute(db.plain)
    },
  }
}

interface Claimed {
  readonly scope: TenantScope
  readonly claimId: string
  readonly request: OnceRequest
}

/**
 * Whether the caller has claimed the key: it was free, its 24 hours have passed, or the process that ran the same
 * request has died.
 */
async function insertClaim(
  tx: Tx,
  { scope, claimId, request }: Claimed,
  claimEnd: Expression<number>,
): Promise<boolean> {
  const row = await tx
    .insertInto('idempotency_keys')
    .values({
      account_id: scope.accountId,
      user_id: scope.userId,
      key_sha256: request.keySha256,
      request_sha256: request.requestSha256,
      claim_id: claimId,
      claimed_until: claimEnd,
      expires_at: replyEnd,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'user_id', 'key_sha256'])
        .doUpdateSet({
          request_sha256: request.requestSha256,
          claim_id: claimId,
          claimed_until: claimEnd,
          reply_status: null,
          reply_headers: null,
          reply_body: null,
          expires_at: replyEnd,
        })
        .where(({ or, and, eb }) =>
          or([
            eb('idempotency_keys.expires_at', '<=', sql<number>`now()`),
            and([
              eb('idempotency_keys.claimed_until', '<=', sql<number>`now()`),
              eb('idempotency_keys.request_sha256', '=', request.requestSha256),
            ]),
          ]),
        ),
    )
    .returning('claim_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The state of a request that another one has claimed. */
async function readClaim(tx: Tx, scope: TenantScope, request: OnceRequest): Promise<Claim> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'reply_status', 'reply_headers', 'reply_body'])
    .where('account_id', '=', scope.accountId)
    .where('user_id', '=', scope.userId)
    .where('key_sha256', '=', request.keySha256)
    .executeTakeFirst()
  // Released between the two statements.
  if (row === undefined) return { kind: 'running' }
  if (!row.request_sha256.equals(request.requestSha256)) return { kind: 'otherRequest' }
  if (row.reply_status === null) return { kind: 'running' }
  const reply = { status: row.reply_status, headers: row.reply_headers ?? {}, body: row.reply_body ?? '' }
  return { kind: 'kept', reply }
}

async function countKeys(tx: Tx, scope: TenantScope): Promise<number> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', scope.accountId)
    .where('user_id', '=', scope.userId)
    .where('expires_at', '>', sql<number>`now()`)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function remove(tx: Tx, { scope, claimId, request }: Claimed): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', scope.accountId)
    .where('user_id', '=', scope.userId)
    .where('key_sha256', '=', request.keySha256)
    .where('claim_id', '=', claimId)
    .execute()
}
