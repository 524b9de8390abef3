import type { ApiError } from '@sightline/contract/errors'
import { type AccountStatus, listActiveModules, type Modules } from '@sightline/contract/rights'
import { SUPPORT_SESSION_MS } from '@sightline/contract/support-sessions'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The permissions that the caller requests for the session. */
export interface Wish {
  readonly scope?: 'read' | 'write' | 'read write' | 'write read' | undefined
  readonly readOnly?: boolean | undefined
}

/** The scopes of the session: the requested ones, limited to those of the caller's token. */
export function limitScopes(
  { scope, readOnly }: Wish,
  own: readonly string[],
): Result<readonly ('read' | 'write')[], ApiError> {
  const mayHave = (['read', 'write'] as const).filter((name) => own.includes(name))
  const asked = scope === undefined ? mayHave : (['read', 'write'] as const).filter((name) => scope.includes(name))
  if (readOnly === true && scope !== undefined && asked.includes('write')) {
    const message = "A read-only session can't have the scope write"
    return fail({ error: 'validation', fields: [{ field: 'readOnly', message }] })
  }
  const wanted = readOnly === true ? (['read'] as const) : asked
  const missing = wanted.find((name) => !mayHave.includes(name))
  return missing === undefined
    ? ok(wanted)
    : fail({ error: 'notAuthorized', detail: `this token lacks the scope ${missing}` })
}

/** The preconditions of a session other than the caller's permission. */
export interface SupportPreconditions {
  /** Those of the account's reseller; not checked for staff above it. */
  readonly modules: Readonly<Partial<Record<keyof Modules, unknown>>>
  readonly accountStatus: AccountStatus
  readonly isUserBlocked: boolean
  /** Milliseconds since 1970, here and below; null is closed. */
  readonly grantEndsAt: number | null
}

/** Until when the session may last, or which of its preconditions is missing (api.md §7). */
export function getSessionEnd(preconditions: SupportPreconditions, now: number): Result<number, ApiError> {
  const refuse = (detail: string) => fail({ error: 'notAuthorized', detail } as const)
  if (!listActiveModules(preconditions.modules).has('generateAccessToken')) {
    return refuse('the brand does not have the module generateAccessToken')
  }
  if (preconditions.accountStatus === 'suspended') return refuse('the account is suspended')
  if (preconditions.isUserBlocked) return refuse('the user is blocked')
  if (preconditions.grantEndsAt === null || preconditions.grantEndsAt <= now) {
    return refuse("the account owner hasn't allowed support access")
  }
  return ok(Math.min(preconditions.grantEndsAt, now + SUPPORT_SESSION_MS))
}
