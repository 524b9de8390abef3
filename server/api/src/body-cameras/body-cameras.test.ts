import { MAX_OPEN_SETUP_CODES, MAX_POSITIONS, SETUP_CODE_LIFE_MS } from '@sightline/contract/body-cameras'
import { instant } from '@sightline/platform/db'
import { engines } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { bodyCameras, bodyCameraTasks } from './index.ts'

const WIFI = { ssid: 'Night shift', password: 'correct horse' }
const MINUTE_MS = 60_000

describe.each(engines)('body-worn cameras on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [bodyCameras, cameras], open, password: 'right' })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const newCode = async (given: { token: string; zoneId: number }, body: object = {}) => {
    const wanted = { name: 'Patrol 1', zoneId: given.zoneId, wifi: WIFI, ...body }
    return api.call(given.token, 'POST bodyCameras/setupCodes', wanted)
  }
  const codeIn = (reply: { body: { payload: string } }): string => JSON.parse(reply.body.payload).code
  let devices = 0
  /** Each camera calls from its own address, as each address may register only a few. */
  const register = (code: string) => {
    devices += 1
    const headers = { 'x-forwarded-for': `10.7.${devices >> 8}.${devices & 255}` }
    return api.call(undefined, 'POST bodyCameras/registrations', { code, serialNumber: 'BW-7' }, headers)
  }
  const addBodyCamera = async (account: { token: string; zoneId: number }) => {
    const { body } = await register(codeIn(await newCode(account)))
    return body as { cameraId: number; deviceToken: string }
  }
  const report = (token: string, positions: readonly object[]) =>
    api.call(undefined, 'POST bodyCameras/positions', { positions }, { authorization: `Bearer ${token}` })
  const at = (ms: number) => new Date(ms).toISOString()
  const trackOf = (token: string, cameraId: number) => {
    const range = `from=${at(api.now - 86_400_000)}&till=${at(api.now + 86_400_000)}`
    return api.call(token, `GET bodyCameras/${cameraId}/track?${range}`)
  }

  test('a camera redeems its code once and becomes a camera of the zone that never claims to be online', async () => {
    const account = await api.addAccount()
    const created = await newCode(account)
    expect(created).toMatchObject({ status: 201, body: { zoneId: account.zoneId, cameraId: null } })
    expect(JSON.parse(created.body.payload)).toEqual({ v: 1, url: api.origin, code: expect.any(String), wifi: WIFI })
    const one = `GET bodyCameras/setupCodes/${created.body.setupCodeId}/status`
    expect((await api.call(account.token, one)).body.cameraId).toBe(null)
    const registered = await register(codeIn(created))
    expect(registered).toMatchObject({ status: 201, body: { name: 'Patrol 1', deviceToken: expect.any(String) } })
    const { cameraId } = registered.body
    expect((await api.call(account.token, one)).body.cameraId).toBe(cameraId)
    const camera = (await api.call(account.token, `GET cameras/${cameraId}`)).body
    expect(camera).toMatchObject({ name: 'Patrol 1', zoneId: account.zoneId, deviceTypeId: 1000 })
    const status = (await api.call(account.token, `GET cameras/${cameraId}/status`)).body
    const never = { online: false, recordingOnCloud: false, lastConnectionResult: 'neverConnected', lastSeen: null }
    expect(status).toMatchObject(never)
    expect(await register(codeIn(created))).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('of 20 cameras that redeem one code at the same time, one is added', async () => {
    const account = await api.addAccount()
    const code = codeIn(await newCode(account))
    const replies = await Promise.all(Array.from({ length: 20 }, () => register(code)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(19)
    expect((await api.call(account.token, 'GET cameras')).body).toHaveLength(1)
  })

  test('a registration without a code is code 3', async () => {
    const headers = { 'x-forwarded-for': '10.8.0.1' }
    const answer = await api.call(undefined, 'POST bodyCameras/registrations', { serialNumber: 'BW-7' }, headers)
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('an expired code, an unknown one and one of a suspended account get the same reply', async () => {
    const account = await api.addAccount()
    const expired = codeIn(await newCode(account))
    api.now += SETUP_CODE_LIFE_MS
    const unknown = await register('a'.repeat(43))
    expect(unknown).toMatchObject({ status: 404, body: { code: 4 } })
    const reply = await register(expired)
    expect([reply.status, { ...reply.body, requestId: '' }]).toEqual([404, { ...unknown.body, requestId: '' }])
    const fresh = codeIn(await newCode(account))
    const set = api.owner.plain.updateTable('accounts').set({ status: 'suspended' })
    await set.where('account_id', '=', account.accountId).execute()
    expect((await register(fresh)).status).toBe(404)
  })

  test('neither the code, the token nor the network is stored or in the audit log', async () => {
    const account = await api.addAccount()
    const created = await newCode(account)
    const { deviceToken } = (await register(codeIn(created))).body
    const rows = await Promise.all(
      (['body_camera_setup_codes', 'body_cameras', 'audit_log', 'cameras', 'idempotency_keys'] as const).map((table) =>
        api.owner.plain.selectFrom(table).selectAll().where('account_id', '=', account.accountId).execute(),
      ),
    )
    const stored = JSON.stringify(rows)
    for (const secret of [codeIn(created), deviceToken, WIFI.password, WIFI.ssid]) expect(stored).not.toContain(secret)
    const log = api.owner.plain.selectFrom('audit_log').select(['action', 'user_id', 'client_id'])
    const entries = await log.where('account_id', '=', account.accountId).orderBy('action').execute()
    expect(entries).toMatchObject([
      { action: 'postSetupCode', user_id: account.accountId },
      { action: 'registerBodyCamera', user_id: null, client_id: 'bodyCamera' },
    ])
  })

  test('codes need the right addPnpCamera and a zone that is the caller’s as a whole; the module switches them off', async () => {
    const account = await api.addAccount()
    const { accountId, zoneId } = account
    const [without, elsewhere] = [
      await api.addSubUser(accountId, { rights: ['addCameraManually'], zoneIds: [zoneId] }),
      await api.addSubUser(accountId, { rights: ['addPnpCamera'] }),
    ]
    const right = await api.addSubUser(accountId, { rights: ['addPnpCamera'], zoneIds: [zoneId] })
    expect((await newCode({ token: without.token, zoneId })).status).toBe(403)
    expect((await newCode({ token: elsewhere.token, zoneId })).status).toBe(404)
    const created = await newCode({ token: right.token, zoneId })
    expect(created.status).toBe(201)
    const one = `GET bodyCameras/setupCodes/${created.body.setupCodeId}/status`
    expect((await api.call(elsewhere.token, one)).status).toBe(404)
    expect((await api.call((await api.addAccount()).token, one)).status).toBe(404)
    const bare = await api.addAccount({ resellerId: await api.addReseller() })
    await api.owner.plain
      .updateTable('resellers')
      .set({ modules: '{}' })
      .where('reseller_id', 'in', (eb) =>
        eb.selectFrom('accounts').select('reseller_id').where('account_id', '=', bare.accountId),
      )
      .execute()
    expect((await newCode(bare)).status).toBe(403)
  })

  test.each([
    [{ wifi: undefined }],
    [{ mobile: { apn: 'internet', mcc: '204', mnc: '04' } }],
    [{ wifi: { ssid: '', password: '' } }],
    [{ wifi: { ssid: 'x'.repeat(33), password: '' } }],
    [{ wifi: { ssid: 'Yard', password: 'short' } }],
    [{ wifi: undefined, mobile: { apn: 'a b', mcc: '204', mnc: '04' } }],
    [{ wifi: undefined, mobile: { apn: 'internet', mcc: '20', mnc: '04' } }],
    [{ wifi: undefined, mobile: { apn: 'internet', mcc: '204', mnc: '4' } }],
    [{ name: '' }],
  ])('%j is refused with code 3', async (body) => {
    const account = await api.addAccount()
    expect(await newCode(account, body)).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a mobile network goes into the code with its country and network codes', async () => {
    const account = await api.addAccount()
    const mobile = { apn: 'internet.example', mcc: '204', mnc: '04', userName: 'gprs', password: 'gprs' }
    const { body } = await newCode(account, { wifi: undefined, mobile })
    expect(JSON.parse(body.payload)).toMatchObject({ v: 1, mobile })
  })

  test('an account has at most 20 open codes (code 6)', async () => {
    const account = await api.addAccount()
    for (let index = 0; index < MAX_OPEN_SETUP_CODES; index += 1) expect((await newCode(account)).status).toBe(201)
    expect(await newCode(account)).toMatchObject({ status: 409, body: { code: 6 } })
    api.now += SETUP_CODE_LIFE_MS
    expect((await newCode(account)).status).toBe(201)
  })

  test('a full subscription refuses the camera with code 7, and the code stays good', async () => {
    const account = await api.addAccount()
    const set = (max_cameras: number) =>
      api.owner.plain.updateTable('accounts').set({ max_cameras }).where('account_id', '=', account.accountId).execute()
    await set(0)
    const code = codeIn(await newCode(account))
    expect(await register(code)).toMatchObject({ status: 409, body: { code: 7 } })
    await set(1)
    expect((await register(code)).status).toBe(201)
  })

  test('an address that tries many codes is refused for a while (code 16)', async () => {
    const tries = Array.from({ length: 12 }, () =>
      api.call(undefined, 'POST bodyCameras/registrations', { code: 'b'.repeat(43), serialNumber: 'BW-7' }),
    )
    const replies = await Promise.all(tries)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers.get('retry-after')).not.toBe(null)
  })

  test('positions are stored once, in batches, and become the track of the camera', async () => {
    const account = await api.addAccount()
    const { cameraId, deviceToken } = await addBodyCamera(account)
    const start = api.now - 10 * MINUTE_MS
    const positions = Array.from({ length: 5 }, (_, index) => ({
      time: at(start + index * MINUTE_MS),
      latitude: 10 + index,
      longitude: 4.89,
      ...(index === 0 ? {} : { heading: 0, speed: 1.5 }),
    }))
    expect(await report(deviceToken, positions)).toMatchObject({ status: 200, body: { stored: 5 } })
    expect((await report(deviceToken, positions)).body.stored).toBe(0)
    const track = await trackOf(account.token, cameraId)
    expect(track.body).toHaveLength(5)
    expect(track.body[0]).toMatchObject({ latitude: 10, longitude: 4.89, heading: null, speed: null })
    expect(track.body[4]).toMatchObject({ latitude: 14, heading: 0, speed: 1.5 })
  })

  test('positions of the future, and older than the retention, are left out', async () => {
    const account = await api.addAccount()
    const { cameraId, deviceToken } = await addBodyCamera(account)
    const place = { latitude: 1, longitude: 2 }
    const times = [api.now, api.now + 6 * MINUTE_MS, api.now - 169 * 60 * MINUTE_MS]
    const stored = await report(
      deviceToken,
      times.map((time) => ({ time: at(time), ...place })),
    )
    expect(stored.body.stored).toBe(1)
    expect((await trackOf(account.token, cameraId)).body).toHaveLength(1)
  })

  test('positions age out with the retention of the camera, and codes a day after they expired', async () => {
    const account = await api.addAccount()
    const { cameraId, deviceToken } = await addBodyCamera(account)
    await report(deviceToken, [{ time: at(api.now), latitude: 1, longitude: 2 }])
    const run = (now: number) =>
      bodyCameraTasks({ db: api.app, clock: { now: () => now } }).pruneBodyCameraTracks?.run(
        {},
        { jobId: '1', attempt: 1, signal: new AbortController().signal },
      )
    await run(api.now)
    expect((await trackOf(account.token, cameraId)).body).toHaveLength(1)
    await run(api.now + 169 * 60 * MINUTE_MS)
    expect((await trackOf(account.token, cameraId)).body).toEqual([])
    const codes = api.owner.plain.selectFrom('body_camera_setup_codes').select('setup_code_id')
    expect(await codes.where('account_id', '=', account.accountId).execute()).toEqual([])
  })

  test.each([
    ['no position', []],
    ['a time that is none', [{ time: 'yesterday', latitude: 1, longitude: 2 }]],
    ['a latitude beyond the pole', [{ time: at(0), latitude: 91, longitude: 2 }]],
    ['a heading of a full turn', [{ time: at(0), latitude: 1, longitude: 2, heading: 360 }]],
    ['501 positions', Array.from({ length: MAX_POSITIONS + 1 }, () => ({ time: at(0), latitude: 1, longitude: 2 }))],
  ])('a report of %s is refused with code 3', async (_what, positions) => {
    const { deviceToken } = await addBodyCamera(await api.addAccount())
    expect(await report(deviceToken, positions)).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a token that nobody has, and that of a removed camera, are refused with code 8', async () => {
    const account = await api.addAccount()
    const { cameraId, deviceToken } = await addBodyCamera(account)
    const place = [{ time: at(api.now), latitude: 1, longitude: 2 }]
    const without = await api.call(undefined, 'POST bodyCameras/positions', { positions: place })
    expect(without).toMatchObject({ status: 401, body: { code: 8 } })
    expect((await report('c'.repeat(43), place)).status).toBe(401)
    const password = { 'x-password': Buffer.from(RIGHT_PASSWORD).toString('base64url') }
    expect((await api.call(account.token, `DELETE cameras/${cameraId}`, undefined, password)).status).toBe(204)
    expect(await report(deviceToken, place)).toMatchObject({ status: 401, body: { code: 8 } })
    // The token of a user is none of a camera.
    expect((await report(account.token, place)).status).toBe(401)
  })

  test('a camera that reports too often is refused for a while (code 16)', async () => {
    const { deviceToken } = await addBodyCamera(await api.addAccount())
    const place = [{ time: at(api.now), latitude: 1, longitude: 2 }]
    const replies = await Promise.all(Array.from({ length: 80 }, () => report(deviceToken, place)))
    expect(replies.some(({ status }) => status === 429)).toBe(true)
  })

  test('the track needs the right playback and access to the camera, and a range of at most 31 days', async () => {
    const account = await api.addAccount()
    const { cameraId } = await addBodyCamera(account)
    const without = await api.addSubUser(account.accountId, { rights: [], cameraIds: [cameraId] })
    const elsewhere = await api.addSubUser(account.accountId, { rights: ['playback'] })
    const right = await api.addSubUser(account.accountId, { rights: ['playback'], cameraIds: [cameraId] })
    expect((await trackOf(without.token, cameraId)).status).toBe(403)
    expect((await trackOf(elsewhere.token, cameraId)).status).toBe(404)
    expect((await trackOf(right.token, cameraId)).status).toBe(200)
    const foreign = await api.addAccount()
    expect((await trackOf(foreign.token, cameraId)).status).toBe(404)
    const support = await api.addToken({ accountId: account.accountId, userId: account.accountId }, 'support')
    expect((await trackOf(support, cameraId)).status).toBe(403)
    const long = `from=${at(0)}&till=${at(32 * 86_400_000)}`
    const refused = await api.call(account.token, `GET bodyCameras/${cameraId}/track?${long}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('a long track is thinned to at most 5,000 points, evenly in time', async () => {
    const account = await api.addAccount()
    const { cameraId } = await addBodyCamera(account)
    const rows = Array.from({ length: 12_000 }, (_, index) => ({
      account_id: account.accountId,
      camera_id: cameraId,
      at: instant(api.now - index * 5000),
      latitude: 1,
      longitude: 2,
    }))
    for (let from = 0; from < rows.length; from += 3000) {
      await api.owner.plain
        .insertInto('body_camera_positions')
        .values(rows.slice(from, from + 3000))
        .execute()
    }
    const { body } = await trackOf(account.token, cameraId)
    expect(body.length).toBeLessThanOrEqual(5000)
    expect(body.length).toBeGreaterThan(1500)
    const times = body.map(({ time }: { time: string }) => time)
    expect(times).toEqual([...times].sort())
  })

  test('a token is only known by its hash', async () => {
    const account = await api.addAccount()
    const { deviceToken, cameraId } = await addBodyCamera(account)
    const found = api.owner.plain.selectFrom('body_cameras').selectAll().where('camera_id', '=', cameraId)
    expect((await found.executeTakeFirstOrThrow()).token_sha256).toEqual(tokenSha256(deviceToken))
  })
})
