import { isDeepStrictEqual } from 'node:util'
import type { ApiError } from '@sightline/contract/errors'
import { type AuditEntry, appendAudit } from '../../audit/index.ts'
import { systemClock } from '../../clock/index.ts'
import type { Db, IdSource, OrganisationScope, TenantScope, Tx } from '../../db/index.ts'
import { type MailRequest, requestMail } from '../../mail-requests/index.ts'
import { fail, type Result } from '../../result/index.ts'
import { type Caller, createFindSession, type SessionReader } from '../../sessions/index.ts'
import { ENDED, TokenFault } from '../request/caller.ts'

/**
 * The rows that a transaction sees: an account's, those of an organisation above the accounts, or `plane`: all that the
 * plane's role may see.
 */
export type ChangeScope = TenantScope | OrganisationScope | 'plane'

/**
 * Passed to a handler that writes, instead of a caller. All writes go through `tx`, so that no handler can forget that
 * its caller may have been blocked, or have lost a right, while it waited for a row (docs/decisions/0044).
 */
export interface Change<Who = Caller, Reply = unknown> {
  /** Who the call is decided on. */
  readonly caller: Who
  /**
   * One transaction. An error rolls it back. Before it commits, the caller is read again; if the caller has changed,
   * the transaction is rolled back and the call is authorized again: rejected, or repeated.
   */
  tx<T>(scope: ChangeScope, work: (tx: Tx) => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>>
  /**
   * From here on the call is authorized for the caller as this transaction sees them; returns the reason if it is
   * rejected. Use it after a lock that changes of rights take too.
   */
  reauthorize(): Promise<Result<Who, ApiError>>
  /** Appends to the audit log within the transaction, as the caller. */
  audit(entry: AuditEntry): Promise<void>
  /**
   * Requests an email in the caller's name, within the transaction, so that a rollback leaves none. Rejects the call with
   * 429 if the recipient got too many emails recently.
   *
   * @throws the frame's error
   */
  notify(mail: MailRequest): Promise<void>
  /**
   * Rejects the call with 412 if If-Match names another state than `current`, which was read under a lock in this
   * transaction; undefined means that the object doesn't exist yet.
   *
   * @throws the frame's error
   */
  ifMatch(current: Reply | undefined): void
  /** The same as a value, for a handler that must also undo something outside the transaction. */
  conditionFailure(current: Reply): ApiError | undefined
  /**
   * Confirms the caller in a transaction that `tx` didn't open, because it also ends tokens (docs/decisions/0018).
   *
   * @throws the frame's error
   */
  confirm(): Promise<void>
}

/** What the changes of a plane need. */
export interface ChangeDeps {
  readonly db: Db
  readonly ids: IdSource
}

/** The frame's data of the call. */
export interface ChangeCall {
  readonly sessions: Pick<SessionReader, 'confirm'>
  readonly address: string
  readonly host: string
  /** Why that caller can't make the call. */
  readonly refusal: (caller: Caller) => ApiError | undefined
  /** Why If-Match does not name that state; undefined without If-Match. */
  readonly changedSince: (current: unknown) => ApiError | undefined
  /** Whether the request has an If-Match that this call must check. */
  readonly isConditional: boolean
}

/** After this many conflicts with the same caller's other changes, the client should retry later. */
const MAX_ATTEMPTS = 5

/** The caller's rights have changed since the call was authorized. */
class CallerChanged extends Error {
  /** Undefined if the token is no longer valid. */
  readonly now: Caller | undefined
  constructor(now: Caller | undefined) {
    super("the caller's access changed during the call")
    this.now = now
  }
}

/** Rolls the transaction back; the caller gets its error. */
class ChangeDenied extends Error {
  readonly failure: ApiError
  constructor(failure: ApiError) {
    super(failure.detail ?? failure.error)
    this.failure = failure
  }
}

/** Makes a change for a caller whose cached state is up to a second old. @throws TokenFault if the token ended */
export async function makeChange<T>(
  caller: Caller,
  call: ChangeCall,
  deps: ChangeDeps,
  work: (change: Change) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  let on = caller
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const outcome = await attempt(new CallChange(on, call, deps), work)
    if (!(outcome instanceof CallerChanged)) return outcome
    const { now } = outcome
    if (now === undefined) throw new TokenFault(ENDED, { cause: outcome })
    const refused = call.refusal(now)
    if (refused !== undefined) return fail(refused)
    on = now
  }
  return fail({ error: 'overloaded', detail: 'your access is being changed: try again shortly', retryAfter: 1 })
}

async function attempt<T>(
  change: CallChange,
  work: (change: Change) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError> | CallerChanged> {
  try {
    const done = await work(change)
    change.assertComplete(done)
    return done
  } catch (error) {
    if (error instanceof ChangeDenied) return fail(error.failure)
    if (error instanceof CallerChanged) return error
    throw error
  }
}

class CallChange implements Change {
  caller: Caller
  readonly #call: ChangeCall
  readonly #deps: ChangeDeps
  #tx: Tx | undefined
  #isIfMatchChecked = false

  constructor(caller: Caller, call: ChangeCall, deps: ChangeDeps) {
    this.caller = caller
    this.#call = call
    this.#deps = deps
  }

  async tx<T>(scope: ChangeScope, work: (tx: Tx) => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
    if (this.#tx !== undefined) throw new Error('a change can have only one transaction at a time')
    const { db } = this.#deps
    const whole = (tx: Tx) => this.#whole(tx, work)
    try {
      if (scope === 'plane') return await db.transaction(whole)
      return await ('organisationId' in scope ? db.inOrganisation(scope, whole) : db.inTenant(scope, whole))
    } catch (error) {
      if (error instanceof ChangeDenied) return fail(error.failure)
      throw error
    } finally {
      this.#tx = undefined
    }
  }

  /** The work, and the checks between it and the commit. */
  async #whole<T>(tx: Tx, work: (tx: Tx) => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
    this.#tx = tx
    const answer = await work(tx)
    if (!answer.ok) throw new ChangeDenied(answer.failure)
    await this.confirm()
    return answer
  }

  /**
   * Reads the caller as other transactions left them: this transaction's own changes aren't visible until it commits.
   */
  async confirm(): Promise<void> {
    const { beside } = this.#deps.db
    const now = await this.#call.sessions.confirm(this.caller.tokenSha256, createFindSession(beside))
    if (now === undefined || !isDeepStrictEqual(deciding(now), deciding(this.caller))) throw new CallerChanged(now)
  }

  async reauthorize(): Promise<Result<Caller, ApiError>> {
    const tx = this.#current('reauthorize')
    const now = await this.#call.sessions.confirm(this.caller.tokenSha256, createFindSession(tx))
    if (now === undefined) throw new TokenFault(ENDED)
    const refusal = this.#call.refusal(now)
    if (refusal !== undefined) return fail(refusal)
    this.caller = now
    return { ok: true, value: now }
  }

  async audit(entry: AuditEntry): Promise<void> {
    const tx = this.#current('audit')
    await appendAudit(tx, { ids: this.#deps.ids, caller: this.caller, address: this.#call.address, entry })
  }

  async notify(request: MailRequest): Promise<void> {
    const tx = this.#current('notify')
    const { userId, name } = this.caller
    const by = { userId, name, host: this.#call.host }
    const waitS = await requestMail(tx, { mailId: await this.#deps.ids.next(), request, by, at: systemClock.now() })
    if (waitS === undefined) return
    throw new ChangeDenied({
      error: 'tooManyRequests',
      detail: 'too many emails were sent to this person recently; try again later',
      retryAfter: waitS,
    })
  }

  ifMatch(current: unknown): void {
    const failure = this.conditionFailure(current)
    if (failure !== undefined) throw new ChangeDenied(failure)
  }

  conditionFailure(current: unknown): ApiError | undefined {
    this.#isIfMatchChecked = true
    return current === undefined ? undefined : this.#call.changedSince(current)
  }

  /** An ignored condition must not look as if it were met. */
  assertComplete(done: Result<unknown, ApiError>): void {
    if (!done.ok || this.#isIfMatchChecked || !this.#call.isConditional) return
    throw new TypeError('a change was saved without change.ifMatch, although the call supports If-Match')
  }

  #current(act: string): Tx {
    if (this.#tx === undefined) throw new Error(`change.${act} needs change.tx around it`)
    return this.#tx
  }
}

/** Ignores fields without effect on rights: a user may change their own name in twenty concurrent calls. */
const deciding = ({ name: _name, language: _language, ...rest }: Caller) => rest
