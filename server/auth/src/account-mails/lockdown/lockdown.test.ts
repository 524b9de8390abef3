import { randomBytes } from 'node:crypto'
import { type ManualClock, MS_PER_DAY, MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { hold } from '@sightline/platform/db-testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { enableMfa, getCurrentCode, ownMfa, setMfa } from '../../mfa-testing.ts'
import { Authenticator, addPasskey, setSecondFactor } from '../../passkey-testing.ts'
import { call } from '../../staff-testing.ts'
import { ask, rest } from '../../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const NEW = 'Another-zebra9'
const STEP_MS = 30_000

let under: AuthUnderTest
let clock: ManualClock
let userId = 6000
let email = ''

beforeAll(async () => {
  clock = manualClock(Date.now())
  under = await openAuthUnderTest({ clock })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  under.revoked.length = 0
  await under.owner.deleteFrom('auth.failures').execute()
  await under.addUser({ userId, email, password: PASSWORD, rights: ['editUser'] })
  await under.sentMails()
})

const at = (address: string) => under.browser(under.origin, { 'x-forwarded-for': address })
const lock = (token: string, chosen: { endApiKeys?: boolean; removePasskeys?: boolean } = {}) =>
  call(under, token, 'POST users/self/lockdown', { endApiKeys: false, removePasskeys: false, ...chosen })
const aliveWith = async (token: string) => (await rest(under, token)).status === 200
const mailsWith = async (start: string) =>
  (await under.sentMails()).filter(({ to, subject }) => to === email && subject.startsWith(start))
const linkIn = (text = ''): URL => new URL(/^https?:\S+$/m.exec(text)?.[0] ?? '')
const actions = async () => {
  const rows = await under.owner.selectFrom('audit_log').select('action').where('user_id', '=', userId).execute()
  return rows.map(({ action }) => action)
}

/** Signs in at home and then from elsewhere; returns the second token and the path from the email about it. */
async function tellOfStranger(): Promise<{ home: string; elsewhere: string; path: string }> {
  const home = await at('198.51.100.7').token(email, PASSWORD)
  const elsewhere = await at('203.0.113.9').token(email, PASSWORD)
  const [mail] = await mailsWith('New sign-in')
  const { pathname, search } = linkIn(mail?.text)
  return { home, elsewhere, path: pathname + search }
}

/** Sets the new password with the newest email that has such a link. */
async function setNewPassword(): Promise<number> {
  const { pathname, search } = linkIn((await mailsWith('')).at(-1)?.text)
  const answer = await under.browser().post(pathname + search, { password: NEW, confirmation: NEW })
  return answer.status
}

describe('a lockdown from the app', () => {
  test('ends every token and browser including its own, and blocks sign-ins until the password is reset by email', async () => {
    const here = at('198.51.100.7')
    const token = await here.token(email, PASSWORD)
    const there = at('203.0.113.9')
    const other = await there.token(email, PASSWORD)
    await under.sentMails()
    expect(await lock(token)).toMatchObject({ status: 204 })
    expect(await Promise.all([token, other].map(aliveWith))).toEqual([false, false])
    expect(under.revoked).toContainEqual({ userId })
    expect((await there.authorize()).location?.pathname).toMatch(/^\/sign-in\//)
    await expect(here.signIn(email, PASSWORD)).rejects.toThrow('answered 422')
    expect(await setNewPassword()).toBe(200)
    await expect(here.signIn(email, PASSWORD)).rejects.toThrow('answered 422')
    expect(await aliveWith(await here.token(email, NEW))).toBe(true)
    expect(await actions()).toEqual(expect.arrayContaining(['lockedDown', 'passwordReset']))
  })

  test('locks the user out only once the email with the way back is written', async () => {
    const token = await at('198.51.100.7').token(email, PASSWORD)
    await under.sentMails()
    await using outbox = await hold(under, 'lock table mail_outbox in exclusive mode')
    const locking = lock(token)
    await outbox.waiting(1)
    const locked = under.owner.selectFrom('auth.lockdowns').select('user_id').where('user_id', '=', userId)
    expect(await locked.execute()).toEqual([])
    expect(await aliveWith(token)).toBe(true)
    await outbox.release()
    expect((await locking).status).toBe(204)
    expect(await locked.execute()).toHaveLength(1)
    expect(await setNewPassword()).toBe(200)
  })

  test('works even past the email limit, and leaves no link that no one received', async () => {
    const token = await under.browser().token(email, PASSWORD)
    await under.browser().post('/sign-in/forgot?lang=en', { email })
    const mails = under.owner.selectFrom('mail_outbox').select('kind').where('recipient', '=', email)
    await expect.poll(async () => (await mails.execute()).some(({ kind }) => kind === 'reset')).toBe(true)
    await sql`insert into mail_outbox
      select (jsonb_populate_record(m, jsonb_build_object('mail_id', m.mail_id + 1000000 + n))).*
        from mail_outbox m, generate_series(1, 50) n where m.recipient = ${email} and m.kind = 'reset'`.execute(
      under.owner,
    )
    const before = (await mails.execute()).length
    expect((await lock(token)).status).toBe(204)
    expect(await aliveWith(token)).toBe(false)
    expect(await mails.execute()).toHaveLength(before)
    const of = under.owner.selectFrom('auth.action_links').select('kind').where('user_id', '=', userId)
    const links = of.where('kind', 'in', ['invitation', 'reset'])
    expect(await links.execute()).toEqual([])
  })

  test('needs a choice about API keys and passkeys', async () => {
    const token = await at('198.51.100.7').token(email, PASSWORD)
    for (const body of [
      {},
      { endApiKeys: true },
      { removePasskeys: true },
      { endApiKeys: 'all', removePasskeys: true },
    ])
      expect(await call(under, token, 'POST users/self/lockdown', body)).toMatchObject({
        status: 400,
        body: { code: 3 },
      })
    expect(await aliveWith(token)).toBe(true)
  })

  test('can be ended with a link requested on the sign-in page', async () => {
    await lock(await at('198.51.100.7').token(email, PASSWORD))
    await under.sentMails()
    await under.browser().post('/sign-in/forgot?lang=en', { email })
    await expect
      .poll(async () => {
        const rows = await under.owner
          .selectFrom('mail_outbox')
          .select('sent_at')
          .where('recipient', '=', email)
          .execute()
        return rows.some(({ sent_at }) => sent_at === null)
      })
      .toBe(true)
    expect(await setNewPassword()).toBe(200)
    expect(await aliveWith(await under.browser().token(email, NEW))).toBe(true)
  })

  test('ends refresh tokens', async () => {
    const clientId = `nvr${userId}`
    const basic = [clientId, await under.addClient({ clientId, passwordGrant: true })] as const
    const password = { grant_type: 'password', username: email, password: PASSWORD }
    const { body } = await ask(under, password, { basic })
    await lock(await under.browser().token(email, PASSWORD))
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
    expect(await ask(under, refresh, { basic })).toMatchObject({ status: 400 })
    expect(await ask(under, password, { basic })).toMatchObject({ status: 400 })
  })

  test('lists what is lost, and ends support access and a pending address change', async () => {
    const until = instant(Date.now() + MS_PER_HOUR)
    await under.owner
      .updateTable('accounts')
      .set({ helpdesk_expires_at: until })
      .where('account_id', '=', userId)
      .execute()
    const change = { account_id: userId, user_id: userId, old_email_folded: email }
    const wanted = {
      email: 'x@y.example',
      email_folded: 'x@y.example',
      asked_by: 1,
      asked_by_name: 'S',
      expires_at: until,
    }
    await under.owner
      .insertInto('email_changes')
      .values({ ...change, ...wanted })
      .execute()
    const token = await under.browser().token(email, PASSWORD)
    const none = { apiKeys: [], pushDevices: 0, passkeys: [], passkeysAreSecondFactor: false }
    const loss = { sessions: 1, ...none, supportAccess: true, emailChange: true }
    expect(await rest(under, token, 'GET lockdown')).toEqual({ status: 200, body: loss })
    await lock(token)
    const account = await under.owner
      .selectFrom('accounts')
      .select('helpdesk_expires_at')
      .where('account_id', '=', userId)
      .execute()
    expect(account).toEqual([{ helpdesk_expires_at: null }])
    expect(
      await under.owner.selectFrom('email_changes').select('user_id').where('user_id', '=', userId).execute(),
    ).toEqual([])
  })

  test.each([
    [true, []],
    [false, ['Backup']],
  ])('with API keys ended %s leaves %j, and none works during the lockdown', async (ends, left) => {
    const token = await under.browser().token(email, PASSWORD)
    await under.owner
      .updateTable('resellers')
      .set({ modules: JSON.stringify({ apiAccess: true }) })
      .execute()
    const made = await call(under, token, 'POST apiKeys', { name: 'Backup', scopes: ['read'] })
    expect(made.status).toBe(201)
    const basic = [made.body.clientId, made.body.clientSecret] as const
    expect(await ask(under, { grant_type: 'client_credentials' }, { basic })).toMatchObject({ status: 200 })
    expect(await rest(under, token, 'GET lockdown')).toMatchObject({ body: { apiKeys: ['Backup'] } })
    await lock(token, { endApiKeys: ends })
    const given = await ask(under, { grant_type: 'client_credentials' }, { basic })
    expect(given.status).toBeGreaterThanOrEqual(400)
    const keys = await under.owner.selectFrom('auth.clients').select('name').where('user_id', '=', userId).execute()
    expect(keys.map(({ name }) => name)).toEqual(left)
    expect((await actions()).includes('apiKeysEnded')).toBe(ends)
  })

  test("stops push messages to the user's browsers, and not to other users", async () => {
    const others = userId + 5000
    await under.addUser({ userId: others, email: `person${others}@video.example`, password: PASSWORD })
    for (const [n, owner] of [userId, userId, others].entries())
      await under.owner
        .insertInto('push_devices')
        .values({
          account_id: owner,
          user_id: owner,
          push_device_id: userId * 10 + n,
          platform: 'web',
          endpoint_sha256: randomBytes(32),
          subscription_sealed: randomBytes(64),
          created_at: instant(clock.now()),
          seen_at: instant(clock.now()),
        })
        .execute()
    const token = await under.browser().token(email, PASSWORD)
    expect(await rest(under, token, 'GET lockdown')).toMatchObject({ body: { pushDevices: 2 } })
    expect((await lock(token)).status).toBe(204)
    const left = under.owner.selectFrom('push_devices').select('user_id').where('user_id', 'in', [userId, others])
    expect(await left.execute()).toEqual([{ user_id: others }])
  })

  test('is refused for a demo user', async () => {
    await under.owner
      .updateTable('users')
      .set({ rights: ['demoUser'] })
      .where('user_id', '=', userId)
      .execute()
    const token = await under.browser().token(email, PASSWORD)
    expect(await lock(token)).toMatchObject({ status: 403 })
    expect(await aliveWith(token)).toBe(true)
  })
})

describe('a lockdown from an email link', () => {
  test('needs a click: opening the link changes nothing, and posting locks once', async () => {
    const { home, elsewhere, path } = await tellOfStranger()
    for (let looks = 0; looks < 2; looks += 1) expect((await under.browser().request(path)).status).toBe(200)
    expect(await aliveWith(elsewhere)).toBe(true)
    const done = await under.browser().post(path, {})
    expect(done).toMatchObject({ status: 200, text: `<h1>locked down</h1>mailed ${email}` })
    expect(await Promise.all([home, elsewhere].map(aliveWith))).toEqual([false, false])
    expect((await under.browser().post(path, {})).text).toBe('<h1>error lockdownLink</h1>')
    expect(await setNewPassword()).toBe(200)
  })

  test('uses a token that opens no other kind of page', async () => {
    const { path } = await tellOfStranger()
    for (const kind of ['password', 'email'])
      expect((await under.browser().request(path.replace('/lockdown/', `/${kind}/`))).status).toBe(404)
    expect((await under.browser().request(path)).status).toBe(200)
  })

  test('is refused from another site and after 72 hours', async () => {
    const { elsewhere, path } = await tellOfStranger()
    expect((await under.browser().post(path, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    clock.advance(72 * MS_PER_HOUR + 1)
    expect((await under.browser().request(path)).status).toBe(404)
    expect(await aliveWith(elsewhere)).toBe(true)
    clock.advance(-72 * MS_PER_HOUR - 1)
  })

  test('works even if someone else has changed the password meanwhile', async () => {
    const { elsewhere, path } = await tellOfStranger()
    const changed = { password: PASSWORD, newPassword: NEW }
    expect(await call(under, elsewhere, 'PATCH users/self/credentials', changed)).toMatchObject({ status: 204 })
    expect((await under.browser().post(path, {})).text).toContain('mailed')
    expect(await aliveWith(elsewhere)).toBe(false)
    await expect(under.browser().signIn(email, NEW)).rejects.toThrow('answered 422')
  })

  test('sends no password link to an address that someone else entered', async () => {
    const { path } = await tellOfStranger()
    const theirs = `thief${userId}@video.example`
    const moved = { email: theirs, email_folded: theirs }
    await under.owner.updateTable('users').set(moved).where('user_id', '=', userId).execute()
    expect((await under.browser().post(path, {})).text).toContain('not mailed')
    await under.browser().post('/sign-in/forgot?lang=en', { email: theirs })
    const asked = under.owner.selectFrom('auth.action_links').select('user_id').where('user_id', '=', userId)
    await expect(under.browser().signIn(theirs, PASSWORD)).rejects.toThrow('answered 422')
    expect(await asked.execute()).toEqual([])
  })

  test('removes passkeys added later and keeps earlier ones', async () => {
    const add = (name: string) =>
      sql`insert into auth.passkeys (passkey_id, user_id, account_id, credential_id, rp_id, user_handle, public_key, sign_count,
          transports, aaguid, backup_eligible, backed_up, name, created_at)
        values ((select count(*) + 1 from auth.passkeys), ${userId}, ${userId}, ${randomBytes(16)}, 'video.example', ${randomBytes(32)},
          ${randomBytes(64)}, 0, '{}', gen_random_uuid(), false, false, ${name}, ${new Date(clock.now())})`.execute(
        under.owner,
      )
    await add('own')
    clock.advance(1000)
    const { path } = await tellOfStranger()
    clock.advance(1000)
    await add('of somebody else')
    expect((await under.browser().post(path, {})).text).toBe(`<h1>locked down</h1>mailed ${email} own`)
    const left = under.owner.selectFrom('auth.passkeys').select('name').where('user_id', '=', userId)
    expect(await left.execute()).toEqual([{ name: 'own' }])
  })

  describe('and the second factor:', () => {
    const state = async () => {
      const rows = under.owner.selectFrom('auth.two_factor').select(['enabled_at', 'passkeys_since'])
      const row = await rows.where('user_id', '=', userId).executeTakeFirst()
      const codes = under.owner.selectFrom('auth.recovery_codes').select('code_hash').where('user_id', '=', userId)
      const { length } = await codes.execute()
      return row && { app: row.enabled_at !== null, passkeys: row.passkeys_since !== null, codes: length }
    }
    const askForPasskeys = async (token: string): Promise<number> => {
      const proof = { password: PASSWORD }
      const here = { origin: `http://${under.brandHost}` }
      await addPasskey(here, token, { key: new Authenticator(here.origin), proof })
      return (await setSecondFactor(here, token, true, proof)).body.recoveryCodes.length
    }
    /** As if it was switched on the day before. */
    const makeOld = (what: 'enabled_at' | 'passkeys_since') =>
      under.owner
        .updateTable('auth.two_factor')
        .set({ [what]: instant(clock.now() - MS_PER_DAY), recovery_since: instant(clock.now() - MS_PER_DAY) })
        .where('user_id', '=', userId)
        .execute()

    test('one turned on later is removed, even if its seed was created before', async () => {
      await ownMfa(under, await at('198.51.100.7').token(email, PASSWORD))
      clock.advance(1000)
      const { elsewhere, path } = await tellOfStranger()
      clock.advance(1000)
      await enableMfa(under, elsewhere, clock.now())
      await under.browser().post(path, {})
      expect(await state()).toBeUndefined()
    })

    test('earlier passkeys as a second factor stay with their recovery codes, even if a seed was created later', async () => {
      const { elsewhere, path } = await tellOfStranger()
      const codes = await askForPasskeys(elsewhere)
      await makeOld('passkeys_since')
      clock.advance(1000)
      await ownMfa(under, elsewhere)
      await under.browser().post(path, {})
      expect(await state()).toEqual({ app: false, passkeys: true, codes })
    })

    test.each([
      ['an app turned on later', false],
      ['an app turned on later and off again', true],
    ])('%s is removed along with the recovery codes it created, and earlier passkeys stay', async (_, isOff) => {
      const { elsewhere, path } = await tellOfStranger()
      await askForPasskeys(elsewhere)
      await makeOld('passkeys_since')
      clock.advance(1000)
      const { secret } = await enableMfa(under, elsewhere, clock.now())
      clock.advance(STEP_MS)
      if (isOff) expect((await setMfa(under, elsewhere, false, getCurrentCode(secret, clock.now()))).status).toBe(200)
      await under.browser().post(path, {})
      expect(await state()).toEqual({ app: false, passkeys: true, codes: 0 })
    })

    test('an earlier app stays with its recovery codes, and passkeys required later are no longer required', async () => {
      const { elsewhere, path } = await tellOfStranger()
      const codes = await askForPasskeys(elsewhere)
      clock.advance(1000)
      await enableMfa(under, elsewhere, clock.now())
      await makeOld('enabled_at')
      await under.browser().post(path, {})
      expect(await state()).toEqual({ app: true, passkeys: false, codes })
    })
  })
})
