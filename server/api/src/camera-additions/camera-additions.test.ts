import { idSource } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { additionTasks, cameraAdditions } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  const media = { snapshot: async () => ({ kind: 'cameraOffline' as const }), camerasChanged: () => void notified++ }
  api = await testApi({ slices: [cameraAdditions, cameras], media })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  notified = 0
})

/** What the worker finds out, written as it writes it. */
const finish = (cameraId: number, status: 'validated' | 'added' | 'failure', subStatus = 'none') =>
  api.owner.plain
    .updateTable('cameras')
    .set({ addition_status: status, addition_sub_status: subStatus })
    .where('camera_id', '=', cameraId)
    .execute()

const rowOf = (cameraId: number) =>
  api.owner.plain.selectFrom('cameras').selectAll().where('camera_id', '=', cameraId).executeTakeFirstOrThrow()

const door = (zoneId: number) => ({
  name: 'Front door',
  zoneId,
  address: '192.168.1.64',
  username: 'viewer',
  password: 'camera secret',
})

describe('POST cameras', () => {
  test('adds a camera by its address: 201, and the worker is asked to look at once', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const added = await api.call(token, 'POST cameras', door(zoneId))
    expect(added).toMatchObject({ status: 201, body: { name: 'Front door', zoneId, accountId } })
    expect(notified).toBe(1)
    expect(await rowOf(added.body.cameraId)).toMatchObject({
      address: '192.168.1.64',
      rtsp_port: 0,
      addition_status: 'inProgress',
      retention_hours: 168,
    })
    expect((await api.call(token, 'GET cameras')).body).toEqual([added.body])
  })

  test('with a path, the stream is known: its port is that of RTSP', async () => {
    const { token, zoneId } = await api.addAccount()
    const path = { ...door(zoneId), streamPath: '/Streaming/Channels/101' }
    const usual = await api.call(token, 'POST cameras', path)
    expect(await rowOf(usual.body.cameraId)).toMatchObject({ rtsp_port: 554, main_path: '/Streaming/Channels/101' })
    const named = await api.call(token, 'POST cameras', { ...path, port: 8554 })
    expect(await rowOf(named.body.cameraId)).toMatchObject({ rtsp_port: 8554 })
  })

  test('with https, the stream is fetched over TLS; a second path is the sub-stream; the audit log has both', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const secure = { ...door(zoneId), streamPath: '/main', subStreamPath: '/sub', https: true }
    const added = await api.call(token, 'POST cameras', secure)
    expect(await rowOf(added.body.cameraId)).toMatchObject({
      rtsp_port: 322,
      main_path: '/main',
      sub_path: '/sub',
      stream_secure: true,
      certificate_sha256: null,
    })
    const log = await api.owner.plain
      .selectFrom('audit_log')
      .select('after')
      .where('account_id', '=', accountId)
      .execute()
    expect(log).toContainEqual({ after: expect.objectContaining({ subStreamPath: '/sub', https: true }) })
  })

  test('keeps the machines that reach the camera, and the audit log has them; a name that no machine can have is refused', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const machines = ['north', 'front']
    const added = await api.call(token, 'POST cameras', { ...door(zoneId), machines })
    expect(await rowOf(added.body.cameraId)).toMatchObject({ machines })
    const log = api.owner.plain.selectFrom('audit_log').select('after').where('account_id', '=', accountId)
    expect(await log.execute()).toContainEqual({ after: expect.objectContaining({ machines }) })
    const plain = await api.call(token, 'POST cameras', { ...door(zoneId), address: '192.168.1.65' })
    expect(await rowOf(plain.body.cameraId)).toMatchObject({ machines: [] })
    const wrong = await api.call(token, 'POST cameras', { ...door(zoneId), machines: ['North side'] })
    expect(wrong).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'machines.0' }] } })
  })

  test('keeps the password encrypted, and neither the reply nor the audit log has it', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const added = await api.call(token, 'POST cameras', door(zoneId))
    const row = await rowOf(added.body.cameraId)
    expect(row.password_sealed?.toString('latin1')).not.toContain('camera secret')
    expect(JSON.stringify(added.body)).not.toContain('secret')
    const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
    const entry = log.find(({ action }) => action === 'postCamera')
    expect(entry?.after).toEqual({ name: 'Front door', zoneId, address: '192.168.1.64', username: 'viewer' })
  })

  test("sends the camera's password in plain text only with the owner's consent, which the audit log has", async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const usual = await api.call(token, 'POST cameras', door(zoneId))
    expect((await rowOf(usual.body.cameraId)).allow_basic).toBe(false)
    const old = { ...door(zoneId), address: '192.168.1.65', allowBasic: true }
    const consented = await api.call(token, 'POST cameras', old)
    expect((await rowOf(consented.body.cameraId)).allow_basic).toBe(true)
    const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
    expect(log.map(({ after }) => after)).toContainEqual(expect.objectContaining({ allowBasic: true }))
  })

  test('of 20 calls at the same time for one camera, one adds it and the others answer code 5', async () => {
    const { token, zoneId } = await api.addAccount()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        api.call(token, 'POST cameras', { ...door(zoneId), name: `Door ${at}`, address: ' 192.168.1.64 ' }),
      ),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const others = replies.filter(({ status }) => status !== 201)
    expect(others.map(({ body }) => body.code)).toEqual(Array.from({ length: 19 }, () => 5))
  })

  test('each input of a recorder can be added once; the first is that without a number', async () => {
    const { token, zoneId } = await api.addAccount()
    const add = (channel?: number) =>
      api.call(token, 'POST cameras', { ...door(zoneId), ...(channel === undefined ? {} : { channel }) })
    expect([await add(2), await add(), await add(1), await add(2), await add(3)].map(({ status }) => status)).toEqual([
      201, 201, 409, 409, 201,
    ])
  })

  test('another account may add the same address: networks are not shared', async () => {
    const [one, other] = [await api.addAccount(), await api.addAccount()]
    expect((await api.call(one.token, 'POST cameras', door(one.zoneId))).status).toBe(201)
    expect((await api.call(other.token, 'POST cameras', door(other.zoneId))).status).toBe(201)
  })

  test('a failed addition is tried again under the same id, with the new values', async () => {
    const { token, zoneId } = await api.addAccount()
    const first = await api.call(token, 'POST cameras', door(zoneId))
    await finish(first.body.cameraId, 'failure', 'credentialsIncorrect')
    const again = await api.call(token, 'POST cameras', { ...door(zoneId), name: 'Door', password: 'right' })
    expect(again).toMatchObject({ status: 201, body: { cameraId: first.body.cameraId, name: 'Door' } })
    expect(await rowOf(first.body.cameraId)).toMatchObject({
      addition_status: 'inProgress',
      addition_sub_status: 'none',
    })
  })

  test('beyond the slots of the account: code 6', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    await api.owner.plain.updateTable('accounts').set({ max_cameras: 1 }).where('account_id', '=', accountId).execute()
    await api.call(token, 'POST cameras', door(zoneId))
    const full = await api.call(token, 'POST cameras', { ...door(zoneId), address: 'camera-2.example' })
    expect(full).toMatchObject({ status: 409, body: { code: 6, detail: 'not enough camera slots' } })
  })

  test.each([
    ['an address with a scheme', { address: 'rtsp://192.168.1.64/main' }, 'address'],
    ['an IP address that is none', { address: '192.168.1.300' }, 'address'],
    ['a name with a space', { address: 'front door' }, 'address'],
    ['no address', { address: ' ' }, 'address'],
    ['a port beyond 65535', { port: 70_000 }, 'port'],
    ['a path without a slash', { streamPath: 'main' }, 'streamPath'],
    ['a path with a line break', { streamPath: '/main\r\nX: y' }, 'streamPath'],
    ['an input of a stream', { streamPath: '/main', channel: 2 }, 'channel'],
    ['an input that no device has', { channel: 0 }, 'channel'],
    ['a sub-stream without a main stream', { subStreamPath: '/sub' }, 'subStreamPath'],
    ['a sub-stream that is the main stream', { streamPath: '/main', subStreamPath: '/main' }, 'subStreamPath'],
    ['no name', { name: '' }, 'name'],
  ])('%s is rejected at its field with code 3', async (_what, wrong, field) => {
    const { token, zoneId } = await api.addAccount()
    const reply = await api.call(token, 'POST cameras', { ...door(zoneId), ...wrong })
    expect(reply).toMatchObject({ status: 400, body: { code: 3, fields: [{ field }] } })
    expect(notified).toBe(0)
  })

  test('takes the right addCameraManually and access to the whole zone', async () => {
    const { accountId, token, zoneId } = await api.addAccount()
    const without = await api.addSubUser(accountId, { rights: ['editCamera'], zoneIds: [zoneId] })
    expect((await api.call(without.token, 'POST cameras', door(zoneId))).status).toBe(403)
    const added = await api.call(token, 'POST cameras', door(zoneId))
    const cameraIds = [added.body.cameraId as number]
    const one = await api.addSubUser(accountId, { rights: ['addCameraManually'], cameraIds })
    expect(await api.call(one.token, 'POST cameras', door(zoneId))).toMatchObject({ status: 404, body: { code: 4 } })
    const whole = await api.addSubUser(accountId, { rights: ['addCameraManually'], zoneIds: [zoneId] })
    const theirs = { ...door(zoneId), address: '192.168.1.65' }
    expect((await api.call(whole.token, 'POST cameras', theirs)).status).toBe(201)
    const foreign = await api.addAccount()
    expect((await api.call(foreign.token, 'POST cameras', door(zoneId))).status).toBe(404)
  })
})

describe('GET cameras/{cameraId}/additionStatus/poll', () => {
  test('waits for the result and says why an addition failed', async () => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', door(zoneId))
    const waiting = api.call(token, `GET cameras/${body.cameraId}/additionStatus/poll`)
    await finish(body.cameraId, 'validated')
    await finish(body.cameraId, 'failure', 'credentialsIncorrect')
    expect((await waiting).body).toEqual({
      cameraId: body.cameraId,
      status: 'failure',
      subStatus: 'credentialsIncorrect',
      Status: 'failure',
      SubStatus: 'credentialsIncorrect',
      channels: 0,
      code: 12,
      message: 'The device credentials are incorrect',
      steps: [
        { step: 'reachable', state: 'failed' },
        ...['identified', 'signedIn', 'streams', 'samplePicture', 'recording'].map((step) => ({
          step,
          state: 'waiting',
        })),
      ],
    })
  })

  test.each([
    ['deviceOffline', 14, "Check the camera's power and internet connection, then try again."],
    ['addressNotAllowed', 14, "Check the camera's power and internet connection, then try again."],
    ['deviceError', 13, 'Restart the camera or reset it to factory settings, then try again.'],
    ['unsupportedDevice', 3, "The camera couldn't be identified or isn't supported."],
    ['cloudUnreachable', 1, "Couldn't add the camera. If the problem persists, contact support."],
  ])('%s is code %i of operation 59, with its text', async (subStatus, code, message) => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', door(zoneId))
    await finish(body.cameraId, 'failure', subStatus)
    const poll = await api.call(token, `GET cameras/${body.cameraId}/additionStatus/poll`)
    expect(poll.body).toMatchObject({ Status: 'failure', SubStatus: subStatus, code, message })
  })

  test('a camera without credentials that wants some is code 8: its default ones are missing', async () => {
    const { token, zoneId } = await api.addAccount()
    const { username: _, password: __, ...open } = door(zoneId)
    const { body } = await api.call(token, 'POST cameras', open)
    await finish(body.cameraId, 'failure', 'credentialsIncorrect')
    const poll = await api.call(token, `GET cameras/${body.cameraId}/additionStatus/poll`)
    expect(poll.body).toMatchObject({ code: 8, message: expect.stringContaining('Reset the camera') })
  })

  test('with the known step it answers at the next one, in the order of the steps', async () => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', door(zoneId))
    const poll = `GET cameras/${body.cameraId}/additionStatus/poll?known=inProgress&knownStep=reachable`
    const waiting = api.call(token, poll)
    await api.owner.plain
      .updateTable('cameras')
      .set({ addition_step: 'identified' })
      .where('camera_id', '=', body.cameraId)
      .execute()
    expect((await waiting).body.steps.map(({ state }: { state: string }) => state)).toEqual([
      'done',
      'done',
      'running',
      'waiting',
      'waiting',
      'waiting',
    ])
  })

  test('a camera that is not to be recorded now has the last step skipped; one that cannot be has it failed', async () => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', door(zoneId))
    const end = async (subStatus: string) => {
      await finish(body.cameraId, 'added', subStatus)
      const camera = api.owner.plain.updateTable('cameras').set({ addition_step: 'samplePicture' })
      await camera.where('camera_id', '=', body.cameraId).execute()
      return (await api.call(token, `GET cameras/${body.cameraId}/additionStatus/poll`)).body
    }
    expect(await end('none')).toMatchObject({ code: null, steps: { 5: { step: 'recording', state: 'skipped' } } })
    expect(await end('cloudUnreachable')).toMatchObject({ code: null, steps: { 5: { state: 'failed' } } })
  })

  test('with the known status it answers at the next one', async () => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', door(zoneId))
    const waiting = api.call(token, `GET cameras/${body.cameraId}/additionStatus/poll?known=inProgress`)
    await finish(body.cameraId, 'validated')
    expect((await waiting).body).toMatchObject({ status: 'validated', subStatus: 'none' })
  })

  test('a known status that does not exist is refused', async () => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', door(zoneId))
    const poll = `GET cameras/${body.cameraId}/additionStatus/poll?known=waiting`
    expect(await api.call(token, poll)).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a camera out of scope is not found', async () => {
    const { token, zoneId } = await api.addAccount()
    const { body } = await api.call(token, 'POST cameras', door(zoneId))
    const other = await api.addAccount()
    expect((await api.call(other.token, `GET cameras/${body.cameraId}/additionStatus/poll`)).status).toBe(404)
  })
})

describe('a failed addition', () => {
  const failed = async (given: object = {}) => {
    const account = await api.addAccount()
    const { body } = await api.call(account.token, 'POST cameras', { ...door(account.zoneId), ...given })
    await finish(body.cameraId, 'failure', 'credentialsIncorrect')
    return { ...account, cameraId: body.cameraId as number }
  }

  test('is tried again with other credentials, which the audit log has without the password', async () => {
    const { accountId, token, cameraId } = await failed()
    const before = await rowOf(cameraId)
    notified = 0
    const again = await api.call(token, `POST cameras/${cameraId}/additionStatus`, {
      username: 'admin',
      password: 'new one',
    })
    expect(again).toMatchObject({ status: 200, body: { cameraId } })
    expect(notified).toBe(1)
    const row = await rowOf(cameraId)
    expect(row).toMatchObject({ addition_status: 'inProgress', addition_step: null, username: 'admin' })
    expect(row.password_sealed).not.toEqual(before.password_sealed)
    const log = api.owner.plain.selectFrom('audit_log').select(['action', 'after'])
    expect(await log.where('account_id', '=', accountId).execute()).toContainEqual({
      action: 'retryCameraAddition',
      after: { username: 'admin' },
    })
  })

  test('tried again without credentials keeps those that it has', async () => {
    const { token, cameraId } = await failed()
    const before = await rowOf(cameraId)
    expect((await api.call(token, `POST cameras/${cameraId}/additionStatus`, {})).status).toBe(200)
    expect((await rowOf(cameraId)).password_sealed).toEqual(before.password_sealed)
  })

  test('takes no slot meanwhile, and is tried again only if one is free: code 6', async () => {
    const { accountId, token, zoneId, cameraId } = await failed()
    await api.owner.plain.updateTable('accounts').set({ max_cameras: 1 }).where('account_id', '=', accountId).execute()
    const other = await api.call(token, 'POST cameras', { ...door(zoneId), name: 'Yard', address: '192.0.2.90' })
    expect(other.status).toBe(201)
    const full = { status: 409, body: { code: 6, detail: 'not enough camera slots' } }
    expect(await api.call(token, `POST cameras/${cameraId}/additionStatus`, {})).toMatchObject(full)
    expect(await api.call(token, 'POST cameras', door(zoneId))).toMatchObject(full)
    await finish(other.body.cameraId, 'failure', 'deviceOffline')
    expect((await api.call(token, 'POST cameras', door(zoneId))).body).toMatchObject({ cameraId })
  })

  test('is dismissed without a password, by whoever may add cameras', async () => {
    const { accountId, zoneId, cameraId } = await failed()
    const adder = await api.addSubUser(accountId, { rights: ['addCameraManually'], zoneIds: [zoneId] })
    expect((await api.call(adder.token, `DELETE cameras/${cameraId}/additionStatus`)).status).toBe(204)
    expect((await api.call(adder.token, `DELETE cameras/${cameraId}/additionStatus`)).status).toBe(404)
  })

  test('only a failed one: a camera that is added is neither tried again nor dismissed, code 6', async () => {
    const { token, cameraId } = await failed()
    await finish(cameraId, 'added')
    for (const method of ['POST', 'DELETE'])
      expect(
        await api.call(token, `${method} cameras/${cameraId}/additionStatus`, method === 'POST' ? {} : undefined),
      ).toMatchObject({
        status: 409,
        body: { code: 6 },
      })
    expect(await api.call(token, `POST cameras/${cameraId}/additionStatus`, { username: 7 })).toMatchObject({
      body: { code: 3 },
    })
    const other = await api.addAccount()
    expect((await api.call(other.token, `POST cameras/${cameraId}/additionStatus`, {})).status).toBe(404)
  })

  test('leaves the list after a day, with a line in the audit log', async () => {
    const { accountId, cameraId } = await failed()
    const fresh = await failed()
    const later = { now: () => api.now + 24 * 3_600_000 + 1000 }
    const run = (clock: { now: () => number }) =>
      additionTasks({ db: api.app, ids: idSource(api.app), clock }).dismissFailedAdditions?.run(
        {},
        { jobId: '1', attempt: 1, signal: new AbortController().signal },
      )
    await run({ now: () => api.now + 1000 })
    expect(await rowOf(fresh.cameraId)).toMatchObject({ addition_status: 'failure' })
    await finish(fresh.cameraId, 'added')
    await run(later)
    await expect(rowOf(cameraId)).rejects.toThrow()
    expect(await rowOf(fresh.cameraId)).toMatchObject({ addition_status: 'added' })
    const log = api.owner.plain.selectFrom('audit_log').select(['action', 'client_id'])
    expect(await log.where('account_id', '=', accountId).execute()).toContainEqual({
      action: 'dismissCameraAddition',
      client_id: 'server',
    })
  })
})
