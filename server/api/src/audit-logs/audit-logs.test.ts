import type { AuditLog } from '@sightline/contract/audit-logs'
import type { Right } from '@sightline/contract/rights'
import { engines } from '@sightline/platform/db-testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type SliceReply, type TestApi, testApi } from '../slice-testing.ts'
import { zones } from '../zones/index.ts'
import { auditLogs } from './index.ts'
import { type EntryInput, NOON, writeEntries } from './testing-store.ts'

describe.each(engines)('the audit log on %s', (_engine, open) => {
  let api: TestApi
  let nextId = 5000
  beforeAll(async () => {
    api = await testApi({ slices: [auditLogs, cameras, zones], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const write = (accountId: number, lines: readonly EntryInput[]) => writeEntries(api.owner, accountId, lines)
  const ids = (answer: SliceReply): number[] => answer.body.map((line: AuditLog) => line.auditLogId)
  const list = (token: string, query = '') => api.call(token, `GET auditLogs?${query}`)
  const readerOf = async (accountId: number, of: { cameras?: number[]; zones?: number[]; rights?: Right[] }) => {
    const reader = await api.addSubUser(accountId, { rights: of.rights ?? ['viewUserSettings'] })
    const who = { account_id: accountId, user_id: reader.userId }
    for (const camera_id of of.cameras ?? []) {
      await api.owner.plain
        .insertInto('user_cameras')
        .values({ ...who, camera_id })
        .execute()
    }
    for (const zone_id of of.zones ?? []) {
      await api.owner.plain
        .insertInto('user_zones')
        .values({ ...who, zone_id })
        .execute()
    }
    return reader
  }

  test('entries come newest first, with actor, action, target, address, and values before and after', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const door = await api.addCamera(accountId, zoneId, 'Door')
    await api.call(token, `PATCH cameras/${door}`, { name: 'Front door' })
    await write(accountId, [{ action: 'login' }, { action: 'live', camera: door }])
    const { body } = await list(token)
    expect(body).toMatchObject([
      {
        accountId,
        userId: accountId,
        user: 'Ada Byron',
        action: 'patchCamera',
        group: 'cameras',
        target: { kind: 'camera', id: door, name: 'Front door' },
        cameraId: door,
        camera: 'Front door',
        address: '192.0.2.1',
        supportSession: false,
        staff: null,
        apiKeyId: null,
        before: { name: 'Door' },
        after: { name: 'Front door' },
      },
      { action: 'live', group: 'video', camera: 'Front door', time: '2026-11-20T12:01:00.000+00:00', after: null },
      { action: 'login', group: 'signIn', target: null, cameraId: null },
    ])
    expect(body.every((line: AuditLog) => !line.sealed && line.sequence === null)).toBe(true)
  })

  test('an entry that is in the chain is marked as sealed and shows its sequence number', async () => {
    const { accountId, token } = await api.addAccount()
    const [first = 0] = await write(accountId, [{}, {}])
    const link = {
      account_id: accountId,
      sequence: 7,
      audit_log_id: first,
      checkpoint: 1,
      commitments: Buffer.alloc(128),
    }
    const hashes = { line_sha256: Buffer.alloc(32), hash: Buffer.alloc(32) }
    await api.owner.plain
      .insertInto('audit_chain')
      .values({ ...link, ...hashes })
      .execute()
    expect((await list(token)).body).toMatchObject([
      { sealed: false, sequence: null },
      { auditLogId: first, sealed: true, sequence: 7 },
    ])
  })

  test('pages contain each entry once, forward, backward and oldest first, even if many have the same time', async () => {
    const { accountId, token } = await api.addAccount()
    const wanted = await write(
      accountId,
      Array.from({ length: 23 }, (_, at) => ({ at: NOON + Math.floor(at / 5) * 1000 })),
    )
    const linkOf = (answer: SliceReply, rel: string) =>
      new RegExp(`</rest/v2.4/([^>]+)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1]
    const walk = async (first: string, rel: string) => {
      const pages: number[][] = []
      let last = first
      for (let at: string | undefined = first; at !== undefined; ) {
        const answer: SliceReply = await api.call(token, `GET ${at}`)
        pages.push(ids(answer))
        last = at
        at = linkOf(answer, rel)
      }
      return { pages, last }
    }
    const forwards = await walk('auditLogs?limit=4', 'next')
    expect(forwards.pages.flat()).toEqual([...wanted].reverse())
    const backwards = await walk(forwards.last, 'prev')
    expect(backwards.pages.reverse().flat()).toEqual([...wanted].reverse())
    expect((await walk('auditLogs?limit=5&sort=time', 'next')).pages.flat()).toEqual(wanted)
  })

  test('a forged page token is refused; the count is returned on request', async () => {
    const { accountId, token } = await api.addAccount()
    await write(accountId, [{}, {}, {}])
    const forge = (value: unknown) => Buffer.from(JSON.stringify(['next', value, 1, '-time'])).toString('base64url')
    for (const value of ['now()', 1.5, 1e300]) {
      expect(await list(token, `pageToken=${forge(value)}`), String(value)).toMatchObject({
        status: 400,
        body: { code: 3 },
      })
    }
    for (const value of [8.64e15, -8.64e15]) expect((await list(token, `pageToken=${forge(value)}`)).status).toBe(200)
    const counted = await list(token, 'count=true&limit=1')
    expect([ids(counted).length, counted.headers.get('x-total-count')]).toEqual([1, '3'])
    expect((await list(token)).headers.get('x-total-count')).toBeNull()
  })

  test('filters: time span, users, cameras, actions, support, and text in names, actions and addresses', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const theirs = await api.addAccount()
    const door = await api.addCamera(accountId, zoneId, 'Door 50%')
    const foreign = await api.addCamera(theirs.accountId, theirs.zoneId, 'Foreign')
    await write(theirs.accountId, [{ action: 'live', camera: foreign }])
    const [a = 0, b = 0, c = 0, d = 0] = await write(accountId, [
      { action: 'login', userId: 77, name: 'Grace Hopper' },
      { action: 'live', camera: door, address: '198.51.100.3' },
      { action: 'play', camera: door, staffId: 88, name: 'Help Desk' },
      { action: 'logout', userId: 77, name: 'Grace Hopper' },
    ])
    const found = async (query: string) => ids(await list(token, query))
    expect(await found('')).toEqual([d, c, b, a])
    expect(await found('from=2026-11-20T12:01:00Z&till=2026-11-20T12:03:00Z')).toEqual([c, b])
    expect(await found('from=0000-01-01T00:00:00Z&till=9999-12-31T23:59:59Z')).toEqual([d, c, b, a])
    expect(await found('userIds=77,78')).toEqual([d, a])
    expect(await found(`cameraIds=${door},${foreign}`)).toEqual([c, b])
    expect(await found(`cameraIds=${foreign}`)).toEqual([])
    expect(await found('cameraIds=')).toEqual([])
    expect(await found('actions=play,logout')).toEqual([d, c])
    expect(await found('staffOnly=true')).toEqual([c])
    expect(await found('q=hopper')).toEqual([d, a])
    expect(await found('q=50%25')).toEqual([c, b])
    expect(await found('q=198.51')).toEqual([b])
    expect(await found('q=LOG')).toEqual([d, a])
    expect(await found('q=Foreign')).toEqual([])
    expect(await found('userIds=77&actions=login')).toEqual([a])
    expect((await list(token, 'staffOnly=true')).body).toMatchObject([
      { user: 'Help Desk', supportSession: true, staff: { staffId: 88, name: 'Help Desk' } },
    ])
    for (const wrong of ['from=yesterday', 'userIds=x', 'actions=a;b', 'staffOnly=maybe', 'limit=0']) {
      expect(await list(token, wrong), wrong).toMatchObject({ status: 400, body: { code: 3 } })
    }
  })

  test("an entry without a name shows the user's current name, unless the values were erased", async () => {
    const { accountId, token } = await api.addAccount()
    const [, erased = 0] = await write(accountId, [{ name: null }, { name: null }])
    await api.owner.plain
      .updateTable('audit_log')
      .set({ salt: null, address: null })
      .where('account_id', '=', accountId)
      .where('audit_log_id', '=', erased)
      .execute()
    expect((await list(token)).body).toMatchObject([{ user: null, address: null }, { user: 'Ada Byron' }])
    expect((await list(token, 'q=byron')).body).toHaveLength(1)
  })

  test('reading needs the right viewUserSettings, and never shows another account', async () => {
    const mine = await api.addAccount()
    const theirs = await api.addAccount()
    await write(theirs.accountId, [{}])
    expect((await list(mine.token)).body).toEqual([])
    const without = await readerOf(mine.accountId, { rights: [] })
    for (const path of ['auditLogs', 'auditLogs/actions', 'auditLogs/export']) {
      expect((await api.call(without.token, `GET ${path}`)).status, path).toBe(403)
    }
  })

  test("a second export for the same account while one is running is refused with 429 and Retry-After; other accounts aren't affected", async () => {
    const [mine, other] = [await api.addAccount(), await api.addAccount()]
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = api.owner.transaction(async (tx) => {
      await sql`lock table audit_log in exclusive mode`.execute(tx)
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const exported = (token: string) => api.call(token, 'GET auditLogs/export?format=csv')
    const [first, second] = [exported(mine.token), exported(mine.token)]
    const refused = await Promise.race([first, second])
    expect(refused).toMatchObject({ status: 429, body: { code: 16 } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const others = exported(other.token)
    held.resolve()
    await holding
    expect([(await first).status, (await second).status].sort()).toEqual([200, 429])
    expect((await others).status).toBe(200)
  })

  test('a sub-user reads entries about users, and otherwise only about what they have access to', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const [yard, cellar] = [nextId++, nextId++]
    const zones = [yard, cellar].map((zone_id) => ({ account_id: accountId, zone_id, name: `Zone ${zone_id}` }))
    await api.owner.plain.insertInto('zones').values(zones).execute()
    const door = await api.addCamera(accountId, zoneId, 'Door')
    const till = await api.addCamera(accountId, zoneId, 'Till')
    const gate = await api.addCamera(accountId, yard, 'Gate')
    const gone = nextId++
    const [login, seenDoor, , seenGate, , , seenYard, seenShop] = await write(accountId, [
      { action: 'login' },
      { action: 'live', camera: door },
      { action: 'live', camera: till },
      { action: 'live', camera: gate },
      { action: 'live', camera: gone },
      { action: 'patchZone', zone: cellar },
      { action: 'patchZone', zone: yard },
      { action: 'patchZone', zone: zoneId },
    ])
    const { token } = await readerOf(accountId, { cameras: [door], zones: [yard] })
    expect(ids(await list(token))).toEqual([seenShop, seenYard, seenGate, seenDoor, login])
    expect(ids(await list(token, `cameraIds=${door},${till}`))).toEqual([seenDoor])
    expect(ids(await list(token, 'q=till'))).toEqual([])
    expect((await list(token, 'count=true')).headers.get('x-total-count')).toBe('5')
    const file = (await api.call(token, 'GET auditLogs/export')).body.toString()
    expect(file).toContain('Door')
    expect(file).not.toContain('Till')
  })

  test('the known actions cover every call that writes, signing in and watching, each in a group', async () => {
    const { token } = await api.addAccount()
    const { body } = await api.call(token, 'GET auditLogs/actions')
    expect(body).toEqual(
      expect.arrayContaining([
        { action: 'login', group: 'signIn' },
        { action: 'live', group: 'video' },
        { action: 'patchCamera', group: 'cameras' },
        { action: 'deleteZone', group: 'zones' },
        { action: 'patchTimeZone', group: 'account' },
        { action: 'auditExport', group: 'auditLog' },
      ]),
    )
    expect(new Set(body.map((known: { action: string }) => known.action)).size).toBe(body.length)
  })

  test("a CSV file has every entry and can't contain formulas; the export is in the log", async () => {
    const { accountId, token } = await api.addAccount()
    const names = ['=cmd|x', '+1', '-1', '@sum', '\tTab', 'a "quoted", name', 'two\nlines', 'Zoë']
    await write(
      accountId,
      names.map((name) => ({ name, after: { note: name } })),
    )
    const answer = await api.call(token, 'GET auditLogs/export?actions=login')
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-[\d-]{10}\.csv"$/)
    expect(answer.headers.get('x-truncated')).toBeNull()
    const text = answer.body.toString()
    expect(text.startsWith('\uFEFFtime,user,')).toBe(true)
    for (const safe of [
      ',"\'=cmd|x",',
      ",'+1,",
      ",'-1,",
      ",'@sum,",
      ',"\'\tTab",',
      ',"a ""quoted"", name",',
      ',"two\nlines",',
      ',Zoë,',
    ]) {
      expect(text, safe).toContain(safe)
    }
    expect(text).toContain('"{""note"": ""+1""}"'.replace(': ', ':'))
    expect(text.endsWith('\r\n')).toBe(true)
    expect((await list(token, 'actions=auditExport')).body).toMatchObject([
      { userId: accountId, group: 'auditLog', after: { format: 'csv', lines: 8, actions: ['login'] } },
    ])
  })

  test('a JSON file has the same entries as the list', async () => {
    const { accountId, token } = await api.addAccount()
    await write(accountId, [{ after: { a: 1 } }, {}])
    const listed = (await list(token)).body
    const file = (await api.call(token, 'GET auditLogs/export?format=json')).body
    expect(file).toMatchObject({ isCut: false, lines: listed })
    expect((await api.call(token, 'GET auditLogs/export?format=json&actions=none')).body.lines).toEqual([])
  })
})
