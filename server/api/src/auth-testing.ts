import { type AuthPlane, PasswordsOverloaded } from '@sightline/contract/auth-plane'
import { type Db, instant } from '@sightline/platform/db'
import type { MailRequestKind } from '@sightline/platform/mail-requests'
import { sql } from 'kysely'

export type AuthCall = 'createCredentials' | 'tellOfReport' | 'revokeSessions' | 'forgetUser'
export interface AskedOfAuth {
  readonly call: AuthCall
  readonly userId: number
}

/** Too many passwords are being hashed whenever this one is to be set. */
export const OVERLOADING_PASSWORD = 'Overload-the-server9'
/** Among the most used ones. */
export const COMMON_PASSWORD = 'password1'
export const RIGHT_PASSWORD = 'the right password'
/** What is given besides; none is right as well. */
export const RIGHT_CODE = '123456'

export interface AskedMail {
  readonly kind: MailRequestKind
  readonly userId: number
  readonly to: string
}

export async function askedMails({ plain }: Db): Promise<readonly AskedMail[]> {
  const rows = await plain
    .selectFrom('auth.mail_requests')
    .select(['kind', 'user_id', 'recipient'])
    // As they were added: ids are in no order.
    .orderBy(sql`ctid`)
    .execute()
  return rows.map(({ kind, user_id: userId, recipient: to }) => ({ kind, userId, to }))
}

export async function fillMailbox({ plain }: Db, to: string): Promise<void> {
  const columns = {
    account_id: 1,
    kind: 'reset',
    recipient: to,
    created_at: instant(Date.now()),
    give_up_at: instant(0),
  }
  for (let mailId = 1; mailId <= 5; mailId += 1) {
    await plain
      .insertInto('mail_outbox')
      .values({ ...columns, mail_id: mailId })
      .onConflict((conflict) => conflict.columns(['account_id', 'mail_id']).doUpdateSet(columns))
      .execute()
  }
}

/** The auth plane as the API knows it; it sends nothing and keeps nothing. */
export function authDouble(answer: Awaited<ReturnType<AuthPlane['verifyPassword']>>, asked: AskedOfAuth[]): AuthPlane {
  const note =
    (call: AuthCall) =>
    async ({ userId }: { userId: number }) => {
      asked.push({ call, userId })
    }
  return {
    verifyPassword: async ({ password }) => (answer === 'wrong' && password === RIGHT_PASSWORD ? 'right' : answer),
    confirmPerson: async ({ password, code }) => {
      if (answer !== 'wrong' || password !== RIGHT_PASSWORD) return answer
      return code === undefined || code === RIGHT_CODE ? 'right' : 'wrongCode'
    },
    personalData: async () => ({ sessions: [] }),
    isCommonPassword: async (password) => password === COMMON_PASSWORD,
    async createCredentials(given) {
      if (given.password === OVERLOADING_PASSWORD) throw new PasswordsOverloaded()
      await note('createCredentials')(given)
    },
    tellOfReport: note('tellOfReport'),
    revokeSessions: note('revokeSessions'),
    forgetUser: note('forgetUser'),
  }
}
