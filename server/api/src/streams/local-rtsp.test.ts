import { createHash } from 'node:crypto'
import type { Right } from '@sightline/contract/rights'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameraConnection } from '../camera-connection/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { streams } from './index.ts'
import { localRtspUrl } from './local-rtsp.ts'

let api: TestApi
beforeAll(async () => {
  const found = { rtspPort: 554, mainPath: '/main', subPath: '/sub', isSecure: false, onvif: null, serial: '' }
  api = await testApi({
    slices: [streams, cameraConnection],
    media: { command: async () => ({ kind: 'done', output: { kind: 'connected', found } }) as never },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

const both: readonly Right[] = ['LiveCamera', 'localExceptions', 'editCamera']
const main = 'rtsp://192.0.2.7:554/main'

async function oneCamera(columns: object = {}) {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const set = async (values: object) => {
    await api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
  }
  if (Object.keys(columns).length > 0) await set(columns)
  const localOf = async (of: string, query = '') => {
    const { body } = await api.call(of, `GET cameras/${cameraId}/streams${query}`)
    return (body as { urls: { localRtsp?: string } }[]).map(({ urls }) => urls.localRtsp)
  }
  return { accountId, token, cameraId, set, localOf }
}

test.each([
  [both, main],
  [['LiveCamera', 'localExceptions'], undefined],
  [['LiveCamera', 'editCamera'], undefined],
  [['LiveCamera'], undefined],
  [[...both, 'demoUser'], main],
] as const)(
  'the address in the camera’s network takes localExceptions and editCamera: with %j it is %s',
  async (rights, shown) => {
    const { accountId, localOf } = await oneCamera()
    const user = await api.addSubUser(accountId, { rights: [...rights], allCameras: true })
    expect(await localOf(user.token)).toEqual([shown])
  },
)

test('support sees it as the connection of the camera, once the owner shows video', async () => {
  const { accountId, cameraId, localOf } = await oneCamera()
  const support = await api.addToken({ accountId, userId: accountId }, 'support')
  expect(await api.call(support, `GET cameras/${cameraId}/streams`)).toMatchObject({ status: 403, body: { code: 9 } })
  const change = api.owner.plain.updateTable('accounts').set({ helpdesk_show_video: true })
  await change.where('account_id', '=', accountId).execute()
  expect(await localOf(support)).toEqual([main])
  const { body } = await api.call(support, `GET cameras/${cameraId}/connection/details`)
  expect(body).toMatchObject({ localIp: '192.0.2.7' })
})

test('both streams have one, and it can be asked for alone', async () => {
  const { token, localOf } = await oneCamera({ sub_path: '/sub?channel=2', stream_secure: true, rtsp_port: 322 })
  const places = ['rtsps://192.0.2.7:322/main', 'rtsps://192.0.2.7:322/sub?channel=2']
  expect(await localOf(token, '?urlTypes=localRtsp')).toEqual(places)
  expect(await localOf(token, '?urlTypes=rtsp')).toEqual([undefined, undefined])
})

test.each([[{ rtsp_port: 0 }], [{ main_path: '' }], [{ address: '' }]])(
  'a camera whose address isn’t known yet has none: %j',
  async (unknown) => {
    const { token, localOf } = await oneCamera(unknown)
    expect(await localOf(token)).toEqual([undefined])
  },
)

test('it never has the user name, and is left out if the path contains the password that is stored', async () => {
  const { token, cameraId, set, localOf } = await oneCamera()
  const password = 'Tr0ub4dor&3'
  const given = { username: 'operator', password }
  const saved = await api.call(token, `PATCH cameras/${cameraId}/connection/credentials`, given)
  expect(saved.status).toBe(200)
  expect(await localOf(token)).toEqual([main])
  await set({ main_path: `/live/operator/${password}/ch1`, sub_path: `/live/${encodeURIComponent(password)}/ch2` })
  expect(await localOf(token)).toEqual([undefined, undefined])
})

const password = 'P@ss wörd-12'
const hash = (name: string) => createHash(name).update(password).digest()
const base64 = (text: string) => Buffer.from(text).toString('base64')
const at = (path: string) => localRtspUrl({ address: '192.0.2.7', port: 554, path, isSecure: false }, password)

test.each([
  ['as it is', `/live/Pass/${password}`],
  ['in other letters', `/live/${password.toUpperCase()}`],
  ['URL-encoded', `/live/${encodeURIComponent(password)}`],
  ['URL-encoded twice', `/live?p=${encodeURIComponent(encodeURIComponent(password))}`],
  ['URL-encoded with plus', `/live?p=${encodeURIComponent(password).replace('%20', '+')}`],
  ['with every character encoded', `/live/${Buffer.from(password).toString('hex').replace(/../g, '%$&')}`],
  ['in Base64', `/live/${base64(password)}`],
  ['in Base64 behind a user name', `/live/${base64(`admin:${password}`)}`],
  ['in Base64 behind another user name', `/live/${base64(`op:${password}`)}`],
  ['in Base64 behind a longer user name', `/live/${base64(`guard:${password}`)}`],
  ['in hexadecimal digits', `/live/${Buffer.from(password).toString('hex')}`],
  ['as MD5', `/live/${hash('md5').toString('hex').toUpperCase()}`],
  ['as SHA-1', `/live/${hash('sha1').toString('hex')}`],
  ['as SHA-256 in Base64', `/live/${hash('sha256').toString('base64url')}`],
])('a password in the path shows no address: %s', (_, path) => {
  expect(at(path)).toBeUndefined()
})

const names = ['user', 'usr', 'username', 'pass', 'pwd', 'password', 'auth', 'token', 'key']
test.each([
  ...names.map((name) => `/live?channel=1&${name}=other`),
  ...names.map((name) => `/live?${name.toUpperCase()}%3Dother`),
  '/user=admin_password=other_channel=1_stream=0.sdp',
  '/live?loginuse=admin&loginpas=other',
  '/live?access_token=other',
  '/live?auth[key]=other',
  '/0/user:other/main',
  '//admin:other@192.0.2.7/main',
  '/%2525252561',
])('what looks like credentials shows no address: %s', (path) => {
  expect(at(path)).toBeUndefined()
  expect(localRtspUrl({ address: '192.0.2.7', port: 554, path, isSecure: false }, undefined)).toBeUndefined()
})

test.each([
  '/Streaming/Channels/101?transportmode=unicast&profile=Profile_1',
  '/cam/realmonitor?channel=1&subtype=0&unicast=true&proto=Onvif',
  '/axis-media/media.amp?videocodec=h264&resolution=1280x720',
  '/onvif-media/media.amp?profile=profile_1_h264&sessiontimeout=60&streamtype=unicast',
  '/h264Preview_01_main',
  '/stream%201',
  '/100%',
])('usual paths are shown: %s', (path) => {
  expect(at(path)).toBe(`rtsp://192.0.2.7:554${path}`)
})

test('an IPv6 address is written in brackets; an empty password hides nothing', () => {
  const stream = { address: 'fd00::7', port: 8554, path: '/main', isSecure: false }
  expect(localRtspUrl(stream, '')).toBe('rtsp://[fd00::7]:8554/main')
})
