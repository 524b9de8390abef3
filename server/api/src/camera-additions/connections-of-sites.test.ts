import { PASSWORD_HEADER } from '@sightline/contract/credentials'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { devices } from '../devices/index.ts'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { cameraAdditions } from './index.ts'

const ADDRESS = '192.168.1.10'
const confirmed = { [PASSWORD_HEADER]: Buffer.from(RIGHT_PASSWORD).toString('base64url') }

describe.each(engines)('cameras with the same address on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [cameraAdditions, cameras, devices], open, password: 'right' })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const shop = async (kind: 'cameras' | 'devices' = 'cameras') => {
    const account = await api.addAccount()
    const add = (machines?: readonly string[]) =>
      api.call(account.token, `POST ${kind}`, {
        name: 'Door',
        zoneId: account.zoneId,
        address: ADDRESS,
        ...(machines === undefined ? {} : { machines }),
      })
    return { ...account, add }
  }
  const statuses = (replies: readonly { readonly status: number }[]) => replies.map(({ status }) => status)

  test.each(['cameras', 'devices'] as const)('two sites may each have one (%s)', async (kind) => {
    const { add } = await shop(kind)
    expect(statuses([await add(['north']), await add(['south']), await add(['north'])])).toEqual([201, 201, 409])
  })

  test.each([
    ['the same machine may reach both', ['north', 'front'], ['front', 'south']],
    ['the first is reached by every machine', undefined, ['south']],
    ['the second is reached by every machine', ['north'], undefined],
    ['the second is reached by every machine, and says so', ['north'], []],
  ])('they are one camera if %s: code 5', async (_why, first, second) => {
    const { add } = await shop()
    expect((await add(first)).status).toBe(201)
    expect(await add(second)).toMatchObject({ status: 409, body: { code: 5 } })
  })

  test.each(['cameras', 'devices'] as const)(
    'of 30 calls at the same time for two sites and for all machines, no two added %s may be the same',
    async (kind) => {
      const { add } = await shop(kind)
      const calls = Array.from({ length: 30 }, (_, at) => add([['north'], ['south'], undefined][at % 3]))
      const replies = await Promise.all(calls)
      const added = replies.flatMap(({ status }, at) => (status === 201 ? [at % 3] : [])).toSorted()
      expect(added.join()).toMatch(/^(?:0,1|2)$/)
      expect(replies.filter(({ status }) => status !== 201).every(({ body }) => body.code === 5)).toBe(true)
    },
  )

  test('one that failed is tried again under its id at its own site only', async () => {
    const { accountId, add } = await shop()
    const { cameraId } = (await add(['north'])).body
    const failed = api.owner.plain.updateTable('cameras').set({ addition_status: 'failure' })
    await failed.where('account_id', '=', accountId).execute()
    const elsewhere = await add(['south'])
    expect([elsewhere.status, elsewhere.body.cameraId === cameraId]).toEqual([201, false])
    expect((await add(['north'])).body.cameraId).toBe(cameraId)
  })

  test('one that was removed rests for two minutes at its own site only', async () => {
    const { accountId, add, token } = await shop()
    const { cameraId } = (await add(['north'])).body
    const added = api.owner.plain.updateTable('cameras').set({ addition_status: 'added' })
    await added.where('account_id', '=', accountId).execute()
    expect((await api.call(token, `DELETE cameras/${cameraId}`, undefined, confirmed)).status).toBe(204)
    expect(await add(['north'])).toMatchObject({ status: 422, body: { code: 8 } })
    expect((await add(['south'])).status).toBe(201)
  })

  test('the database refuses a second one too, whoever writes it', async () => {
    const { accountId, zoneId } = await shop()
    const keyed = async (name: string, machines: string[]) => {
      const cameraId = await api.addCamera(accountId, zoneId, name)
      const set = { connection_key: `["${ADDRESS}",null,null]`, machines }
      await api.owner.plain.updateTable('cameras').set(set).where('camera_id', '=', cameraId).execute()
      return cameraId
    }
    await keyed('North', ['north'])
    const south = await keyed('South', ['south'])
    await expect(keyed('Both', ['north', 'south'])).rejects.toMatchObject({ constraint: 'cameras_by_connection' })
    const widen = api.owner.plain.updateTable('cameras').set({ machines: [] }).where('camera_id', '=', south)
    await expect(widen.execute()).rejects.toMatchObject({ constraint: 'cameras_by_connection' })
  })
})
