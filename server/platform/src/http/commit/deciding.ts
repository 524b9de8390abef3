import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import type { ApiError } from '@sightline/contract/errors'
import type { Db, Tx } from '../../db/index.ts'
import { fail, type Result } from '../../result/index.ts'
import { type Caller, type SessionReader, sessionIn } from '../../sessions/index.ts'
import { ENDED, TokenFault } from '../request/caller.ts'

/** Whom a call that changes something is decided on. */
interface Decision {
  on: Caller
  readonly sessions: Pick<SessionReader, 'confirm'>
}

/**
 * Beside the arguments, so that no handler can forget to pass it on: every transaction of `forCalls` asks here before it
 * ends, whoever opened it.
 */
const underWay = new AsyncLocalStorage<Decision>()

/** The caller is not who the call was decided on: something was taken away, or given, since. */
class CallerChanged extends Error {
  /** Undefined where the token is dead. */
  readonly now: Caller | undefined
  constructor(now: Caller | undefined) {
    super('the caller changed while the call was made')
    this.now = now
  }
}

/** A change that is overtaken so often by others of its own caller is to be tried again later. */
const ATTEMPTS = 5

export interface Deciding {
  readonly caller: Caller
  readonly sessions: Pick<SessionReader, 'confirm'>
  /** Why that caller may not make the call. */
  readonly refusal: (caller: Caller) => ApiError | undefined
}

/**
 * Makes a change on behalf of a caller who is known from up to a second ago. Where one of its transactions finds that he
 * has changed it is taken back, and the call is decided again on who he is now: refused as at the door, or made.
 * @throws TokenFault where the token ended
 */
export async function decided<T>(
  { caller, sessions, refusal }: Deciding,
  work: (caller: Caller) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  let on = caller
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await underWay.run({ on, sessions }, () => work(on))
    } catch (error) {
      if (!(error instanceof CallerChanged)) throw error
      if (error.now === undefined) throw new TokenFault(ENDED, { cause: error })
      const refused = refusal(error.now)
      if (refused !== undefined) return fail(refused)
      if (attempt === ATTEMPTS) {
        return fail({ error: 'overloaded', detail: 'what you may do is being changed at this moment', retryAfter: 1 })
      }
      on = error.now
    }
  }
}

/** From here on the call is decided on that caller, who was read within its transaction. */
export function decidedOn(caller: Caller): void {
  const decision = underWay.getStore()
  if (decision !== undefined) decision.on = caller
}

/**
 * Looks whether the caller is still who the call was decided on, as others have left it: what this call itself changes of
 * him is not seen before it ends. For what is not taken back with a transaction, such as a mail; transactions of
 * `forCalls` ask by themselves. @throws what the frame answers: it passes through every handler
 */
export async function confirmCaller({ beside }: Pick<Db, 'beside'>): Promise<void> {
  const decision = underWay.getStore()
  if (decision === undefined) return
  const now = await decision.sessions.confirm(decision.on.tokenSha256, sessionIn(beside))
  if (now === undefined || !isDeepStrictEqual(deciding(now), deciding(decision.on))) throw new CallerChanged(now)
}

/** Without what decides nothing: somebody may change the own name in twenty calls at once. */
const deciding = ({ name: _name, language: _language, ...rest }: Caller) => rest

/**
 * The database as what answers calls has it. A transaction of a call that changes something ends only while the caller is
 * who the call was decided on: whoever was blocked, or stripped of a right, while it waited for a row writes nothing. And
 * one that answers a refusal is taken back.
 */
export function forCalls(db: Db): Db {
  const whole =
    <T>(work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      const answer = await work(tx)
      if (isRefusal(answer)) throw new TakenBack(answer)
      await confirmCaller(db)
      return answer
    }
  return {
    ...db,
    inTenant: (scope, work) => answered(db.inTenant(scope, whole(work))),
    inOrganisation: (scope, work) => answered(db.inOrganisation(scope, whole(work))),
    transaction: (work) => answered(db.transaction(whole(work))),
  }
}

class TakenBack extends Error {
  readonly answer: unknown
  constructor(answer: unknown) {
    super('a refusal takes its transaction back')
    this.answer = answer
  }
}

const isRefusal = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'failure' in answer && 'ok' in answer && answer.ok === false

async function answered<T>(transaction: Promise<T>): Promise<T> {
  try {
    return await transaction
  } catch (error) {
    if (error instanceof TakenBack) return error.answer as T
    throw error
  }
}
