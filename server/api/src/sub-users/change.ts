import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import type { AuditEntry } from '@sightline/platform/audit'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { Change } from '@sightline/platform/http'
import { fail, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { lockUsers } from '../permission-profiles/index.ts'
import type { CameraZones, Holder } from './rules.ts'
import { findUser, isEmailTaken, isLimitReached, loadCameraZones, type StoredUser } from './store.ts'

export interface SubUsersDeps {
  readonly db: Db
  readonly ids: IdSource
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether the operator set up a dedicated translation host. */
  readonly isTranslated?: boolean
  readonly auth: Pick<AuthPlane, 'isCommonPassword' | 'createCredentials' | 'revokeSessions' | 'forgetUser'>
}

/** The data for a decision about users: rows that are locked until the change is written. */
export interface ChangeContext {
  readonly tx: Tx
  /** The caller according to the current rows. */
  readonly me: Holder
  readonly cameras: CameraZones
  /** Writes an entry of the audit log with the change. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** The call that changes people. */
export interface UserChangeCall {
  readonly change: Pick<Change<MemberCaller>, 'caller' | 'tx' | 'reauthorize' | 'audit' | 'notify'>
}

/** One transaction on the users of an account. These run one after another, so each decides on current data. */
export async function changeUsers<Value>(
  { change }: UserChangeCall,
  work: (context: ChangeContext) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> {
  try {
    const { accountId } = change.caller
    return await change.tx(change.caller, async (tx) => {
      await lockUsers(tx, accountId)
      const asked = await change.reauthorize()
      if (!asked.ok) return asked
      const caller = asked.value
      const me = await findUser(tx, caller)
      // Deleted after the token was checked.
      if (me === undefined) return fail({ error: 'notAuthorized' })
      const record = (entry: AuditEntry) => change.audit(entry)
      return work({ tx, me: me.holder, cameras: await loadCameraZones(tx, accountId), record })
    })
  } catch (error) {
    if (isEmailTaken(error)) return fail({ error: 'duplicate', detail: 'another user already has this email address' })
    if (!isLimitReached(error)) throw error
    return fail({ error: 'businessRule', detail: 'The maximum number of sub-users is reached' })
  }
}

/** The same for one user of the account. A user of another account looks like one that doesn't exist. */
export const changeUser = <Value>(
  asking: UserChangeCall & { readonly userId: number },
  work: (context: ChangeContext, person: StoredUser) => Promise<Result<Value, ApiError>>,
): Promise<Result<Value, ApiError>> =>
  changeUsers(asking, async (context) => {
    const person = await findUser(context.tx, { accountId: asking.change.caller.accountId, userId: asking.userId })
    return person === undefined ? fail({ error: 'notFound' }) : work(context, person)
  })

export const userTarget = (userId: number): { readonly kind: string; readonly id: number } => ({
  kind: 'user',
  id: userId,
})

/** The name of a deleted user, or one who will be, in the audit log and emails. */
export const toNamedUser = ({ row }: Pick<StoredUser, 'row'>) => ({
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
})
