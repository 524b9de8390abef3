import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import {
  Authenticator,
  addPasskey,
  beginPasskey,
  fetchRequestOptions,
  postPasskey,
  setSecondFactor,
} from '../../passkey-testing.ts'
import { call } from '../../staff-testing.ts'

const PASSWORD = 'Correct-horse7'
const NEW = 'Another-zebra9'
const proof = { password: PASSWORD }

let under: AuthUnderTest
let here: { readonly origin: string }
let userId = 7000
let email = ''
let token = ''
let key: Authenticator

beforeAll(async () => {
  under = await openAuthUnderTest()
  here = { origin: `http://${under.brandHost}` }
})
afterAll(() => under[Symbol.asyncDispose]())
/** Each test has its own user, with a passkey. */
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  await under.addUser({ userId, email, password: PASSWORD, resellerId: 300 })
  token = await browser().token(email, PASSWORD)
  key = new Authenticator(here.origin)
  await addPasskey(here, token, { key, proof })
})

const browser = () => under.browser(here.origin)
const lock = (removePasskeys: boolean) =>
  call(here, token, 'POST users/self/lockdown', { endApiKeys: false, removePasskeys })
const lossOf = async () => (await call(here, token, 'GET users/self/lockdown')).body
const left = async () => {
  const rows = under.owner.selectFrom('auth.passkeys').select('name').where('user_id', '=', userId).orderBy('name')
  return (await rows.execute()).map(({ name }) => name)
}
const removals = async () => {
  const lines = under.owner.selectFrom('audit_log').select('action').where('user_id', '=', userId)
  return (await lines.where('action', '=', 'passkeyRemoved').execute()).length
}
async function setNewPassword(): Promise<void> {
  const text = (await under.sentMails()).filter(({ to }) => to === email).at(-1)?.text ?? ''
  const { pathname, search } = new URL(/^https?:\S+$/m.exec(text)?.[0] ?? '')
  const { status } = await browser().post(pathname + search, { password: NEW, confirmation: NEW })
  expect(status).toBe(200)
}
const signInPath = async (from: ReturnType<typeof browser>) => (await from.authorize()).location?.pathname ?? ''

test.each([
  [true, []],
  [false, ['Red laptop']],
])('removing passkeys %s leaves %j, which work only after the password is reset', async (removes, names) => {
  expect(await lossOf()).toMatchObject({ passkeys: ['Red laptop'], passkeysAreSecondFactor: false })
  expect((await lock(removes)).status).toBe(204)
  expect(await left()).toEqual(names)
  expect(await removals()).toBe(removes ? 1 : 0)
  const byPasskey = async (): Promise<number> => {
    const from = browser()
    const path = await signInPath(from)
    return (await postPasskey(from, path, key.get(await fetchRequestOptions(from, path)))).status
  }
  expect(await byPasskey()).not.toBe(303)
  await setNewPassword()
  expect((await byPasskey()) === 303).toBe(!removes)
})

test("if passkeys are the second factor, a mailbox alone isn't enough: a recovery code is required", async () => {
  const [code = ''] = (await setSecondFactor(here, token, true, proof)).body.recoveryCodes as readonly string[]
  expect(await lossOf()).toMatchObject({ passkeysAreSecondFactor: true })
  await lock(true)
  await setNewPassword()
  const from = browser()
  const posted = await from.post(await signInPath(from), { email, password: NEW })
  const step = `${posted.location?.pathname}${posted.location?.search}`
  expect(step).toContain('step=')
  const recovery = step.replace(/step=\w+/, 'step=recovery')
  expect((await from.post(recovery, { code: '0000000000' })).status).toBe(422)
  expect((await from.post(recovery, { code })).status).toBe(303)
})

test('a passkey added while the lockdown starts is removed with the others', async () => {
  const credential = new Authenticator(here.origin).create(await beginPasskey(here, token, proof))
  await using audit = await hold(under, 'lock table audit_log in exclusive mode')
  const adding = call(here, token, 'POST users/self/passkeys', { name: 'Thief', credential })
  await audit.waiting(1)
  const locking = lock(true)
  await audit.waiting(2)
  await audit.release()
  expect([(await adding).status, (await locking).status]).toEqual([201, 204])
  expect(await left()).toEqual([])
})
