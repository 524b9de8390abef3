import { isConditional } from '@sightline/contract/conventions'
import { allRoutes } from '@sightline/contract/routes'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SliceReply, type TestApi, testApi } from '../api-testing.ts'
import { obedientOutputs, settableCameras } from '../media-testing.ts'
import { changedObjects } from './changed-objects-testing.ts'

describe.each(engines)('ETag on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ open, media: { command: settableCameras(obedientOutputs) } })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const etagOf = (answer: SliceReply) => answer.headers.get('etag') ?? ''

  /**
   * Locks the rows of an account and its users until the calls have come as far as they can, so that a handler that
   * reads without a lock has read, and all of them continue together.
   */
  const whileHeld = async (accountId: number, calls: () => readonly Promise<SliceReply>[]) => {
    const begun = await api.owner.transaction(async (tx) => {
      for (const table of ['accounts', 'users'] as const) {
        await tx.selectFrom(table).select('account_id').where('account_id', '=', accountId).forUpdate().execute()
      }
      const under = calls()
      await new Promise((resolve) => setTimeout(resolve, 200))
      return { under }
    })
    return Promise.all(begun.under)
  }

  test("names an object's version: the same on GET and PATCH, different after a change", async () => {
    const { token } = await api.addAccount()
    const before = await api.call(token, 'GET users/self')
    expect(etagOf(before)).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
    expect(etagOf(await api.call(token, 'GET users/self'))).toBe(etagOf(before))
    const changed = await api.call(token, 'PATCH users/self', { firstName: 'Grace' })
    expect(etagOf(changed)).not.toBe(etagOf(before))
    expect(etagOf(await api.call(token, 'GET users/self'))).toBe(etagOf(changed))
  })

  test('If-None-Match returns 304 without a body while the object is unchanged', async () => {
    const { token } = await api.addAccount()
    const etag = etagOf(await api.call(token, 'GET users/self/details'))
    const ask = (tag: string) => api.call(token, 'GET users/self/details', undefined, { 'if-none-match': tag })
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ask(tag)
      expect(answer.status, tag).toBe(304)
      expect(answer.body).toHaveLength(0)
      expect(etagOf(answer)).toBe(etag)
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
    expect((await ask('"other"')).status).toBe(200)
    await api.call(token, 'PATCH users/self/details', { city: 'Delft' })
    expect((await ask(etag)).status).toBe(200)
  })

  const conditional = allRoutes.filter((candidate) => candidate.plane === 'api' && isConditional(candidate))
  const changedObject = (name: string) => {
    const arrange = changedObjects[name]
    if (arrange === undefined) throw new Error(`${name} needs an object in changed-objects-testing.ts`)
    return arrange(api)
  }

  test.each(conditional)(
    '$name: a change with an outdated If-Match is refused with 412, code 6, and changes nothing',
    async ({ name, method }) => {
      const { token, path, body, read = { request: `GET ${path}` } } = await changedObject(name)
      const look = () => api.call(token, read.request, read.body)
      const seen = await look()
      const refused = await api.call(token, `${method} ${path}`, body, { 'if-match': '"another"' })
      expect(refused).toMatchObject({ status: 412, body: { code: 6 } })
      expect(refused.body.detail).toContain(etagOf(seen))
      expect((await look()).body).toEqual(seen.body)
      const done = await api.call(token, `${method} ${path}`, body, { 'if-match': etagOf(seen) })
      expect(done).toMatchObject({ status: 200, body })
    },
  )

  test.each(conditional)(
    '$name: of many concurrent changes with the same If-Match one succeeds, and the others get 412',
    async ({ name, method }) => {
      const {
        accountId,
        token,
        path,
        body,
        read = { request: `GET ${path}` },
        lateStatus = 412,
      } = await changedObject(name)
      const etag = etagOf(await api.call(token, read.request, read.body))
      const answers = await whileHeld(accountId ?? 0, () =>
        Array.from({ length: 12 }, () => api.call(token, `${method} ${path}`, body, { 'if-match': etag })),
      )
      const statuses = answers.map((answer) => answer.status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      const late = statuses.filter((status) => status !== 200)
      expect(late.filter((status) => status !== 412 && status !== lateStatus)).toEqual([])
    },
  )

  test('a counter that retries with If-Match loses no increment, however many clients count', async () => {
    const { token } = await api.addAccount()
    await api.call(token, 'PATCH users/self/details', { region: 'step 0' })
    const step = async () => {
      for (;;) {
        const seen = await api.call(token, 'GET users/self/details')
        const region = `step ${Number(seen.body.region.slice(5)) + 1}`
        const done = await api.call(token, 'PATCH users/self/details', { region }, { 'if-match': etagOf(seen) })
        if (done.status === 200) return
        expect(done.status).toBe(412)
      }
    }
    await Promise.all(Array.from({ length: 6 }, step))
    expect((await api.call(token, 'GET users/self/details')).body.region).toBe('step 6')
  })

  test('a caller who read only some fields can still change the object; a different body has a different ETag', async () => {
    const { token } = await api.addAccount()
    const whole = await api.call(token, 'GET users/self')
    const part = await api.call(token, 'GET users/self?includeFields=firstName')
    expect(etagOf(part)).not.toBe(etagOf(whole))
    const again = await api.call(token, 'GET users/self', undefined, { 'if-none-match': etagOf(part) })
    expect(again.status).toBe(200)
    const done = await api.call(token, 'PATCH users/self', { firstName: 'Grace' }, { 'if-match': etagOf(part) })
    expect(done.status).toBe(200)
  })

  test('an ETag that a compressing proxy made weak still matches', async () => {
    const { token } = await api.addAccount()
    const etag = etagOf(await api.call(token, 'GET users/self'))
    const done = await api.call(token, 'PATCH users/self', { firstName: 'Grace' }, { 'if-match': `W/${etag}` })
    expect(done.status).toBe(200)
  })

  test("a condition is refused, not ignored, on a call that doesn't support it", async () => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'POST cameras/1/streamTickets', { use: 'live' }, { 'if-match': '"x"' })
    expect(answer).toMatchObject({ status: 412, body: { code: 6 } })
  })
})
