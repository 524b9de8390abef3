import { setTimeout as sleep } from 'node:timers/promises'
import { instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { expect, test } from 'vitest'
import type { StreamLimits } from './open-streams.ts'
import { streamSessions } from './stream-sessions.ts'
import { arrangeSessions, NO_LIMITS } from './stream-sessions-stage.ts'

/** Of the brands' agreement; a test may publish another. */
let version = '1'
const agreementVersion = async () => version
const arranged = (limits: StreamLimits = NO_LIMITS) => arrangeSessions(limits, agreementVersion)

test('a ticket opens one stream of its camera and its use, once', async () => {
  await using a = await arranged()
  await a.addTicket('t1', 'owner', 'live')
  const wanted = { cameraId: a.cameraId, from: undefined, address: '::1', credential: { ticket: 't1' } }
  expect(await a.sessions.open(wanted)).toMatchObject({ ok: true })
  expect(await a.sessions.open(wanted)).toEqual({ ok: false, code: 9 })
  await a.addTicket('t2', 'owner', 'live')
  expect(await a.sessions.open({ ...wanted, from: Date.now(), credential: { ticket: 't2' } })).toEqual({
    ok: false,
    code: 9,
  })
  await a.addTicket('t3', 'owner', 'live', { expiresAt: Date.now() - 1 })
  expect(await a.sessions.open({ ...wanted, credential: { ticket: 't3' } })).toEqual({ ok: false, code: 9 })
  await a.addTicket('t4', 'owner', 'live')
  expect(await a.sessions.open({ ...wanted, cameraId: 1, credential: { ticket: 't4' } })).toEqual({
    ok: false,
    code: 9,
  })
})

test('the ticket of a file opens it again, and only what was begun is a download that continues', async () => {
  await using a = await arranged()
  await a.addTicket('f1', 'owner', 'playback', { from: 0 })
  const credential = { ticket: 'f1' }
  const file = { till: 60_000, use: 'playback' } as const
  const open = async () => {
    const opened = await a.sessions.open({ cameraId: a.cameraId, from: undefined, address: '::1', credential, file })
    if (!opened.ok) throw new Error(`refused with ${opened.code}`)
    return opened.session
  }
  // Turned away before anything was sent, as by a busy server.
  expect((await open()).isAgain).toBe(false)
  const begun = await open()
  expect(begun.isAgain).toBe(false)
  begun.begin()
  expect((await open()).isAgain).toBe(true)
})

test('with a token, requests for the same file from one address are one download; another time, use or address is another', async () => {
  await using a = await arranged()
  const wanted = { cameraId: a.cameraId, from: 0, address: '::1', credential: { accessToken: 'owner' } }
  const file = { till: 60_000 }
  const isAgain = async (more: object = {}) => {
    const opened = await a.sessions.open({ ...wanted, file, ...more })
    if (!opened.ok) throw new Error(`refused with ${opened.code}`)
    const { session } = opened
    session.begin()
    return session.isAgain
  }
  expect(await isAgain()).toBe(false)
  expect(await isAgain()).toBe(true)
  expect(await isAgain({ from: 1000 })).toBe(false)
  expect(await isAgain({ file: { till: 90_000 } })).toBe(false)
  expect(await isAgain({ file: { till: 60_000, use: 'playback' } })).toBe(false)
  expect(await isAgain({ address: '::2' })).toBe(false)
  expect(await isAgain()).toBe(true)
})

test("a user who hasn't accepted the brand's agreement can't open streams; open ones continue when a new version takes effect", async () => {
  await using a = await arranged()
  const theme = JSON.stringify({ asksForAgreement: true })
  await a.owner.plain.updateTable('resellers').set({ theme }).where('reseller_id', '=', 255).execute()
  const open = () =>
    a.sessions.open({ cameraId: a.cameraId, from: undefined, address: '::1', credential: { accessToken: 'owner' } })
  expect(await open()).toEqual({ ok: false, code: 9 })
  const accepted = { account_id: a.accountId, user_id: a.accountId, version, accepted_at: instant(Date.now()) }
  await a.owner.plain.insertInto('agreements').values(accepted).execute()
  const watching = await open()
  version = '2'
  await a.sessions.confirmNow()
  expect(watching).toMatchObject({ ok: true, session: { signal: { aborted: false } } })
  expect(await open()).toEqual({ ok: false, code: 9 })
  version = '1'
})

test('a playback ticket also plays without a time in the address: from its own time or one in the request', async () => {
  await using a = await arranged()
  const [noon, one] = [Date.parse('2026-01-01T12:00:00Z'), Date.parse('2026-01-01T13:00:00Z')]
  const opened = async (ticket: string, from?: number) => {
    const answer = await a.sessions.open({ cameraId: a.cameraId, from, address: '::1', credential: { ticket } })
    if (!answer.ok) throw new Error(`refused with ${answer.code}`)
    return { use: answer.session.use, from: answer.session.from }
  }
  for (const name of ['p1', 'p2']) await a.addTicket(name, 'owner', 'playback', { from: noon })
  await a.addTicket('p3', 'owner', 'playback')
  expect(await opened('p1')).toEqual({ use: 'playback', from: noon })
  expect(await opened('p2', one)).toEqual({ use: 'playback', from: one })
  expect(await opened('p3')).toEqual({ use: 'playback', from: undefined })
})

test('a token also opens streams, for cameras in scope and with the right only', async () => {
  await using a = await arranged()
  const live = { cameraId: a.cameraId, from: undefined, address: '::1' }
  expect(await a.sessions.open({ ...live, credential: { accessToken: 'owner' } })).toMatchObject({ ok: true })
  expect(await a.sessions.open({ ...live, credential: { accessToken: 'nobody' } })).toEqual({ ok: false, code: 9 })
  const guard = { accessToken: 'guard' }
  expect(await a.sessions.open({ ...live, credential: guard })).toEqual({ ok: false, code: 4 })
  await a.owner.plain
    .insertInto('user_cameras')
    .values({ account_id: a.accountId, user_id: a.userId, camera_id: a.cameraId })
    .execute()
  expect(await a.sessions.open({ ...live, credential: guard })).toMatchObject({ ok: true })
  expect(await a.sessions.open({ ...live, from: Date.now(), credential: guard })).toEqual({ ok: false, code: 9 })
})

test('an open stream ends when the token is revoked', async () => {
  await using a = await arranged()
  const live = { cameraId: a.cameraId, from: undefined, address: '::1' }
  const opened = await a.sessions.open({ ...live, credential: { accessToken: 'owner' } })
  if (!opened.ok) throw new Error('expected a session')
  await sleep(200)
  expect(opened.session.signal.aborted).toBe(false)
  await a.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256('owner')).execute()
  await a.sessions.confirmNow()
  expect(opened.session.signal.reason).toBe(9)
  expect(a.sessions.size).toBe(0)
})

test('an open stream ends when access is removed, and continues when another right changes', async () => {
  await using a = await arranged()
  const given = { account_id: a.accountId, user_id: a.userId, camera_id: a.cameraId }
  await a.owner.plain.insertInto('user_cameras').values(given).execute()
  const live = { cameraId: a.cameraId, from: undefined, address: '::1' }
  const opened = await a.sessions.open({ ...live, credential: { accessToken: 'guard' } })
  if (!opened.ok) throw new Error('expected a session')
  await a.owner.plain
    .updateTable('users')
    .set({ rights: ['playback'] })
    .where('user_id', '=', a.userId)
    .execute()
  await a.sessions.confirmNow()
  expect(opened.session.signal.aborted).toBe(false)
  await a.owner.plain.deleteFrom('user_cameras').where('user_id', '=', a.userId).execute()
  await a.sessions.confirmNow()
  expect(opened.session.signal.reason).toBe(9)
})

test('an API key opens streams only from its allowed addresses, and an open one ends when those change', async () => {
  await using a = await arranged()
  const allow = (ranges: readonly string[]) =>
    a.owner.plain
      .updateTable('auth.clients')
      .set({ allowed_addresses: [...ranges] })
      .execute()
  await a.owner.plain
    .insertInto('auth.clients')
    .values({
      client_id: 'key-1',
      kind: 'confidential',
      name: 'Alarm',
      secret_sha256: tokenSha256('secret'),
      redirect_uris: [],
      logged_out_uris: [],
      scopes: ['read'],
      password_grant: false,
      legacy_token_callback: false,
      api_key_id: 5,
      account_id: a.accountId,
      user_id: a.accountId,
    })
    .execute()
  await a.owner.plain.updateTable('auth.access_sessions').set({ client_id: 'key-1' }).execute()
  await allow(['192.0.2.0/24'])
  const from = (address: string) =>
    a.sessions.open({ cameraId: a.cameraId, from: undefined, address, credential: { accessToken: 'owner' } })
  expect(await from('198.51.100.7')).toEqual({ ok: false, code: 9 })
  const opened = await from('192.0.2.7')
  if (!opened.ok) throw new Error('expected a session')
  await allow(['198.51.100.0/24'])
  await a.sessions.confirmNow()
  expect(opened.session.signal.reason).toBe(9)
})

test('support can watch only while the owner shows video, and streams end within two seconds', async () => {
  await using a = await arranged()
  const account = (values: object) => a.owner.plain.updateTable('accounts').set(values).execute()
  const staff = { user_id: 77, level: 'reseller', organisation_id: 255, distributor_id: 1, reseller_id: 255 } as const
  const name = { email: 'dora@demo.example', email_folded: 'dora@demo.example', first_name: 'Dora', last_name: 'D' }
  await a.owner.plain
    .insertInto('staff')
    .values({ ...staff, ...name, permissions: ['generateAccessToken'] })
    .execute()
  const shown = { helpdesk_expires_at: instant(Date.now() + 3_600_000), helpdesk_show_video: true }
  // As in production: no notification comes, so the next second's check must notice.
  await using sessions = streamSessions({ queries: a.queries, now: Date.now, limits: NO_LIMITS, agreementVersion })
  const watch = () =>
    sessions.open({ cameraId: a.cameraId, from: undefined, address: '::1', credential: { accessToken: 'owner' } })

  const endings: Readonly<Record<string, () => Promise<unknown>>> = {
    'video is hidden': () => account({ helpdesk_show_video: false }),
    'the module is switched off': () => a.owner.plain.updateTable('resellers').set({ modules: '{}' }).execute(),
    'the grant is withdrawn': () => account({ helpdesk_expires_at: null }),
  }
  for (const [ending, end] of Object.entries(endings)) {
    await account(shown)
    await a.owner.plain
      .updateTable('resellers')
      .set({ modules: JSON.stringify({ generateAccessToken: true }) })
      .execute()
    // What ended a session for good wants another one.
    await a.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256('owner')).execute()
    await a.addToken('owner', a.accountId)
    await a.owner.plain.updateTable('auth.access_sessions').set({ support_staff_id: 77 }).execute()
    const opened = await watch()
    if (!opened.ok) throw new Error(`expected a session before ${ending}`)
    await end()
    await expect.poll(() => opened.session.signal.reason, { timeout: 2000, message: ending }).toBe(9)
    expect(await watch()).toMatchObject({ ok: false })
  }
})

test("a user's 41st stream and an account's 201st are refused with code 16; closing one makes room", async () => {
  await using a = await arranged({ perPerson: 40, perAccount: 200 })
  const opens = async (token: string) => {
    const credential = { accessToken: token }
    const answer = await a.sessions.open({ cameraId: a.cameraId, from: undefined, address: '::1', credential })
    return answer.ok ? answer.session : answer.code
  }
  await a.owner.plain.updateTable('users').set({ all_cameras: true }).where('user_id', '=', a.userId).execute()
  await a.addToken('guard, elsewhere', a.userId)
  const ofGuard = await Promise.all(Array.from({ length: 40 }, () => opens('guard')))
  expect(ofGuard.filter((stream) => typeof stream === 'number')).toEqual([])
  expect([await opens('guard'), await opens('guard, elsewhere')]).toEqual([16, 16])

  const others = await Promise.all([1, 2, 3].map((n) => a.addUser(`guard ${n}`)))
  const tokens = ['owner', ...others]
  for (const token of tokens) {
    const streams = await Promise.all(Array.from({ length: 40 }, () => opens(token)))
    expect(streams.filter((stream) => typeof stream === 'number')).toEqual([])
  }
  expect(a.sessions.size).toBe(200)
  const latecomer = await a.addUser('guard 4')
  expect(await opens(latecomer)).toBe(16)

  const [first] = ofGuard
  if (typeof first !== 'object') throw new Error('expected a session')
  first.close()
  first.close()
  expect([await opens(latecomer), await opens(latecomer), await opens('guard')]).toEqual([expect.any(Object), 16, 16])
})

test("streams of a support session count for the staff member, not for the account's user", async () => {
  await using a = await arranged({ perPerson: 1, perAccount: 10 })
  const staff = { user_id: 77, level: 'reseller', organisation_id: 255, distributor_id: 1, reseller_id: 255 } as const
  const name = { email: 'dora@demo.example', email_folded: 'dora@demo.example', first_name: 'Dora', last_name: 'D' }
  await a.owner.plain
    .insertInto('staff')
    .values({ ...staff, ...name, permissions: ['generateAccessToken'] })
    .execute()
  const shown = { helpdesk_expires_at: instant(Date.now() + 3_600_000), helpdesk_show_video: true }
  await a.owner.plain.updateTable('accounts').set(shown).execute()
  const modules = JSON.stringify({ generateAccessToken: true })
  await a.owner.plain.updateTable('resellers').set({ modules }).execute()
  await a.addToken('support', a.accountId)
  await a.owner.plain
    .updateTable('auth.access_sessions')
    .set({ support_staff_id: 77 })
    .where('token_sha256', '=', tokenSha256('support'))
    .execute()
  const opens = (accessToken: string) =>
    a.sessions.open({ cameraId: a.cameraId, from: undefined, address: '::1', credential: { accessToken } })
  expect(await opens('support')).toMatchObject({ ok: true })
  expect(await opens('owner')).toMatchObject({ ok: true })
  expect(await opens('support')).toEqual({ ok: false, code: 16 })
})

test('a thousand open streams of one token are checked with one query', async () => {
  await using a = await arranged()
  const asked: number[] = []
  const loadSessions = (sha256s: readonly Buffer[]) => {
    asked.push(sha256s.length)
    return a.queries.loadSessions(sha256s)
  }
  const queries = { ...a.queries, loadSessions }
  await using sessions = streamSessions({
    queries,
    now: Date.now,
    limits: NO_LIMITS,
    agreementVersion,
    confirmEveryMs: 2 ** 30,
  })
  const wanted = { cameraId: a.cameraId, from: undefined, address: '::1', credential: { accessToken: 'owner' } }
  await Promise.all(Array.from({ length: 1000 }, () => sessions.open(wanted)))
  expect(sessions.size).toBe(1000)
  asked.length = 0
  await Promise.all([sessions.confirmNow(), sessions.confirmNow(), sessions.confirmNow()])
  expect(asked).toEqual([1])
  await a.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256('owner')).execute()
  await sessions.confirmNow()
  expect(sessions.size).toBe(0)
})

test('viewers end after ten seconds of a database that hangs', async () => {
  await using a = await arranged()
  let [isAway, now] = [false, Date.now()]
  const hanging = {
    loadSessions: () => (isAway ? new Promise<never>(() => undefined) : a.queries.loadSessions(tokens)),
  }
  const tokens = [tokenSha256('owner')]
  const given = { queries: { ...a.queries, ...hanging }, now: () => now, limits: NO_LIMITS, agreementVersion }
  await using sessions = streamSessions({ ...given, confirmEveryMs: 20 })
  const wanted = { cameraId: a.cameraId, from: undefined, address: '::1', credential: { accessToken: 'owner' } }
  const opened = await sessions.open(wanted)
  if (!opened.ok) throw new Error('expected a session')
  isAway = true
  now += 9000
  await sleep(100)
  expect(opened.session.signal.aborted).toBe(false)
  now += 2000
  await expect.poll(() => opened.session.signal.reason).toBe(16)
})
