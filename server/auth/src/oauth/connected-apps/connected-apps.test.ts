import { hold } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { ask, getCode, rest } from '../../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const BACK = 'https://nvr.example/back'
let under: AuthUnderTest
let secret = ''
let userId = 6000
let email = ''
let token = ''

beforeAll(async () => {
  under = await openAuthUnderTest()
  secret = await under.addClient({ clientId: 'nvr', name: 'The NVR people' })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  under.revoked.length = 0
  await under.addUser({ userId, email, password: PASSWORD })
  token = await under.browser().token(email, PASSWORD)
})

const basic = () => ['nvr', secret] as const
async function letIn() {
  const browser = under.browser()
  const back = await browser.letIn({ email, password: PASSWORD, clientId: 'nvr', redirectUri: BACK })
  const fields = { grant_type: 'authorization_code', code: getCode(back), redirect_uri: BACK }
  const { status, body } = await ask(under, fields, { basic: basic() })
  if (status !== 200) throw new Error(`the code was answered by ${status} ${JSON.stringify(body)}`)
  return { browser, access: body.access_token as string, refresh: body.refresh_token as string }
}
const refreshed = (refresh: string) =>
  ask(under, { grant_type: 'refresh_token', refresh_token: refresh }, { basic: basic() })
const listed = async () => (await rest(under, token, 'GET connectedApps')).body
const isAlive = async (access: string) => (await rest(under, access)).status === 200

test('a user sees each app with name, scopes, start and last use', async () => {
  expect(await listed()).toEqual([])
  await letIn()
  expect(await listed()).toEqual([
    {
      clientId: 'nvr',
      name: 'The NVR people',
      scopes: ['read', 'write'],
      allowedAt: expect.stringMatching(/\+00:00$/),
      lastUsedAt: expect.stringMatching(/\+00:00$/),
    },
  ])
})

test('removing an app ends its tokens and refresh tokens, closes open streams, and asks the user again', async () => {
  const { browser, access, refresh } = await letIn()
  expect(await isAlive(access)).toBe(true)
  expect(await rest(under, token, 'DELETE connectedApps/nvr')).toMatchObject({ status: 204 })
  expect(await isAlive(access)).toBe(false)
  expect(await refreshed(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(under.revoked).toEqual([{ tokenSha256: tokenSha256(access) }])
  expect(await listed()).toEqual([])
  expect(await isAlive(token)).toBe(true)
  const asked = await browser.authorize({
    clientId: 'nvr',
    redirectUri: BACK,
    extra: { code_challenge: '', code_challenge_method: '' },
  })
  expect(asked.location?.pathname).toMatch(/^\/sign-in\//)
  const lines = await under.owner
    .selectFrom('audit_log')
    .select(['action', 'client_id'])
    .where('user_id', '=', userId)
    .where('action', '=', 'clientWithdrawn')
    .execute()
  expect(lines).toEqual([{ action: 'clientWithdrawn', client_id: 'nvr' }])
})

test("another user's app looks like a nonexistent one", async () => {
  const { access, refresh } = await letIn()
  await under.addUser({ userId: userId + 500, email: `else${userId}@video.example`, password: PASSWORD })
  const stranger = await under.browser().token(`else${userId}@video.example`, PASSWORD)
  const foreign = await rest(under, stranger, 'DELETE connectedApps/nvr')
  expect(foreign).toMatchObject({ status: 404, body: { code: 4 } })
  expect(await rest(under, stranger, 'DELETE connectedApps/absent')).toEqual(foreign)
  expect(await isAlive(access)).toBe(true)
  expect((await refreshed(refresh)).status).toBe(200)
})

test('the second of two removals finds nothing, even at the same moment', async () => {
  await letIn()
  const all = await Promise.all([1, 2, 3].map(() => rest(under, token, 'DELETE connectedApps/nvr')))
  expect(all.map(({ status }) => status).sort()).toEqual([204, 404, 404])
})

test('an authorization in progress while the app is removed gives no token', async () => {
  const { browser } = await letIn()
  await using records = await hold(under, 'lock table auth.provider_records in share mode')
  const extra = { code_challenge: '', code_challenge_method: '' }
  const authorizing = browser.authorize({ clientId: 'nvr', redirectUri: BACK, extra })
  await records.waiting(1)
  const withdrawing = rest(under, token, 'DELETE connectedApps/nvr')
  await records.waiting(2)
  await records.release()
  expect((await withdrawing).status).toBe(204)
  const code = (await authorizing).location?.searchParams.get('code') ?? ''
  const fields = { grant_type: 'authorization_code', code, redirect_uri: BACK }
  expect((await ask(under, fields, { basic: basic() })).status).toBe(400)
  expect(await listed()).toEqual([])
})
