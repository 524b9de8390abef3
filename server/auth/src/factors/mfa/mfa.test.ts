import { INVALID_CODE } from '@sightline/contract/mfa'
import { MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { enableMfa, getCurrentCode, ownMfa, setMfa } from '../../mfa-testing.ts'
import { addStaff, call, dealerToken } from '../../staff-testing.ts'
import { ask } from '../../token-testing.ts'
import { LIMITS, WINDOW_MS } from '../failures/index.ts'

const PASSWORD = 'Correct-horse7'
const STEP_MS = 30_000
const clock = manualClock(Date.now())
let under: AuthUnderTest
let userId = 1000
let token = ''

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
})
afterAll(() => under[Symbol.asyncDispose]())
/** Each test has its own user, with no failures counted against this machine. */
beforeEach(async () => {
  clock.advance(WINDOW_MS)
  userId += 1
  await under.addUser({ userId, email: mailOf(userId), password: PASSWORD })
  token = await under.browser().token(mailOf(userId), PASSWORD)
})

const mailOf = (id: number) => `person${id}@video.example`
const wrongCode = (secret: string) => {
  const right = [-1, 0, 1].map((away) => getCurrentCode(secret, clock.now() + away * STEP_MS))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
}
const refusedCode = { status: 403, body: { code: 9, detail: INVALID_CODE } }
const alive = async (given: string) => (await call(under, given, 'GET users/self/tokens')).status
const linesOf = async (id: number) =>
  (await under.owner.selectFrom('audit_log').select('action').where('user_id', '=', id).execute()).map(
    ({ action }) => action,
  )
const mailsTo = async (to: string) => (await under.sentMails()).filter((mail) => mail.to === to)
const isOnFor = (id: number) =>
  under.owner.selectFrom('users').select('mfa_enabled').where('user_id', '=', id).executeTakeFirstOrThrow()

describe('while it is off', () => {
  test('shows the seed and its QR code, the same for an hour', async () => {
    const first = await ownMfa(under, token)
    expect(first).toEqual({
      enabled: false,
      qrCode: expect.stringMatching(/^data:image\/png;base64,iVBOR/),
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      recoveryCodesLeft: 0,
    })
    const again = await Promise.all(Array.from({ length: 6 }, () => ownMfa(under, token)))
    for (const one of again) expect(one).toEqual(first)
    clock.advance(MS_PER_HOUR + 1)
    const later = await ownMfa(under, token)
    expect(later.secret).not.toBe(first.secret)
    expect(await setMfa(under, token, true, getCurrentCode(first.secret ?? '', clock.now()))).toMatchObject(refusedCode)
  })

  test('many first requests at once get the same seed', async () => {
    const shown = await Promise.all(Array.from({ length: 10 }, () => ownMfa(under, token)))
    expect(new Set(shown.map(({ secret }) => secret)).size).toBe(1)
  })

  test('the seed is never stored in plain text', async () => {
    const { secret } = await ownMfa(under, token)
    const row = await under.owner
      .selectFrom('auth.two_factor')
      .select('seed_sealed')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(row.seed_sealed).toHaveLength(1 + 12 + 16 + 40)
    // Encrypted for its own row: it can't be decrypted in another.
    await under.addUser({ userId: userId + 5000, email: mailOf(userId + 5000), password: PASSWORD })
    const other = await under.browser().token(mailOf(userId + 5000), PASSWORD)
    await ownMfa(under, other)
    await under.owner
      .updateTable('auth.two_factor')
      .set(row)
      .where('user_id', '=', userId + 5000)
      .execute()
    expect((await call(under, other, 'GET users/self/mfa')).status).toBe(500)
    expect(under.logged.join('\n')).not.toContain(secret)
  })

  test("can't be turned off", async () => {
    expect(await setMfa(under, token, false, '123456')).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test.each([
    ['', 'Required.'],
    ['12345', '6 characters are required'],
    ['k7m3q-9xw2p', '6 characters are required'],
  ])("isn't turned on with %j, with a message", async (code, message) => {
    await ownMfa(under, token)
    const refused = await setMfa(under, token, true, code)
    expect(refused).toMatchObject({ status: 400, body: { code: 3 } })
    expect(JSON.stringify(refused.body.fields)).toContain(message)
  })

  test('without a seed no code is right', async () => {
    expect(await setMfa(under, token, true, '123456')).toMatchObject(refusedCode)
  })

  test("a demo user sees that it is off, gets no seed and can't change anything", async () => {
    await under.owner
      .updateTable('users')
      .set({ rights: ['demoUser'] })
      .where('user_id', '=', userId)
      .execute()
    expect(await ownMfa(under, token)).toEqual({ enabled: false, qrCode: null, secret: null, recoveryCodesLeft: 0 })
    expect((await setMfa(under, token, true, '123456')).status).toBe(403)
    expect(await under.owner.selectFrom('auth.two_factor').selectAll().where('user_id', '=', userId).execute()).toEqual(
      [],
    )
  })

  test('a read-only application gets no seed', async () => {
    const secret = await under.addClient({ clientId: `reader${userId}`, passwordGrant: true, scopes: ['read'] })
    const { body } = await ask(
      under,
      { grant_type: 'password', username: mailOf(userId), password: PASSWORD },
      { basic: [`reader${userId}`, secret] },
    )
    expect(await ownMfa(under, body.access_token)).toMatchObject({ enabled: false, qrCode: null, secret: null })
  })
})

describe('turning it on', () => {
  test('needs a code from the seed, and returns ten recovery codes once', async () => {
    const { secret } = await ownMfa(under, token)
    expect(await setMfa(under, token, true, wrongCode(secret ?? ''))).toMatchObject(refusedCode)
    const on = await setMfa(under, token, true, getCurrentCode(secret ?? '', clock.now()))
    expect(on).toMatchObject({
      status: 200,
      body: { enabled: true, qrCode: null, secret: null, recoveryCodesLeft: 10 },
    })
    expect(new Set(on.body.recoveryCodes).size).toBe(10)
    for (const code of on.body.recoveryCodes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
    expect(await ownMfa(under, token)).toEqual({ enabled: true, qrCode: null, secret: null, recoveryCodesLeft: 10 })
    expect(await isOnFor(userId)).toEqual({ mfa_enabled: true })
  })

  test('ends every other sign-in and token, is logged and notified by email', async () => {
    const other = under.browser()
    const elsewhere = await other.token(mailOf(userId), PASSWORD)
    await enableMfa(under, token, clock.now())
    expect(await alive(elsewhere)).toBe(401)
    expect((await other.authorize()).location?.pathname).toMatch(/^\/sign-in\//)
    expect(await alive(token)).toBe(200)
    expect(await linesOf(userId)).toContain('mfaEnabled')
    const [mail] = await mailsTo(mailOf(userId))
    expect(mail?.subject).toBe('Two-factor authentication turned on for Sightline')
  })

  test('ends a sign-in that has passed the password step', async () => {
    const browser = under.browser()
    const path = (await browser.authorize()).location?.pathname ?? ''
    const posted = await browser.post(path, { email: mailOf(userId), password: PASSWORD })
    await enableMfa(under, token, clock.now())
    const resumed = await browser.request(posted.location?.pathname ?? '')
    expect(resumed.location?.searchParams.get('code') ?? null).toBeNull()
  })

  test('succeeds once of many at the same moment, and only its recovery codes exist', async () => {
    const { secret } = await ownMfa(under, token)
    const code = getCurrentCode(secret ?? '', clock.now())
    const all = await Promise.all(Array.from({ length: 8 }, () => setMfa(under, token, true, code)))
    const on = all.filter(({ status }) => status === 200)
    expect(on).toHaveLength(1)
    for (const { status } of all.filter((one) => one.status !== 200)) expect([403, 409, 429]).toContain(status)
    const stored = await under.owner
      .selectFrom('auth.recovery_codes')
      .select('code_hash')
      .where('user_id', '=', userId)
      .execute()
    expect(stored).toHaveLength(10)
    expect(await setMfa(under, token, false, on[0]?.body.recoveryCodes[0])).toMatchObject({ status: 200 })
  })

  test('is refused if it is already on', async () => {
    const { secret } = await enableMfa(under, token, clock.now())
    clock.advance(STEP_MS)
    expect(await setMfa(under, token, true, getCurrentCode(secret, clock.now()))).toMatchObject({
      status: 409,
      body: { code: 6 },
    })
  })

  test('is refused with an outdated If-Match', async () => {
    const seen = await call(under, token, 'GET users/self/mfa')
    const etag = seen.headers.get('etag') ?? ''
    const patch = (tag: string, body: object) =>
      fetch(`${under.origin}/rest/v2.4/users/self/mfa`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': tag },
        body: JSON.stringify(body),
      })
    const on = { enabled: true, code: getCurrentCode(seen.body.secret, clock.now()) }
    expect((await patch('"another"', on)).status).toBe(412)
    expect((await patch(etag, on)).status).toBe(200)
    clock.advance(STEP_MS)
    const off = { enabled: false, code: getCurrentCode(seen.body.secret, clock.now()) }
    expect((await patch(etag, off)).status).toBe(412)
    const now = await call(under, token, 'GET users/self/mfa')
    expect((await patch(now.headers.get('etag') ?? '', off)).status).toBe(200)
  })
})

describe('turning it off', () => {
  test('needs a current code, ends other sign-ins, deletes the seed and recovery codes, and creates another seed', async () => {
    const { secret, recoveryCodes } = await enableMfa(under, token, clock.now())
    expect(await setMfa(under, token, false, getCurrentCode(secret, clock.now()))).toMatchObject(refusedCode)
    clock.advance(STEP_MS)
    const code = getCurrentCode(secret, clock.now())
    const off = await setMfa(under, token, false, code)
    expect(off).toMatchObject({ status: 200, body: { enabled: false, recoveryCodesLeft: 0 } })
    expect(off.body).not.toHaveProperty('recoveryCodes')
    expect(off.body.secret).not.toBe(secret)
    expect(await ownMfa(under, token)).toEqual(off.body)
    expect(await isOnFor(userId)).toEqual({ mfa_enabled: false })
    expect(await linesOf(userId)).toContain('mfaDisabled')
    const subjects = (await mailsTo(mailOf(userId))).map((mail) => mail.subject)
    expect(subjects).toContain('Two-factor authentication turned off for Sightline')
    expect(await setMfa(under, token, false, recoveryCodes[0] ?? '')).toMatchObject({ status: 409 })
    expect(await under.browser().token(mailOf(userId), PASSWORD)).toBeTruthy()
  })

  test('accepts a recovery code, however it is typed', async () => {
    const { recoveryCodes } = await enableMfa(under, token, clock.now())
    const typed = ` ${recoveryCodes[3]?.replace('-', ' ').toUpperCase()}`
    expect(await setMfa(under, token, false, typed)).toMatchObject({ status: 200, body: { enabled: false } })
  })

  test('accepts no other code', async () => {
    const { secret } = await enableMfa(under, token, clock.now())
    for (const code of [wrongCode(secret), 'aaaaa-aaaaa'])
      expect(await setMfa(under, token, false, code)).toMatchObject(refusedCode)
    expect(await isOnFor(userId)).toEqual({ mfa_enabled: true })
  })
})

test('wrong codes lock codes and passwords for this user', async () => {
  const { secret } = await enableMfa(under, token, clock.now())
  for (let i = 0; i < LIMITS.code; i += 1)
    expect(await setMfa(under, token, false, wrongCode(secret))).toMatchObject(refusedCode)
  clock.advance(STEP_MS)
  const locked = await setMfa(under, token, false, getCurrentCode(secret, clock.now()))
  expect(locked).toMatchObject({ status: 429, body: { code: 16 } })
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
  const question = { userId, password: PASSWORD, address: '127.0.0.1' }
  expect(await under.auth.plane.verifyPassword(question)).toBe('locked')
})

test('a deleted user leaves no seed or codes', async () => {
  await enableMfa(under, token, clock.now())
  await under.auth.plane.forgetUser({ userId })
  for (const table of ['auth.two_factor', 'auth.recovery_codes'] as const)
    expect(await under.owner.selectFrom(table).select('user_id').where('user_id', '=', userId).execute()).toEqual([])
})

test('staff can use it too, and the list of staff shows it', async () => {
  const staffId = userId + 7000
  await addStaff(under, { userId: staffId, email: mailOf(staffId), password: PASSWORD, level: 'admin' })
  const staffToken = await dealerToken(under.browser(), mailOf(staffId), PASSWORD)
  await enableMfa(under, staffToken, clock.now())
  const row = await under.owner
    .selectFrom('staff')
    .select('mfa_enabled')
    .where('user_id', '=', staffId)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ mfa_enabled: true })
  expect((await mailsTo(mailOf(staffId))).map((mail) => mail.subject)).toEqual([
    'Two-factor authentication turned on for Sightline',
  ])
  await expect(dealerToken(under.browser(), mailOf(staffId), PASSWORD)).rejects.toThrow()
})

test('only the authorization server can mark it as on', async () => {
  const app = under.database.db('app')
  const scope = { accountId: userId, userId }
  const claim = app.inTenant(scope, (tx) =>
    tx
      .updateTable('users')
      .set({ mfa_enabled: true } as never)
      .where('user_id', '=', userId)
      .execute(),
  )
  await expect(claim).rejects.toThrow('is what it is')
})
