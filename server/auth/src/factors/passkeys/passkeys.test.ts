import { INVALID_CODE } from '@sightline/contract/mfa'
import { MAX_PASSKEYS } from '@sightline/contract/passkeys'
import { MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { addCodeClient, enableMfa, getCurrentCode, setMfa, signInWithCode } from '../../mfa-testing.ts'
import {
  Authenticator,
  addPasskey,
  beginPasskey,
  type Oddities,
  ownPasskeys,
  setSecondFactor,
} from '../../passkey-testing.ts'
import { sweep } from '../../sessions/store.ts'
import { addStaff, call, dealerToken } from '../../staff-testing.ts'
import { LIMITS, WINDOW_MS } from '../failures/index.ts'

const PASSWORD = 'Correct-horse7'
const STEP_MS = 30_000
const CHALLENGE_MS = 300_000
const clock = manualClock(Date.now())
const proof = { password: PASSWORD }
let under: AuthUnderTest
let at = ''
let here: { readonly origin: string }
let client: readonly [id: string, secret: string]
let userId = 1000
let token = ''
let key: Authenticator

beforeAll(async () => {
  under = await openAuthUnderTest({ clock })
  at = `http://${under.brandHost}`
  here = { origin: at }
  client = await addCodeClient(under)
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  clock.advance(WINDOW_MS)
  key = new Authenticator(at)
  token = await somebody()
})

const mailOf = (id: number) => `person${id}@video.example`
const somebody = async (): Promise<string> => {
  userId += 1
  await under.addUser({ userId, email: mailOf(userId), password: PASSWORD, resellerId: 300 })
  return under.browser(at).token(mailOf(userId), PASSWORD)
}
/** A token from a new sign-in of the same user with that code. */
const signedInWith = async (code: string) =>
  (await signInWithCode(here, client, { email: mailOf(userId), password: PASSWORD, code })).access_token
const linesOf = async () =>
  (await under.owner.selectFrom('audit_log').select('action').where('user_id', '=', userId).execute())
    .map(({ action }) => action)
    .filter((action) => action.startsWith('passkey'))
const mailsTo = async () => (await under.sentMails()).filter(({ to }) => to === mailOf(userId))
const alive = async (given: string) => (await call(here, given, 'GET users/self/tokens')).status === 200
const confirmed = async (odd: Oddities = {}) => {
  const { body } = await call(here, token, 'POST users/self/passkeys/confirmation')
  return { passkey: key.get(body, odd) }
}
const stored = async () =>
  (await under.owner.selectFrom('auth.passkeys').select('name').where('user_id', '=', userId).execute()).map(
    ({ name }) => name,
  )
const isMarked = async () =>
  (await under.owner.selectFrom('users').select('mfa_enabled').where('user_id', '=', userId).executeTakeFirstOrThrow())
    .mfa_enabled

describe('adding a passkey', () => {
  test('needs the password; the passkey is listed by name, logged, and notified by email', async () => {
    const nothing = { host: 'localhost', asSecondFactor: false, proof: 'password', recoveryCodesLeft: 0 }
    expect(await ownPasskeys(here, token)).toEqual({ ...nothing, passkeys: [] })
    const elsewhere = await under.browser(at).token(mailOf(userId), PASSWORD)
    const added = await addPasskey(here, token, { key, proof, name: ' Red laptop ' })
    expect(added).toMatchObject({ name: 'Red laptop', host: 'localhost', lastUsedAt: null, isBackedUp: false })
    expect(await ownPasskeys(here, token)).toEqual({ ...nothing, passkeys: [added] })
    expect(await linesOf()).toEqual(['passkeyAdded'])
    const [mail] = await mailsTo()
    expect(mail?.subject).toContain('A passkey was added')
    expect(await alive(elsewhere)).toBe(true)
    expect(await isMarked()).toBe(false)
  })

  test('asks for a discoverable one with user verification for the host, under a random user handle', async () => {
    const options = await beginPasskey(here, token, proof)
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: mailOf(userId), displayName: 'Ada Lovelace' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    await addPasskey(here, token, { key, proof })
    const again = await beginPasskey(here, token, proof)
    expect(again.user.id).not.toBe(options.user.id)
    expect(again.excludeCredentials).toHaveLength(1)
    expect(again.user.id).toBe(key.held[0]?.userHandle)
  })

  test('with a wrong password adds nothing, and counts toward the lock', async () => {
    const wrong = { proof: { password: 'not the password' } }
    const begin = (body: object) => call(here, token, 'POST users/self/passkeys/registration', body)
    for (let times = 0; times < LIMITS.pair; times += 1)
      expect(await begin(wrong)).toMatchObject({ status: 401, body: { code: 8, detail: 'Incorrect password' } })
    expect(await begin({ proof })).toMatchObject({ status: 429 })
  })

  test.each([[{}], [{ password: 'a', code: '123456' }], [{ code: '123456' }]])("with %j isn't proof", async (given) => {
    const answer = await call(here, token, 'POST users/self/passkeys/registration', { proof: given })
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('with a second factor needs a code or an existing passkey, not just the password', async () => {
    const { secret } = await enableMfa({ ...under, ...here }, token, clock.now())
    clock.advance(STEP_MS)
    token = await signedInWith(getCurrentCode(secret, clock.now()))
    clock.advance(STEP_MS)
    const begin = (given: object) => call(here, token, 'POST users/self/passkeys/registration', { proof: given })
    expect(await begin(proof)).toMatchObject({ status: 400 })
    expect(await begin({ code: '000000' })).toMatchObject({ status: 401, body: { code: 8, detail: INVALID_CODE } })
    await addPasskey(here, token, { key, proof: { code: getCurrentCode(secret, clock.now()) } })
    await addPasskey(here, token, { key: new Authenticator(at), proof: await confirmed() })
    expect((await ownPasskeys(here, token)).passkeys).toHaveLength(2)
  })

  test("can be proved once with the user's own passkey and user verification", async () => {
    await addPasskey(here, token, { key, proof })
    const begin = (given: object) => call(here, token, 'POST users/self/passkeys/registration', { proof: given })
    const right = await confirmed()
    expect((await begin(right)).status).toBe(200)
    expect((await begin(right)).status).toBe(401)
    expect((await begin(await confirmed({ isVerified: false }))).status).toBe(401)
    const { body } = await call(here, token, 'POST users/self/passkeys/confirmation')
    const other = new Authenticator(at)
    const otherToken = await somebody()
    await addPasskey(here, otherToken, { key: other, proof })
    const { allowCredentials: _, ...open } = body
    expect((await begin({ passkey: other.get(open) })).status).toBe(401)
    expect((await call(here, otherToken, 'POST users/self/passkeys/registration', { proof: right })).status).toBe(401)
  })

  test.each<[string, Oddities]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['that signs another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['that answers another type of request', { type: 'webauthn.get' }],
    ["inside another site's page", { crossOrigin: true }],
    ['without user verification', { isVerified: false }],
    ['without user presence', { isPresent: false }],
  ])('fails for one %s', async (_, odd) => {
    const credential = key.create(await beginPasskey(here, token, proof), odd)
    const answer = await call(here, token, 'POST users/self/passkeys', { name: 'Odd', credential })
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
    expect((await ownPasskeys(here, token)).passkeys).toEqual([])
    expect(await linesOf()).toEqual([])
  })

  test('needs the reply once, within five minutes, with the same token and the signed id', async () => {
    const add = (credential: object, by = token) =>
      call(here, by, 'POST users/self/passkeys', { name: 'One', credential })
    const made = key.create(await beginPasskey(here, token, proof))
    const elsewhere = await under.browser(at).token(mailOf(userId), PASSWORD)
    expect((await add(made, elsewhere)).status).toBe(400)
    expect((await add(made)).status).toBe(201)
    expect((await add(made)).status).toBe(400)
    const late = key.create(await beginPasskey(here, token, proof))
    clock.advance(CHALLENGE_MS + 1)
    expect((await add(late)).status).toBe(400)
    const renamed = { ...key.create(await beginPasskey(here, token, proof)), id: made.id }
    expect((await add(renamed)).status).toBe(400)
  })

  test.each([
    ['the password is changed', 'PATCH users/self/credentials', { password: PASSWORD, newPassword: 'Another-zebra9' }],
    ['the user signs out everywhere', 'DELETE users/self/tokens/all', undefined],
  ])('fails if %s at the same time', async (_, what, body) => {
    const elsewhere = await under.browser(at).token(mailOf(userId), PASSWORD)
    const credential = key.create(await beginPasskey(here, token, proof))
    await using table = await hold(under, 'lock table auth.passkeys in exclusive mode')
    const adding = call(here, token, 'POST users/self/passkeys', { name: 'Thief', credential })
    await table.waiting(1)
    expect((await call(here, elsewhere, what, body)).status).toBe(204)
    await table.release()
    expect((await adding).status).toBe(401)
    expect(await stored()).toEqual([])
  })

  test('fails if a lockdown began before it was stored', async () => {
    const elsewhere = await under.browser(at).token(mailOf(userId), PASSWORD)
    const credential = key.create(await beginPasskey(here, token, proof))
    await using table = await hold(under, 'lock table auth.lockdowns in exclusive mode')
    const locking = call(here, elsewhere, 'POST users/self/lockdown', { endApiKeys: false, removePasskeys: false })
    await table.waiting(1)
    const adding = call(here, token, 'POST users/self/passkeys', { name: 'Thief', credential })
    await table.waiting(2)
    await table.release()
    expect([(await locking).status, (await adding).status]).toEqual([204, 401])
    expect(await stored()).toEqual([])
  })

  test("doesn't require passkeys if the user is signed out meanwhile", async () => {
    await addPasskey(here, token, { key, proof })
    const elsewhere = await under.browser(at).token(mailOf(userId), PASSWORD)
    await using table = await hold(under, 'lock table auth.two_factor in access exclusive mode')
    const asking = setSecondFactor(here, token, true, proof)
    await table.waiting(1)
    expect((await call(under, elsewhere, 'DELETE users/self/tokens/all')).status).toBe(204)
    await table.release()
    expect((await asking).status).toBe(401)
    expect(await isMarked()).toBe(false)
  })

  test('with a credential that someone already has is refused', async () => {
    await addPasskey(here, token, { key, proof })
    token = await somebody()
    const [held] = key.held
    const twin = new Authenticator(at)
    const credential = twin.create(await beginPasskey(here, token, proof))
    await under.owner
      .updateTable('auth.passkeys')
      .set({ credential_id: Buffer.from(credential.id, 'base64url') })
      .where('credential_id', '=', held?.id ?? Buffer.alloc(0))
      .execute()
    const answer = await call(here, token, 'POST users/self/passkeys', { name: 'Twin', credential })
    expect(answer).toMatchObject({ status: 409, body: { code: 5 } })
  })

  test(`is limited to ${MAX_PASSKEYS}, and impossible on a host that is an IP address`, async () => {
    const { passkeyId } = await addPasskey(here, token, { key, proof })
    const row = await under.owner
      .selectFrom('auth.passkeys')
      .selectAll()
      .where('passkey_id', '=', passkeyId)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: MAX_PASSKEYS - 1 }, (_, index) => ({
      ...row,
      passkey_id: passkeyId + 1000 + index,
      credential_id: Buffer.from(`${userId} ${index}`),
      created_at: instant(row.created_at),
      last_used_at: null,
    }))
    const credential = key.create(await beginPasskey(here, token, proof))
    await under.owner.insertInto('auth.passkeys').values(copies).execute()
    for (const place of [here, under])
      expect(await call(place, token, 'POST users/self/passkeys', { name: 'One', credential })).toMatchObject({
        status: 409,
        body: { code: 6 },
      })
    const begin = (place: { readonly origin: string }) =>
      call(place, token, 'POST users/self/passkeys/registration', { proof })
    expect(await begin(here)).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await begin(under)).toMatchObject({ status: 409, body: { code: 6 } })
    expect((await ownPasskeys(under, token)).host).toBeNull()
    expect((await call(under, token, 'POST users/self/passkeys/confirmation')).status).toBe(409)
  })
})

describe('an existing passkey', () => {
  test('can be renamed, with a current If-Match', async () => {
    const { passkeyId } = await addPasskey(here, token, { key, proof })
    const rename = (name: string) => call(here, token, `PATCH users/self/passkeys/${passkeyId}`, { name })
    expect(await rename('Old laptop')).toMatchObject({ status: 200, body: { name: 'Old laptop' } })
    expect((await rename('Old laptop')).status).toBe(200)
    for (const name of ['', '   ', 'x'.repeat(65)]) expect((await rename(name)).status).toBe(400)
    expect(await linesOf()).toEqual(['passkeyAdded', 'passkeyRenamed'])
  })

  test('is removed along with every other sign-in, which is logged and notified by email', async () => {
    const { passkeyId } = await addPasskey(here, token, { key, proof })
    const elsewhere = await under.browser(at).token(mailOf(userId), PASSWORD)
    await under.sentMails()
    expect((await call(here, token, `DELETE users/self/passkeys/${passkeyId}`)).status).toBe(204)
    expect([await alive(token), await alive(elsewhere)]).toEqual([true, false])
    expect(await linesOf()).toEqual(['passkeyAdded', 'passkeyRemoved'])
    expect((await mailsTo()).map(({ subject }) => subject)).toEqual([expect.stringContaining('was removed')])
    expect((await call(here, token, `DELETE users/self/passkeys/${passkeyId}`)).status).toBe(404)
  })

  test('of another user looks like a nonexistent one', async () => {
    const { passkeyId } = await addPasskey(here, token, { key, proof })
    const other = await somebody()
    for (const id of [passkeyId, 1]) {
      expect((await call(here, other, `PATCH users/self/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
      expect((await call(here, other, `DELETE users/self/passkeys/${id}`)).status).toBe(404)
    }
    expect((await ownPasskeys(here, token)).passkeys).toHaveLength(1)
  })

  test('is deleted with its user', async () => {
    await addPasskey(here, token, { key, proof })
    await under.auth.plane.forgetUser({ userId })
    const left = under.owner.selectFrom('auth.passkeys').select('passkey_id').where('user_id', '=', userId)
    expect(await left.execute()).toEqual([])
  })
})

describe('passkeys as a second factor', () => {
  test('create recovery codes, end every other sign-in, and show in the list of users', async () => {
    await addPasskey(here, token, { key, proof })
    const elsewhere = await under.browser(at).token(mailOf(userId), PASSWORD)
    await under.sentMails()
    const on = await setSecondFactor(here, token, true, proof)
    expect(on).toMatchObject({ status: 200, body: { asSecondFactor: true, proof: 'password', recoveryCodesLeft: 10 } })
    expect(new Set(on.body.recoveryCodes).size).toBe(10)
    expect([await alive(token), await alive(elsewhere), await isMarked()]).toEqual([true, false, true])
    expect(await linesOf()).toEqual(['passkeyAdded', 'passkeysAskedFor'])
    expect(await mailsTo()).toHaveLength(1)
    expect(await setSecondFactor(here, token, true, await confirmed())).toMatchObject({ status: 409 })
    clock.advance(STEP_MS)
    token = await signedInWith(on.body.recoveryCodes[1])
    expect(await ownPasskeys(here, token)).toMatchObject({ proof: 'code', recoveryCodesLeft: 9 })
    const off = await setSecondFactor(here, token, false, { code: on.body.recoveryCodes[0] })
    expect(off).toMatchObject({ status: 200, body: { asSecondFactor: false, proof: 'password', recoveryCodesLeft: 0 } })
    expect(await isMarked()).toBe(false)
    expect((await setSecondFactor(here, token, false, proof)).status).toBe(409)
  })

  test("need a passkey for this host, and the last one can't be removed", async () => {
    expect((await setSecondFactor(here, token, true, proof)).status).toBe(409)
    const { passkeyId } = await addPasskey(here, token, { key, proof })
    await setSecondFactor(here, token, true, proof)
    expect(await call(here, token, `DELETE users/self/passkeys/${passkeyId}`)).toMatchObject({
      status: 409,
      body: { code: 6 },
    })
    await addPasskey(here, token, { key: new Authenticator(at), proof: await confirmed() })
    expect((await call(here, token, `DELETE users/self/passkeys/${passkeyId}`)).status).toBe(204)
  })

  test('count wrong passwords as at sign-in, and lock', async () => {
    for (let times = 0; times < LIMITS.pair; times += 1)
      expect((await setSecondFactor(here, token, true, { password: 'not the password' })).status).toBe(401)
    expect(await setSecondFactor(here, token, true, proof)).toMatchObject({ status: 429, body: { code: 16 } })
  })

  test('work beside an app, and recovery codes stay while either is on', async () => {
    await addPasskey(here, token, { key, proof })
    const first = (await setSecondFactor(here, token, true, proof)).body.recoveryCodes
    clock.advance(STEP_MS)
    token = await signedInWith(first[1])
    const { secret, recoveryCodes } = await enableMfa({ ...under, ...here }, token, clock.now())
    expect((await setSecondFactor(here, token, false, { code: first[0] })).status).toBe(401)
    expect((await ownPasskeys(here, token)).recoveryCodesLeft).toBe(10)
    clock.advance(STEP_MS)
    expect((await setMfa({ ...under, ...here }, token, false, getCurrentCode(secret, clock.now()))).status).toBe(200)
    expect(await ownPasskeys(here, token)).toMatchObject({ asSecondFactor: true, proof: 'code', recoveryCodesLeft: 10 })
    expect(await isMarked()).toBe(true)
    const again = await enableMfa({ ...under, ...here }, token, clock.now())
    clock.advance(STEP_MS)
    token = await signedInWith(again.recoveryCodes[1] ?? '')
    expect((await setSecondFactor(here, token, false, { code: again.recoveryCodes[0] ?? '' })).status).toBe(200)
    expect(again.recoveryCodes).not.toEqual(recoveryCodes)
    expect(await ownPasskeys(here, token)).toMatchObject({ asSecondFactor: false, proof: 'code', recoveryCodesLeft: 8 })
    expect(await isMarked()).toBe(true)
  })

  test('keep the recovery codes of an app that is already on', async () => {
    const { secret } = await enableMfa({ ...under, ...here }, token, clock.now())
    clock.advance(STEP_MS)
    token = await signedInWith(getCurrentCode(secret, clock.now()))
    clock.advance(STEP_MS)
    await addPasskey(here, token, { key, proof: { code: getCurrentCode(secret, clock.now()) } })
    const on = await setSecondFactor(here, token, true, await confirmed())
    expect(on).toMatchObject({ status: 200, body: { recoveryCodesLeft: 10 } })
    expect(on.body).not.toHaveProperty('recoveryCodes')
  })

  test('stay after cleanup, which deletes only expired challenges', async () => {
    await addPasskey(here, token, { key, proof })
    await setSecondFactor(here, token, true, proof)
    await call(here, token, 'POST users/self/passkeys/confirmation')
    await under.owner
      .updateTable('auth.passkey_challenges')
      .set({ expires_at: instant(Date.now() - 1000) })
      .execute()
    await under.owner
      .updateTable('auth.two_factor')
      .set({ created_at: instant(Date.now() - 2 * MS_PER_HOUR) })
      .where('user_id', '=', userId)
      .execute()
    await sweep(under.database.db('auth'))
    expect(await under.owner.selectFrom('auth.passkey_challenges').selectAll().execute()).toEqual([])
    expect((await ownPasskeys(here, token)).asSecondFactor).toBe(true)
  })
})

test('are available to staff too', async () => {
  const staff = { userId: 900_001, email: 'dora@video.example', password: PASSWORD, resellerId: 300 }
  await addStaff(under, staff)
  const given = await dealerToken(under.browser(at), staff.email, PASSWORD)
  await addPasskey(here, given, { key, proof })
  expect((await ownPasskeys(here, given)).passkeys).toHaveLength(1)
})
