// People, accounts and staff that the tests of support sessions begin with.
import { instant } from '@sightline/platform/db'
import { type AuthUnderTest, openAuthUnderTest } from './auth-testing.ts'
import { addStaff, call, dealerToken } from './staff-testing.ts'

export const PASSWORD = 'Correct-horse7'
export const HOUR_MS = 3_600_000
export const PERMISSIONS = ['generateAccessToken', 'viewAccounts'] as const
export const OWNER = 'resellers/255/accounts/1001/users/1001/tokens'
export let under: AuthUnderTest
export let dealer: string
export let owner: string

/** Before the tests of a file. */
export async function openSupport(): Promise<void> {
  under = await openAuthUnderTest()
  await under.owner.insertInto('distributors').values({ distributor_id: 9, name: 'Another distributor' }).execute()
  await under.owner.insertInto('resellers').values({ reseller_id: 400, distributor_id: 9, name: 'R400' }).execute()
  await under.addUser({ userId: 1001, email: 'owner@demo.example', password: PASSWORD })
  await under.addUser({ userId: 1005, accountId: 1001, email: 'guard@demo.example', password: PASSWORD })
  await under.addUser({ userId: 1002, email: 'other@demo.example', password: PASSWORD })
  await under.addUser({ userId: 1003, email: 'foreign@demo.example', password: PASSWORD, resellerId: 300 })
  await addStaff(under, { userId: 2001, email: 'dealer@demo.example', password: PASSWORD, permissions: PERMISSIONS })
  await addStaff(under, { userId: 2002, email: 'sales@demo.example', password: PASSWORD, permissions: ['addAccount'] })
  const some = { permissions: PERMISSIONS, accountIds: [1002] }
  await addStaff(under, { userId: 2003, email: 'few@demo.example', password: PASSWORD, ...some })
  const above = { password: PASSWORD, permissions: PERMISSIONS }
  await addStaff(under, { userId: 2004, email: 'distributor@demo.example', level: 'distributor', ...above })
  await addStaff(under, { userId: 2005, email: 'admin@demo.example', level: 'admin', ...above })
  dealer = await staff('dealer')
  owner = await under.browser().token('owner@demo.example', PASSWORD)
}

/** Resets before each test: no sessions, all preconditions met, an empty log. */
export async function everythingHolds(): Promise<void> {
  await under.owner.deleteFrom('auth.access_sessions').where('support_staff_id', 'is not', null).execute()
  await under.owner.deleteFrom('audit_log').execute()
  await under.owner
    .updateTable('accounts')
    .set({ status: 'active', reseller_id: 255, helpdesk_show_video: false })
    .where('account_id', 'in', [1001, 1002])
    .execute()
  await under.owner
    .updateTable('users')
    .set({ reseller_id: 255, blocked: false })
    .where('account_id', '=', 1001)
    .execute()
  await under.owner
    .updateTable('staff')
    .set({ blocked: false, permissions: [...PERMISSIONS] })
    .where('user_id', '=', 2001)
    .execute()
  for (const id of [255, 300, 400]) await modules(id, true)
  await grant(1001, Date.now() + HOUR_MS)
  await grant(1002, Date.now() + HOUR_MS)
  await grant(1003, Date.now() + HOUR_MS)
}

export const staff = (name: string) => dealerToken(under.browser(), `${name}@demo.example`, PASSWORD)
export const modules = (resellerId: number, on: boolean) =>
  under.owner
    .updateTable('resellers')
    .set({ modules: JSON.stringify({ generateAccessToken: on }) })
    .where('reseller_id', '=', resellerId)
    .execute()
export const grant = (accountId: number, until: number | null) =>
  under.owner
    .updateTable('accounts')
    .set({ helpdesk_expires_at: until === null ? null : instant(until) })
    .where('account_id', '=', accountId)
    .execute()
export const begin = async (token = dealer, path = OWNER, body: unknown = {}): Promise<string> => {
  const reply = await call(under, token, `POST ${path}`, body)
  if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.access_token
}
/** The status of a call with the token: 200 while the session lasts. */
export const alive = async (token: string) => (await call(under, token, 'GET users/self/supportSession')).status
export const lines = (action: string) =>
  under.owner
    .selectFrom('audit_log')
    .select(['account_id', 'user_id', 'staff_id', 'actor_name', 'target_kind', 'target_id', 'after'])
    .where('action', '=', action)
    .orderBy('account_id')
    .execute()
