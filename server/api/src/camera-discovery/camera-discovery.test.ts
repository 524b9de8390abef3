import type { DiscoveryQuestion, JoinedDiscovery } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraDiscovery } from './index.ts'

let api: TestApi
let answer: JoinedDiscovery
const asked: DiscoveryQuestion[] = []
beforeAll(async () => {
  const discovery = async (question: DiscoveryQuestion) => {
    asked.push(question)
    return answer
  }
  api = await testApi({ slices: [cameraDiscovery], media: { discovery } })
})
afterAll(() => api[Symbol.asyncDispose]())

const found = { address: '192.168.1.64', port: 80, https: false, name: 'Gate', brand: 'Maker', model: 'M1' } as const
const ways = { protocol: 'onvif', foundBy: 'announcement' } as const
const gate = { ...found, ...ways, ethMacAddress: '02:00:00:00:00:01', machines: ['north'] }
beforeEach(() => {
  asked.length = 0
  const networks = ['192.168.1.0/24']
  answer = { kind: 'state', networks, search: 'running', progress: 40, cameras: [gate] }
})

test('a search is asked of a media worker for the caller’s account, and the audit log has it', async () => {
  const { accountId, token } = await api.addAccount()
  const started = await api.call(token, 'POST cameras/discovery', { network: '192.168.1.0/24' })
  expect(started).toMatchObject({
    status: 200,
    body: { networks: ['192.168.1.0/24'], state: 'running', progress: 40, cameras: [{ ...gate, added: false }] },
  })
  expect(asked).toEqual([{ accountId, start: { sweep: '192.168.1.0/24', connect: false } }])
  const log = api.owner.plain.selectFrom('audit_log').select(['action', 'after']).where('account_id', '=', accountId)
  expect(await log.execute()).toEqual([{ action: 'startCameraDiscovery', after: { network: '192.168.1.0/24' } }])
  await api.call(token, 'GET cameras/discovery')
  expect(asked.at(-1)).toEqual({ accountId })
})

test('a search can connect to each address, and can be canceled; the audit log has both', async () => {
  const { accountId, token } = await api.addAccount()
  await api.call(token, 'POST cameras/discovery', { network: '192.168.1.0/24', connect: true })
  await api.call(token, 'POST cameras/discovery', { cancel: true })
  expect(asked).toEqual([
    { accountId, start: { sweep: '192.168.1.0/24', connect: true } },
    { accountId, cancel: true },
  ])
  const log = api.owner.plain.selectFrom('audit_log').select('after').where('account_id', '=', accountId)
  expect(await log.orderBy('at').execute()).toEqual([
    { after: { network: '192.168.1.0/24', connect: true } },
    { after: { cancel: true } },
  ])
})

test('a camera that the account has is marked, by its address or its MAC address; one of another account is not', async () => {
  const { accountId, token, zoneId } = await api.addAccount()
  const other = await api.addAccount()
  const move = async (of: { accountId: number; zoneId: number }, columns: object) => {
    const cameraId = await api.addCamera(of.accountId, of.zoneId, 'Gate')
    await api.owner.plain.updateTable('cameras').set(columns).where('camera_id', '=', cameraId).execute()
  }
  const isMarked = async () => (await api.call(token, 'GET cameras/discovery')).body.cameras[0].added
  await move(other, { address: gate.address, eth_mac_address: gate.ethMacAddress })
  expect(await isMarked()).toBe(false)
  await move({ accountId, zoneId }, { address: gate.address, onvif_port: 8000, eth_mac_address: '' })
  expect(await isMarked()).toBe(false)
  await move({ accountId, zoneId }, { address: gate.address, onvif_port: 80, eth_mac_address: '02:00:00:00:00:99' })
  expect(await isMarked()).toBe(false)
  const elsewhere = { onvif_port: 80, eth_mac_address: '', machines: ['south'] }
  await move({ accountId, zoneId }, { address: gate.address, ...elsewhere })
  expect(await isMarked()).toBe(false)
  await move({ accountId, zoneId }, { address: gate.address, onvif_port: 80, eth_mac_address: '' })
  expect(await isMarked()).toBe(true)
})

test.each([
  ['busy', 409, 6],
  ['notAllowed', 400, 3],
  ['tooLarge', 400, 3],
  ['timedOut', 504, 19],
] as const)('a search that does not begin (%s) is an error', async (kind, status, code) => {
  const { token } = await api.addAccount()
  answer = { kind }
  expect(await api.call(token, 'POST cameras/discovery', {})).toMatchObject({ status, body: { code } })
  if (kind === 'timedOut')
    expect(await api.call(token, 'GET cameras/discovery')).toMatchObject({ status, body: { code } })
})

test('a network that is none is refused before a worker is asked', async () => {
  const { token } = await api.addAccount()
  for (const network of ['everything', 'fd00::/8', '10.0.0.0/99'])
    expect((await api.call(token, 'POST cameras/discovery', { network })).body).toMatchObject({ code: 3 })
  expect(asked).toEqual([])
})

test('takes the right addPnpCamera', async () => {
  const { accountId } = await api.addAccount()
  const user = await api.addSubUser(accountId, { rights: ['addCameraManually'], allCameras: true })
  expect((await api.call(user.token, 'POST cameras/discovery', {})).status).toBe(403)
  expect((await api.call(user.token, 'GET cameras/discovery')).status).toBe(403)
  const adder = await api.addSubUser(accountId, { rights: ['addPnpCamera'] })
  expect((await api.call(adder.token, 'GET cameras/discovery')).status).toBe(200)
})
