import { foldEmail } from '@sightline/contract/user-details'
import type { Db } from '@sightline/platform/db'
import type { NamedUser } from './options.ts'

/** The ids of the matching users: none, one, or users of several resellers with the same address. */
export async function findUsers(db: Db, user: NamedUser, resellerId: number | undefined): Promise<readonly number[]> {
  const found = db.plain.selectFrom('users').select('user_id')
  const named =
    user.kind === 'id'
      ? found.where('user_id', '=', user.userId)
      : found.where('email_folded', '=', foldEmail(user.email))
  const scoped = resellerId === undefined ? named : named.where('reseller_id', '=', resellerId)
  return (await scoped.execute()).map((row) => row.user_id)
}

export async function isReseller(db: Db, resellerId: number): Promise<boolean> {
  const found = db.plain.selectFrom('resellers').select('reseller_id').where('reseller_id', '=', resellerId)
  return (await found.executeTakeFirst()) !== undefined
}
