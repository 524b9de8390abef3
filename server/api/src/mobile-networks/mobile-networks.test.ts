import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyCameras } from '../body-cameras/index.ts'
import { cameras } from '../cameras/index.ts'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { mobileNetworks } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [mobileNetworks, bodyCameras, cameras], password: 'right' })
})
afterAll(() => api[Symbol.asyncDispose]())

const FLEET = {
  name: 'Fleet',
  accessPointName: 'fleet.example',
  userName: 'gprs',
  needsPassword: true,
  mobileCountryCode: '310',
  mobileNetworkCode: '260',
}
const NONE = {
  name: null,
  accessPointName: null,
  userName: null,
  needsPassword: false,
  mobileCountryCode: null,
  mobileNetworkCode: null,
}
const WIFI = { wifi: { ssid: 'Yard', password: '' } }

let devices = 0
/** A body-worn camera that was set up for that network. */
async function bodyCamera(network: object = WIFI) {
  const account = await api.addAccount()
  const wanted = { name: 'Patrol 1', zoneId: account.zoneId, ...network }
  const { payload } = (await api.call(account.token, 'POST bodyCameras/setupCodes', wanted)).body
  devices += 1
  const { code } = JSON.parse(payload)
  const headers = { 'x-forwarded-for': `10.9.0.${devices}` }
  const registered = await api.call(
    undefined,
    'POST bodyCameras/registrations',
    { code, serialNumber: `BW-${devices}` },
    headers,
  )
  const { cameraId } = registered.body as { cameraId: number }
  const path = `cameras/${cameraId}/mobileNetwork`
  const rows = () => api.owner.plain.selectFrom('body_cameras').selectAll().where('camera_id', '=', cameraId).execute()
  return {
    ...account,
    cameraId,
    rows,
    get: (token = account.token) => api.call(token, `GET ${path}`),
    put: (body: object, token = account.token) => api.call(token, `PUT ${path}`, body),
  }
}

test('a camera that was set up for Wi-Fi has no mobile network until one is saved', async () => {
  const { cameraId, get, put } = await bodyCamera()
  expect(await get()).toMatchObject({ status: 200, body: { cameraId, ...NONE } })
  expect(await put(FLEET)).toMatchObject({ status: 200, body: { cameraId, ...FLEET } })
  expect((await get()).body).toEqual({ cameraId, ...FLEET })
  const bare = { name: 'Other', accessPointName: 'internet', mobileCountryCode: '204', mobileNetworkCode: '04' }
  await put(bare)
  expect((await get()).body).toEqual({ cameraId, ...bare, userName: null, needsPassword: false })
})

test('a camera that was set up for a mobile network has it, named after its access point, without the password', async () => {
  const mobile = { apn: 'fleet.example', mcc: '310', mnc: '260', userName: 'gprs', password: 'not-to-be-kept' }
  const { accountId, cameraId, get, rows } = await bodyCamera({ mobile })
  expect((await get()).body).toEqual({ ...FLEET, cameraId, name: 'fleet.example' })
  const of = (table: 'body_camera_setup_codes' | 'audit_log' | 'idempotency_keys') =>
    api.owner.plain.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()
  const kept = [await rows(), await of('body_camera_setup_codes'), await of('audit_log'), await of('idempotency_keys')]
  expect(JSON.stringify(kept)).not.toContain('not-to-be-kept')
})

test('a change is in the audit log, with what was there before', async () => {
  const { accountId, cameraId, put } = await bodyCamera()
  await put(FLEET)
  const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
  expect(await log.where('action', '=', 'putMobileNetwork').execute()).toMatchObject([
    { target_id: cameraId, before: NONE, after: FLEET },
  ])
})

test.each([
  ['name', { ...FLEET, name: '' }],
  ['accessPointName', { ...FLEET, accessPointName: 'a b' }],
  ['userName', { ...FLEET, userName: 'two words' }],
  ['mobileCountryCode', { ...FLEET, mobileCountryCode: '20' }],
  ['mobileNetworkCode', { ...FLEET, mobileNetworkCode: '4' }],
])('a wrong %s is code 3, and the old network stays', async (field, body) => {
  const { get, put } = await bodyCamera()
  await put(FLEET)
  expect(await put(body)).toMatchObject({ status: 400, body: { code: 3, fields: [{ field }] } })
  expect((await get()).body).toMatchObject(FLEET)
})

test('other cameras have no mobile network: code 11', async () => {
  const { accountId, zoneId, token } = await api.addAccount()
  const path = `cameras/${await api.addCamera(accountId, zoneId, 'Door')}/mobileNetwork`
  expect(await api.call(token, `GET ${path}`)).toMatchObject({ status: 422, body: { code: 11 } })
  expect(await api.call(token, `PUT ${path}`, FLEET)).toMatchObject({ status: 422, body: { code: 11 } })
})

test('it takes the right editCamera, access to the camera, and the module', async () => {
  const { accountId, cameraId, get, put } = await bodyCamera()
  const editor = await api.addSubUser(accountId, { rights: ['editCamera'], cameraIds: [cameraId] })
  const without = await api.addSubUser(accountId, { rights: ['addPnpCamera', 'playback'], cameraIds: [cameraId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['editCamera'] })
  expect((await put(FLEET, editor.token)).status).toBe(200)
  for (const [{ token }, status] of [
    [without, 403],
    [elsewhere, 404],
    [await api.addAccount(), 404],
  ] as const) {
    expect([(await get(token)).status, (await put(FLEET, token)).status]).toEqual([status, status])
  }
  const bare = await api.addAccount({ resellerId: await api.addReseller() })
  await api.owner.plain
    .updateTable('resellers')
    .set({ modules: '{}' })
    .where('reseller_id', 'in', (eb) =>
      eb.selectFrom('accounts').select('reseller_id').where('account_id', '=', bare.accountId),
    )
    .execute()
  expect([(await get(bare.token)).status, (await put(FLEET, bare.token)).status]).toEqual([403, 403])
})

test('nothing of the network is left of a camera that was removed', async () => {
  const { cameraId, get, put, rows, token } = await bodyCamera()
  await put(FLEET)
  const password = { 'x-password': Buffer.from(RIGHT_PASSWORD).toString('base64url') }
  expect((await api.call(token, `DELETE cameras/${cameraId}`, undefined, password)).status).toBe(204)
  expect(await rows()).toEqual([])
  expect((await get()).status).toBe(404)
})
