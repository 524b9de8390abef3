import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { IDEMPOTENCY_KEY } from '@sightline/contract/conventions'
import type { ApiError } from '@sightline/contract/errors'
import type { TenantScope } from '../../db/index.ts'
import { fail, ok, type Result } from '../../result/index.ts'
import type { IdempotencyStore, OnceRequest, StoredReply } from './idempotency-store.ts'

/** How long a duplicate waits for the request that runs; clients try again after that. */
const WAIT_MS = 10_000
const FIRST_LOOK_MS = 20
const RARELY_MS = 320
const KEY = /^[\x21-\x7e]{1,255}$/

const wrongKey: ApiError = {
  error: 'validation',
  detail: `${IDEMPOTENCY_KEY}: must be 1 to 255 visible characters without spaces`,
  fields: [{ field: IDEMPOTENCY_KEY, message: 'must be 1 to 255 visible characters without spaces' }],
}
const otherRequest: ApiError = {
  error: 'businessRule',
  detail: `${IDEMPOTENCY_KEY}: this key was already used for a request with a different body: use a new key`,
}
const stillRunning: ApiError = {
  error: 'overloaded',
  detail: `${IDEMPOTENCY_KEY}: the first request with this key is still in progress: try again shortly`,
  retryAfter: 1,
}
const tooManyKeys: ApiError = {
  error: 'tooManyRequests',
  detail: `${IDEMPOTENCY_KEY}: too many keys within 24 hours: send the request without a key, or try again later`,
  retryAfter: 3600,
}

const sha256 = (...parts: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest()

/** The key of a request. `path` has no version: all versions get the same response. */
export function onceRequest(given: {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly query: unknown
  readonly body: unknown
}): Result<OnceRequest, ApiError> {
  if (!KEY.test(given.key)) return fail(wrongKey)
  return ok({
    keySha256: sha256(given.method, given.path, given.key),
    requestSha256: sha256(JSON.stringify(given.query ?? null), JSON.stringify(given.body ?? null)),
  })
}

export interface OnceOptions {
  readonly store: IdempotencyStore
  readonly scope: TenantScope
  readonly request: OnceRequest
  /** Called when a reply couldn't be stored or a claim renewed; the request itself succeeded or continues. */
  readonly onTrouble: (error: unknown) => void
}

export type Once = { readonly reply: StoredReply; readonly isReplayed: boolean }

/**
 * Runs a request once, however often and at however many processes it arrives, and returns the first success each time.
 * A failure frees the key, because nothing changed. If the process dies between the change and the stored reply, a
 * repetition runs again, as without a key.
 */
export async function once(
  options: OnceOptions,
  run: () => Promise<Result<StoredReply, ApiError>>,
): Promise<Result<Once, ApiError>> {
  const { store, scope, request } = options
  const waitUntil = Date.now() + WAIT_MS
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(2 * pause, RARELY_MS)) {
    const claim = await store.claim(scope, request)
    switch (claim.kind) {
      case 'claimed':
        return runClaimed(options, claim.claimId, run)
      case 'kept':
        return ok({ reply: claim.reply, isReplayed: true })
      case 'otherRequest':
        return fail(otherRequest)
      case 'full':
        return fail(tooManyKeys)
      case 'running':
        if (Date.now() + pause > waitUntil) return fail(stillRunning)
        await sleep(pause)
    }
  }
}

async function runClaimed(
  { store, scope, request, onTrouble }: OnceOptions,
  claimId: string,
  run: () => Promise<Result<StoredReply, ApiError>>,
): Promise<Result<Once, ApiError>> {
  const renewing = setInterval(() => void store.renew(scope, claimId, request).catch(onTrouble), store.claimMs / 3)
  let answered: Result<StoredReply, ApiError> | undefined
  try {
    answered = await run()
  } finally {
    clearInterval(renewing)
    const after = answered?.ok
      ? store.keep(scope, claimId, { request, reply: answered.value })
      : store.release(scope, claimId, request)
    // The change doesn't depend on its record.
    await after.catch(onTrouble)
  }
  return answered.ok ? ok({ reply: answered.value, isReplayed: false }) : answered
}
