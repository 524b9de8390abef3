import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraAdditions } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  api = await testApi({ slices: [cameraAdditions], media: { camerasChanged: () => void notified++ } })
})
afterAll(() => api[Symbol.asyncDispose]())

const row = (host: number) => ({ name: `Door ${host}`, address: `192.168.1.${host}` })
const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => row(from + at))
const limitTo = (accountId: number, cameras: number) =>
  api.owner.plain.updateTable('accounts').set({ max_cameras: cameras }).where('account_id', '=', accountId).execute()
const countOf = async (accountId: number) =>
  (await api.owner.plain.selectFrom('cameras').select('name').where('account_id', '=', accountId).execute()).length

interface RowResult {
  readonly camera: { readonly name: string } | null
  readonly error: { readonly code: number; readonly fields?: unknown } | null
}
const outcomes = (body: readonly RowResult[]) => body.map(({ camera, error }) => camera?.name ?? error?.code)

describe('POST cameras/batch', () => {
  test('adds fifty cameras with one call, and the worker is asked to look once', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    notified = 0
    const added = await api.call(token, 'POST cameras/batch', { zoneId, cameras: rows(1, 50) })
    expect(added.status).toBe(200)
    expect(outcomes(added.body)).toEqual(rows(1, 50).map(({ name }) => name))
    expect([await countOf(accountId), notified]).toEqual([50, 1])
    const log = api.owner.plain.selectFrom('audit_log').select('action').where('account_id', '=', accountId)
    expect((await log.execute()).filter(({ action }) => action === 'postCamera')).toHaveLength(50)
  })

  test('each has its own result, in the order of the request: one that is wrong costs only itself', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await limitTo(accountId, 3)
    const cameras = [row(1), { ...row(1), name: 'Again' }, { name: 'No address' }, { ...row(2), port: 'many' }]
    const more = [{ ...row(3), channel: 2, streamPath: '/main' }, row(4), row(5), row(6)]
    const { body } = await api.call(token, 'POST cameras/batch', { zoneId, cameras: [...cameras, ...more] })
    expect(outcomes(body)).toEqual(['Door 1', 5, 3, 3, 3, 'Door 4', 'Door 5', 6])
    expect(body[2].error.fields).toEqual([{ field: 'address', message: 'Please enter an IP address or host name' }])
    expect(await countOf(accountId)).toBe(3)
  })

  test('a camera that is there already is code 5, also if no slot is free', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await limitTo(accountId, 1)
    const { body } = await api.call(token, 'POST cameras/batch', { zoneId, cameras: [row(1), row(1), row(2)] })
    expect(outcomes(body)).toEqual(['Door 1', 5, 6])
  })

  test('of 20 calls at the same time, the slots are never exceeded and no camera is added twice', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await limitTo(accountId, 12)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        api.call(token, 'POST cameras/batch', { zoneId, cameras: rows(1 + (at % 5) * 5, 5) }),
      ),
    )
    const codes = replies.flatMap(({ body }) => (body as RowResult[]).map(({ error }) => error?.code ?? 0))
    expect(codes.filter((code) => code === 0)).toHaveLength(12)
    expect(new Set(codes)).toEqual(new Set([0, 5, 6]))
    expect(await countOf(accountId)).toBe(12)
  })

  test('takes from one to fifty, and the zone has to be the caller’s as a whole', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    for (const cameras of [[], rows(1, 51)])
      expect(await api.call(token, 'POST cameras/batch', { zoneId, cameras })).toMatchObject({
        status: 400,
        body: { code: 3 },
      })
    const other = await api.addAccount()
    const theirs = { zoneId: other.zoneId, cameras: rows(1, 1) }
    expect(await api.call(token, 'POST cameras/batch', theirs)).toMatchObject({ status: 404, body: { code: 4 } })
    const user = await api.addSubUser(accountId, { rights: ['editCamera'], zoneIds: [zoneId] })
    expect((await api.call(user.token, 'POST cameras/batch', { zoneId, cameras: rows(1, 1) })).status).toBe(403)
  })
})
