import { PASSWORD_HEADER } from '@sightline/contract/credentials'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { devices } from '../devices/index.ts'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { cameraAdditions } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameraAdditions, cameras, devices] })
})
afterAll(() => api[Symbol.asyncDispose]())

let made = 0
/** No two accounts of this file look for the same one. */
const freshMac = () => `02:00:00:00:ab:${(++made).toString(16).padStart(2, '0')}`

const byMac = (zoneId: number, ethMacAddress: string) => ({ name: 'Gate', zoneId, ethMacAddress, username: 'viewer' })
const byAddress = (zoneId: number) => ({ name: 'Gate', zoneId, address: '192.168.1.90' })
const confirmed = { [PASSWORD_HEADER]: Buffer.from(RIGHT_PASSWORD).toString('base64url') }

const rowOf = (cameraId: number) =>
  api.owner.plain.selectFrom('cameras').selectAll().where('camera_id', '=', cameraId).executeTakeFirstOrThrow()

/** What the worker writes once it has found the camera. */
const adopt = (table: 'cameras' | 'devices', id: number, ethMacAddress: string) =>
  sql`update ${sql.table(table)} set addition_status = 'added', eth_mac_address = ${ethMacAddress}
    where ${sql.ref(table === 'cameras' ? 'camera_id' : 'device_id')} = ${id}`.execute(api.owner.plain)

/** As if the removals had been two minutes ago. */
const letRest = async (accountId: number) => {
  await sql`update removed_connections set removed_at = now() - interval '2 minutes 1 second'
    where account_id = ${accountId}`.execute(api.owner.plain)
  await sql`update mac_claims set released_at = released_at - interval '2 minutes 1 second'
    where account_id = ${accountId}`.execute(api.owner.plain)
}

describe('POST cameras with ethMacAddress', () => {
  test.each([['02-00-00-00-AA-01'], ['0200.0000.AA01'], ['02:00:00:00:aa:01'], ['02000000aa01']])(
    '%s: the camera is looked for by its MAC address',
    async (typed) => {
      const { accountId, token, zoneId } = await api.addAccount()
      const reply = await api.call(token, 'POST cameras', byMac(zoneId, typed))
      expect(reply).toMatchObject({ status: 201, body: { ethMacAddress: '' } })
      expect(await rowOf(reply.body.cameraId)).toMatchObject({
        address: '',
        named_mac_address: '02:00:00:00:aa:01',
        rtsp_port: 0,
        addition_status: 'inProgress',
      })
      const log = api.owner.plain.selectFrom('audit_log').select('after').where('account_id', '=', accountId)
      expect(await log.execute()).toContainEqual({
        after: { name: 'Gate', zoneId, ethMacAddress: '02:00:00:00:aa:01', username: 'viewer' },
      })
    },
  )

  test.each([
    [{ ethMacAddress: '00:00:00:00:00:00' }, 'ethMacAddress'],
    [{ ethMacAddress: 'ff:ff:ff:ff:ff:ff' }, 'ethMacAddress'],
    [{ ethMacAddress: 'front door' }, 'ethMacAddress'],
    [{ ethMacAddress: '02:00:00-00:aa:02' }, 'ethMacAddress'],
    [{ ethMacAddress: '02:00:00:00:aa:02', address: '192.168.1.64' }, 'address'],
    [{}, 'address'],
    [{ ethMacAddress: '02:00:00:00:aa:02', streamPath: '/main' }, 'streamPath'],
  ])('%j is refused with code 3, at %s', async (wish, field) => {
    const { token, zoneId } = await api.addAccount()
    const reply = await api.call(token, 'POST cameras', { name: 'Gate', zoneId, ...wish })
    expect(reply).toMatchObject({ status: 400, body: { code: 3, fields: [{ field }] } })
  })

  test('takes the right addPnpCamera, an address the right addCameraManually; each follows what it began', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const [found, typed] = [
      await api.addSubUser(accountId, { rights: ['addPnpCamera'], zoneIds: [zoneId] }),
      await api.addSubUser(accountId, { rights: ['addCameraManually'], zoneIds: [zoneId] }),
    ]
    const mac = freshMac()
    expect(await api.call(found.token, 'POST cameras', byAddress(zoneId))).toMatchObject({ body: { code: 9 } })
    expect(await api.call(typed.token, 'POST cameras', byMac(zoneId, mac))).toMatchObject({ body: { code: 9 } })
    const added = await api.call(found.token, 'POST cameras', byMac(zoneId, mac))
    expect(added.status).toBe(201)
    const poll = `GET cameras/${added.body.cameraId}/additionStatus/poll?known=added`
    expect(await api.call(found.token, poll)).toMatchObject({ body: { status: 'inProgress' } })
    const viewer = await api.addSubUser(accountId, { rights: ['editCamera'], zoneIds: [zoneId] })
    expect(await api.call(viewer.token, poll)).toMatchObject({ status: 403, body: { code: 9 } })
    const batch = {
      zoneId,
      cameras: [
        { name: 'A', ethMacAddress: freshMac() },
        { name: 'B', address: '192.168.1.91' },
      ],
    }
    const rows = await api.call(found.token, 'POST cameras/batch', batch)
    expect(rows.body).toMatchObject([{ error: null }, { error: { code: 9 } }])
    expect((await api.call(viewer.token, 'POST cameras/batch', batch)).status).toBe(403)
  })

  test('of 20 calls at the same time for one MAC address, one adds it and the others answer code 5', async () => {
    const { token, zoneId } = await api.addAccount()
    const mac = freshMac()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => api.call(token, 'POST cameras', byMac(zoneId, mac))),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const others = replies.filter(({ status }) => status !== 201)
    expect(others.map(({ body }) => body.code)).toEqual(Array.from({ length: 19 }, () => 5))
  })

  test('20 calls at the same time never take more slots than there are: code 6', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await api.owner.plain.updateTable('accounts').set({ max_cameras: 3 }).where('account_id', '=', accountId).execute()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => api.call(token, 'POST cameras', byMac(zoneId, freshMac()))),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(new Set(replies.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(new Set([6]))
  })

  test('a camera of the account that was added by its address is code 5; one of another account tells nothing', async () => {
    const { token, zoneId } = await api.addAccount()
    const mac = freshMac()
    const { body } = await api.call(token, 'POST cameras', byAddress(zoneId))
    await adopt('cameras', body.cameraId, mac)
    expect(await api.call(token, 'POST cameras', byMac(zoneId, mac))).toMatchObject({ status: 409, body: { code: 5 } })
    const other = await api.addAccount()
    expect((await api.call(other.token, 'POST cameras', byMac(other.zoneId, mac))).status).toBe(201)
  })
})

describe('for two minutes after it was removed', () => {
  test('a camera is refused with code 8, by its address and by its MAC address; then it is added', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const mac = freshMac()
    const { body } = await api.call(token, 'POST cameras', byAddress(zoneId))
    await adopt('cameras', body.cameraId, mac)
    expect((await api.call(token, `DELETE cameras/${body.cameraId}`, undefined, confirmed)).status).toBe(204)
    for (const camera of [byAddress(zoneId), byMac(zoneId, mac)]) {
      const reply = await api.call(token, 'POST cameras', camera)
      expect(reply).toMatchObject({ status: 422, body: { code: 8 } })
      expect(reply.body.detail).toContain('wait two minutes')
    }
    await letRest(accountId)
    for (const camera of [byAddress(zoneId), byMac(zoneId, freshMac())])
      expect((await api.call(token, 'POST cameras', camera)).status).toBe(201)
  })

  test('an addition that failed and was dismissed needs no rest', async () => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', byAddress(zoneId))
    const failed = api.owner.plain.updateTable('cameras').set({ addition_status: 'failure' })
    await failed.where('camera_id', '=', body.cameraId).execute()
    expect((await api.call(token, `DELETE cameras/${body.cameraId}/additionStatus`)).status).toBe(204)
    expect((await api.call(token, 'POST cameras', byAddress(zoneId))).status).toBe(201)
  })

  test('a recorder is refused too', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const mac = freshMac()
    const recorder = { name: 'Cellar', zoneId, ethMacAddress: mac }
    const { body, status } = await api.call(token, 'POST devices', recorder)
    expect(status).toBe(201)
    expect(await api.call(token, 'POST devices', recorder)).toMatchObject({ status: 409, body: { code: 5 } })
    await adopt('devices', body.deviceId, mac)
    expect((await api.call(token, `DELETE devices/${body.deviceId}`, undefined, confirmed)).status).toBe(204)
    expect(await api.call(token, 'POST devices', recorder)).toMatchObject({ status: 422, body: { code: 8 } })
    await letRest(accountId)
    expect((await api.call(token, 'POST devices', recorder)).status).toBe(201)
  })
})

test('the poll says what to do about a camera of another account, and about one that was just removed', async () => {
  const { token, zoneId } = await api.addAccount()
  const { body } = await api.call(token, 'POST cameras', byMac(zoneId, freshMac()))
  const end = (subStatus: string) =>
    api.owner.plain
      .updateTable('cameras')
      .set({ addition_status: 'failure', addition_sub_status: subStatus, addition_step: 'signedIn' })
      .where('camera_id', '=', body.cameraId)
      .execute()
  await end('alreadyAttached')
  const poll = `GET cameras/${body.cameraId}/additionStatus/poll`
  expect((await api.call(token, poll)).body).toMatchObject({
    code: 5,
    message: 'Remove the camera from the current account first, then add it again.',
  })
  await end('recentlyRemoved')
  expect((await api.call(token, poll)).body).toMatchObject({ code: 8, message: expect.stringContaining('two minutes') })
})
