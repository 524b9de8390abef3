import type { Permission, StaffLevel } from '@sightline/contract/rights'
import { PROVIDER_ID } from '@sightline/platform/db'
import type { AuthUnderTest } from './auth-testing.ts'
import type { Browser } from './browser-testing.ts'

export interface TestStaff {
  readonly userId: number
  readonly email: string
  readonly password: string
  /** Defaults to a reseller's. */
  readonly level?: StaffLevel
  /** Defaults to 255. */
  readonly resellerId?: number
  readonly permissions?: readonly Permission[]
  /** Defaults to the whole reseller. */
  readonly accountIds?: readonly number[]
}

/** Staff of a reseller, of distributor 1 or of the provider, called Dora Dealer. */
export async function addStaff({ owner, auth }: AuthUnderTest, staff: TestStaff): Promise<void> {
  const { userId, level = 'reseller', email, accountIds } = staff
  const resellerId = level === 'reseller' ? (staff.resellerId ?? 255) : null
  const distributorId = level === 'admin' ? null : 1
  const organisation = resellerId ?? distributorId ?? PROVIDER_ID
  await owner
    .insertInto('staff')
    .values({
      user_id: userId,
      level,
      organisation_id: organisation,
      distributor_id: distributorId,
      reseller_id: resellerId,
      email,
      email_folded: email.toLowerCase(),
      first_name: 'Dora',
      last_name: 'Dealer',
      permissions: [...(staff.permissions ?? [])],
      all_accounts: accountIds === undefined,
    })
    .execute()
  for (const accountId of accountIds ?? [])
    await owner.insertInto('staff_accounts').values({ user_id: userId, account_id: accountId }).execute()
  await auth.plane.createCredentials({ userId, accountId: organisation, password: staff.password })
}

/** Our application for staff, as `authorize` and `exchange` want it. */
export const dealerApp = ({ origin }: Pick<Browser, 'origin'>) => ({
  clientId: 'dealer.v1',
  redirectUri: `${origin}/dealer/`,
})

/** Signs in to the dealer dashboard and returns the access token. */
export async function dealerToken(browser: Browser, email: string, password: string): Promise<string> {
  const app = dealerApp(browser)
  const back = await browser.signIn(email, password, app)
  const code = back.searchParams.get('code')
  if (code === null) throw new Error(`the dealer dashboard got no code: ${back}`)
  const { body } = await browser.exchange(code, { client_id: app.clientId, redirect_uri: app.redirectUri })
  return body.access_token
}

export interface RestReply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every call
  readonly body: any
}

/** `PATCH apiKeys/5`, with that token and that body. */
export async function call(
  { origin }: Pick<AuthUnderTest, 'origin'>,
  token: string,
  what: string,
  body?: unknown,
): Promise<RestReply> {
  const [method = 'GET', path = ''] = what.split(' ')
  const response = await fetch(`${origin}/rest/v2.4/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
