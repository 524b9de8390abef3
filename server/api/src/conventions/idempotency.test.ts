import { createHash } from 'node:crypto'
import { isReplayed } from '@sightline/contract/conventions'
import { allRoutes } from '@sightline/contract/routes'
import { instant } from '@sightline/platform/db'
import { engines } from '@sightline/platform/db-testing'
import { idempotencyStore } from '@sightline/platform/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { streams } from '../streams/index.ts'
import { subUsers } from '../sub-users/index.ts'
import { zones } from '../zones/index.ts'
import { countedNotes } from './counted-notes-testing.ts'

const slices = [streams, subUsers, zones]

const notes = countedNotes()

describe.each(engines)('Idempotency-Key on %s', (_engine, open) => {
  let api: TestApi
  const bugs: unknown[] = []
  beforeAll(async () => {
    api = await testApi({ slices, open, served: [notes.served], onBug: (error) => bugs.push(error) })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const post = (token: string, key: string, body: object) =>
    api.call(token, 'POST notes', body, { 'idempotency-key': key })

  test('the same key and body return the first reply under every version, without running again', async () => {
    const { token } = await api.addAccount()
    const first = await post(token, 'one', { text: 'a' })
    const before = notes.runs()
    const second = await post(token, 'one', { text: 'a' })
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(first.headers.get('location')).toBe(`/rest/v2.4/notes/${first.body.noteId}`)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect([first, second].map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    const older = await fetch(`${api.origin}/rest/v2.0/notes`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
      },
      body: '{ "text": "a" }',
    })
    expect(await older.json()).toEqual(first.body)
    expect(notes.runs()).toBe(before)
  })

  test('the same key with another body is refused with 409, code 6', async () => {
    const { token } = await api.addAccount()
    await post(token, 'one', { text: 'a' })
    expect(await post(token, 'one', { text: 'b' })).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('a body nested deeper than any call needs is refused with code 2, with or without a key', async () => {
    const { token } = await api.addAccount()
    const send = (deep: number, key?: string) =>
      fetch(`${api.origin}/rest/v2.4/notes`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key && { 'idempotency-key': key }),
        },
        body: `{"text":"deep","more":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      })
    bugs.length = 0
    for (const key of ['deep', undefined]) {
      const answer = await send(100_000, key)
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { code: 2, detail: expect.stringMatching(/64/) },
      ])
    }
    expect(bugs).toEqual([])
    expect((await send(60, 'less-deep')).status).toBe(201)
  })

  test('of twenty concurrent requests one runs and all get its reply', async () => {
    const { token } = await api.addAccount()
    const before = notes.runs()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(token, 'same', { text: 'slow', milliseconds: 200 })),
    )
    expect(notes.runs()).toBe(before + 1)
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1)
  })

  test('keys belong to a user: another user with the same key runs the call', async () => {
    const { accountId, token } = await api.addAccount()
    const colleague = await api.addSubUser(accountId, { rights: [] })
    const stranger = await api.addAccount()
    const answers = [token, colleague.token, stranger.token].map((who) => post(who, 'shared', { text: 'a' }))
    const ids = (await Promise.all(answers)).map((answer) => answer.body.noteId)
    expect(new Set(ids).size).toBe(3)
  })

  test('a failure releases the key, whether an error reply or a bug', async () => {
    const { token } = await api.addAccount()
    const before = notes.runs()
    expect((await post(token, 'failed', { text: 'twice' })).status).toBe(409)
    expect((await post(token, 'failed', { text: 'twice' })).body.code).toBe(5)
    expect(notes.runs()).toBe(before + 2)
    bugs.length = 0
    expect(await post(token, 'bug', { text: 'bug' })).toMatchObject({ status: 500, body: { code: 1 } })
    expect(bugs).toHaveLength(1)
    expect((await post(token, 'bug', { text: 'mended' })).status).toBe(201)
  })

  test.each(['', 'two words', 'x'.repeat(256)])('the key %j is refused with code 3', async (key) => {
    const { token } = await api.addAccount()
    expect(await post(token, key, { text: 'a' })).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a key expires after 24 hours; cleanup deletes only expired keys, in every account', async () => {
    const { accountId, token } = await api.addAccount()
    await post(token, 'old', { text: 'a' })
    await post(token, 'fresh', { text: 'a' })
    const expire = (text: string) =>
      api.owner.plain
        .updateTable('idempotency_keys')
        .set({ expires_at: instant(Date.now() - 1) })
        .where('account_id', '=', accountId)
        .where(
          'key_sha256',
          '=',
          createHash('sha256')
            .update(JSON.stringify(['POST', '["notes",{}]', text]))
            .digest(),
        )
        .executeTakeFirst()
    expect((await expire('old')).numUpdatedRows).toBe(1n)
    const before = notes.runs()
    expect((await post(token, 'old', { text: 'another body' })).status).toBe(201)
    expect(notes.runs()).toBe(before + 1)
    await expire('old')
    await idempotencyStore(api.app).sweep()
    const rows = await api.owner.plain
      .selectFrom('idempotency_keys')
      .select('key_sha256')
      .where('account_id', '=', accountId)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test("a request whose process died runs again once its claim isn't renewed", async () => {
    const { accountId, token } = await api.addAccount()
    const pending = post(token, 'dead', { text: 'slow', milliseconds: 300 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const before = notes.runs()
    await api.owner.plain
      .updateTable('idempotency_keys')
      .set({ claimed_until: instant(Date.now() - 1) })
      .where('account_id', '=', accountId)
      .execute()
    expect((await post(token, 'dead', { text: 'slow', milliseconds: 300 })).status).toBe(201)
    await pending
    expect(notes.runs()).toBe(before + 2)
  })

  test('a user can have a limited number of keys; known keys still work at the limit', async () => {
    const { accountId } = await api.addAccount()
    const store = idempotencyStore(api.app, { mostKeys: 3 })
    const scope = { accountId, userId: accountId }
    const request = (n: number) => ({ keySha256: Buffer.alloc(32, n), requestSha256: Buffer.alloc(32) })
    const kinds: string[] = []
    for (let n = 0; n < 5; n += 1) kinds.push((await store.claim(scope, request(n))).kind)
    expect(kinds).toEqual(['claimed', 'claimed', 'claimed', 'full', 'full'])
    expect((await store.claim(scope, request(0))).kind).toBe('running')
  })

  test('the reply of a stream ticket is never stored: the same key creates another ticket', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const ask = () =>
      api.call(token, `POST cameras/${cameraId}/streamTickets`, { use: 'live' }, { 'idempotency-key': 'k' })
    const [one, two] = [await ask(), await ask()]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.ticket).not.toBe(two.body.ticket)
    const kept = await api.owner.plain
      .selectFrom('idempotency_keys')
      .select('reply_body')
      .where('account_id', '=', accountId)
      .execute()
    expect(kept).toEqual([])
  })

  test('keys are stored only as hashes', async () => {
    const { accountId, token } = await api.addAccount()
    await post(token, 'my-secret-order', { text: 'a' })
    const rows = await api.owner.plain
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('my-secret-order')
  })

  test("a stored reply isn't repeated after the caller lost access to the object or the object was deleted", async () => {
    const { accountId, token } = await api.addAccount()
    const editor = await api.addSubUser(accountId, { rights: ['addZone'] })
    const send = () => api.call(editor.token, 'POST zones', { name: 'Yard' }, { 'idempotency-key': 'yard' })
    const first = await send()
    expect(await send()).toMatchObject({ status: 201, body: first.body })
    const reach = (zoneIds: readonly number[]) => api.call(token, `PATCH users/${editor.userId}/access`, { zoneIds })
    await reach([])
    expect(await send()).toMatchObject({ status: 404, body: { code: 4 } })
    await reach([first.body.zoneId])
    expect(await send()).toMatchObject({ status: 201, body: first.body })
    expect((await api.call(token, `DELETE zones/${first.body.zoneId}`)).status).toBe(204)
    expect(await send()).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('everything created by a call whose reply is stored can also be read with a GET', () => {
    const ofTheApi = allRoutes.filter(({ plane }) => plane === 'api')
    const kept = ofTheApi.filter((made) => isReplayed(made) && made.created !== undefined)
    const shown = new Set(ofTheApi.filter(({ method }) => method === 'GET').map(({ path }) => path))
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.filter(({ created }) => !shown.has(created ?? '')).map(({ name }) => name)).toEqual([])
  })
})
