import type { CameraCommandAnswer, CameraCommandQuestion, NetworkState } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraNetwork } from './index.ts'

let api: TestApi
let failure: CameraCommandAnswer | undefined
let changed: CameraCommandAnswer
let state: NetworkState
/** The camera doesn't respond once it was changed. */
let isGone: boolean
const asked: CameraCommandQuestion[] = []
const known: NetworkState = {
  ipv4: { dhcp: false, address: '192.0.2.7', prefixLength: 24, gateway: null },
  dns: { dhcp: true, servers: [] },
  ports: { http: 80, https: null, rtsp: 554 },
  ntp: { enabled: false, dhcp: true, servers: [] },
  unavailable: {},
}
beforeAll(async () => {
  const command = answeringCameras((question) => {
    asked.push(question)
    if (failure !== undefined) return failure
    if (isGone && asked.some(({ name }) => name === 'changeNetwork') && question.name === 'readNetwork')
      return { kind: 'cameraOffline' }
    if (question.name === 'tryConnection') return { kind: 'cameraOffline' }
    return question.name === 'readNetwork' ? { kind: 'done', output: state } : changed
  })
  api = await testApi({ slices: [(deps) => cameraNetwork({ ...deps, waitMs: 20 })], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  asked.length = 0
  failure = undefined
  isGone = false
  state = known
  changed = { kind: 'done', output: { kind: 'changed', network: known } }
})

async function oneCamera() {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  return { ...account, cameraId, path: `cameras/${cameraId}/network` }
}
const entries = (accountId: number) =>
  api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()

test('what is so already asks the camera for nothing', async () => {
  const { accountId, token, path } = await oneCamera()
  const body = { dns: { dhcp: true }, ports: { rtsp: 554 } }
  expect(await api.call(token, `PATCH ${path}`, body)).toMatchObject({ status: 200, body: known })
  expect(asked.map(({ name }) => name)).toEqual(['readNetwork'])
  expect(await entries(accountId)).toEqual([])
})

test('without the right to local addresses only time servers are shown and set', async () => {
  const { accountId, cameraId, path } = await oneCamera()
  const { token } = await api.addSubUser(accountId, { rights: ['editCamera'], cameraIds: [cameraId] })
  const unavailable = { ipv4: 'hidden', dns: 'hidden', ports: 'hidden' }
  const hidden = { ipv4: null, dns: null, ports: null, ntp: known.ntp, unavailable }
  expect((await api.call(token, `GET ${path}`)).body).toMatchObject(hidden)
  const denied = await api.call(token, `PATCH ${path}`, { dns: { dhcp: false, servers: ['192.0.2.1'] } })
  expect(denied).toMatchObject({ status: 403, body: { code: 9 } })
  const ntp = { enabled: true, dhcp: true }
  expect((await api.call(token, `PATCH ${path}`, { ntp })).status).toBe(200)
  expect(await entries(accountId)).toMatchObject([{ action: 'patchCameraNetwork', after: { ntp } }])
})

test('what the camera doesn’t offer is code 11, and nothing is sent', async () => {
  const { token, path } = await oneCamera()
  state = { ...known, ntp: null, unavailable: { ntp: 'notOffered' } }
  for (const body of [{ ntp: { enabled: false } }, { ports: { https: 443 } }])
    expect(await api.call(token, `PATCH ${path}`, body)).toMatchObject({ status: 422, body: { code: 11 } })
  expect(asked.map(({ name }) => name)).toEqual(['readNetwork', 'readNetwork'])
})

test.each([
  { ipv4: { dhcp: false, address: '192.168.1.0', prefixLength: 24, gateway: null } },
  { ipv4: { dhcp: false, address: '192.168.1.5', prefixLength: 24, gateway: '192.168.2.1' } },
  { ipv4: { dhcp: false, address: '192.168.1.5' } },
  { dns: { dhcp: false, servers: [] } },
  { ports: { http: 0 } },
  { ports: { http: 554 } },
  { ntp: { enabled: true, dhcp: false, servers: ['no name'] } },
])('%j is code 3, and nothing is sent', async (body) => {
  const { token, path } = await oneCamera()
  expect(await api.call(token, `PATCH ${path}`, body)).toMatchObject({ status: 400, body: { code: 3 } })
  expect(asked.every(({ name }) => name === 'readNetwork')).toBe(true)
})

test('address and ports in one request are code 3, and nothing is sent', async () => {
  const { token, path } = await oneCamera()
  const ipv4 = { dhcp: false, address: '192.0.2.9', prefixLength: 24, gateway: null }
  const answer = await api.call(token, `PATCH ${path}`, { ipv4, ports: { rtsp: 555 } })
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  expect(asked.map(({ name }) => name)).toEqual(['readNetwork'])
})

test('a camera that accepted another port and still responds where it was keeps its connection, and is code 13', async () => {
  const { accountId, cameraId, token, path } = await oneCamera()
  const camera = api.owner.plain.updateTable('cameras').where('camera_id', '=', cameraId)
  await camera.set({ onvif_port: 80, rtsp_port: 554 }).execute()
  changed = { kind: 'done', output: { kind: 'leaving' } }
  expect(await api.call(token, `PATCH ${path}`, { ports: { http: 8080 } })).toMatchObject({
    status: 424,
    body: { code: 13 },
  })
  const kept = api.owner.plain.selectFrom('cameras').select(['onvif_port']).where('camera_id', '=', cameraId)
  expect(await kept.executeTakeFirst()).toEqual({ onvif_port: 80 })
  expect(await entries(accountId)).toEqual([])
})

/** A camera whose stored address is the one that it says, and which leaves with the change. */
async function leavingCamera() {
  const camera = await oneCamera()
  const row = api.owner.plain.updateTable('cameras').where('camera_id', '=', camera.cameraId)
  await row.set({ address: '192.0.2.7', onvif_port: 80, rtsp_port: 554 }).execute()
  isGone = true
  changed = { kind: 'done', output: { kind: 'leaving' } }
  const stored = api.owner.plain.selectFrom('cameras').select(['address', 'onvif_port'])
  return { ...camera, saved: () => stored.where('camera_id', '=', camera.cameraId).executeTakeFirst() }
}

test('the connection of a camera that doesn’t come back follows what it was told, which isn’t confirmed', async () => {
  const { accountId, token, path, saved } = await leavingCamera()
  const ipv4 = { dhcp: false, address: '192.0.2.9', prefixLength: 24, gateway: null }
  const reply = await api.call(token, `PATCH ${path}`, { ipv4 })
  expect(reply).toMatchObject({ status: 200, body: { ...known, ipv4, confirmed: false } })
  expect(await saved()).toEqual({ address: '192.0.2.9', onvif_port: 80 })
  expect(await entries(accountId)).toMatchObject([{ action: 'patchCameraNetwork', after: { ipv4 } }])
})

test('a camera that gets its address by DHCP keeps its stored one until it is found, and isn’t confirmed', async () => {
  const { accountId, token, path, saved } = await leavingCamera()
  const reply = await api.call(token, `PATCH ${path}`, { ipv4: { dhcp: true } })
  const ipv4 = { dhcp: true, address: null, prefixLength: null, gateway: null }
  expect(reply).toMatchObject({ status: 200, body: { ...known, ipv4, confirmed: false } })
  expect(await saved()).toEqual({ address: '192.0.2.7', onvif_port: 80 })
  expect(await entries(accountId)).toMatchObject([{ action: 'patchCameraNetwork', after: { ipv4 } }])
})

test('a camera that responds to no password at its old address is code 14, and isn’t moved', async () => {
  const { token, cameraId, path } = await oneCamera()
  await api.owner.plain.updateTable('cameras').set({ onvif_port: 80 }).where('camera_id', '=', cameraId).execute()
  const ipv4 = { dhcp: false, address: '192.0.2.9', prefixLength: 24, gateway: null }
  const answer = await api.call(token, `PATCH ${path}`, { ipv4, password: 'right one' })
  expect(answer).toMatchObject({ status: 424, body: { code: 14 } })
  expect(asked.map(({ name }) => name)).toEqual(['readNetwork', 'tryConnection'])
})

test.each([
  ['noOnvif', 422, 11],
  ['unsupported', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)('reading and changing both say what is wrong with the camera: %s', async (kind, status, code) => {
  const { token, path } = await oneCamera()
  failure = { kind }
  expect(await api.call(token, `GET ${path}`)).toMatchObject({ status, body: { code } })
  expect(await api.call(token, `PATCH ${path}`, { ntp: { enabled: false } })).toMatchObject({ status, body: { code } })
})

test('an address at which the account has a camera is code 5, before anything is sent', async () => {
  const { accountId, zoneId, token, cameraId, path } = await oneCamera()
  const other = await api.addCamera(accountId, zoneId, 'Yard')
  const cameras = () => api.owner.plain.updateTable('cameras').where('account_id', '=', accountId)
  await cameras().set({ onvif_port: 80 }).where('camera_id', '=', cameraId).execute()
  await cameras()
    .set({ connection_key: JSON.stringify(['192.0.2.9', null, null]) })
    .where('camera_id', '=', other)
    .execute()
  const ipv4 = { dhcp: false, address: '192.0.2.9', prefixLength: 24, gateway: null }
  expect(await api.call(token, `PATCH ${path}`, { ipv4 })).toMatchObject({ status: 409, body: { code: 5 } })
  expect(asked.map(({ name }) => name)).toEqual(['readNetwork'])
})

test('nothing is asked of a camera of another account, nor without the right editCamera', async () => {
  const { accountId, cameraId, path } = await oneCamera()
  const other = await api.addAccount()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView', 'localExceptions'], cameraIds: [cameraId] })
  for (const call of [`GET ${path}`, `PATCH ${path}`]) {
    const body = call.startsWith('P') ? {} : undefined
    expect([call, (await api.call(viewer.token, call, body)).status]).toEqual([call, 403])
    expect([call, (await api.call(other.token, call, body)).status]).toEqual([call, 404])
  }
  expect(asked).toEqual([])
})
