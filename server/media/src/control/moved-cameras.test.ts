import { randomBytes, X509Certificate } from 'node:crypto'
import { type SimulatorInput, startCameras } from '@sightline/camera-simulator'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { selfSignedPair } from '@sightline/platform/certificate'
import { idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkedConnect, type Neighbor } from '../source/index.ts'
import type { CameraLogRecord } from './camera-log.ts'
import { macLocator } from './mac-locator.ts'
import { MovedCameras, searchDelay } from './moved-cameras.ts'

const FORMER = '127.0.0.2'
const HERE = '127.0.0.1'
const ACCOUNT = 1000
const START = Date.UTC(2026, 10, 27)
const login = { username: 'viewer', password: 'right' }

let database: TestDatabase
let clips: SimulatorInput['cameras'][number]['clips']
let stack = new AsyncDisposableStack()
let cameras = 0
beforeAll(async () => {
  clips = await sceneClips('car-park')
  database = await testDatabase()
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  await owner.insertInto('accounts').values({ account_id: ACCOUNT, reseller_id: 255, name: 'A' }).execute()
  await owner.insertInto('zones').values({ account_id: ACCOUNT, zone_id: 1, name: 'Z' }).execute()
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await database.db('owner').plain.deleteFrom('cameras').execute()
  await database.db('owner').plain.deleteFrom('audit_log').execute()
})
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

const newMac = () => `02${randomBytes(5).toString('hex')}`.replaceAll(/(..)(?=.)/g, '$1:')
type Settings = Partial<SimulatorInput['cameras'][number]>

/** A camera at {@link HERE} that announces its MAC address. */
async function answering(settings: Settings = {}) {
  const mac = newMac()
  const simulator = await startCameras({
    host: HERE,
    discovery: { interfaceAddress: HERE },
    cameras: [{ name: 'Door', mac, ...login, clips, ...settings }],
  })
  stack.use(simulator)
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  return camera.address
}

/** The same in the database, at its former address. */
async function stored({ mac, rtspPort, onvifPort }: Awaited<ReturnType<typeof answering>>, changed: object = {}) {
  const camera_id = ++cameras
  const at = { address: FORMER, rtsp_port: rtspPort, onvif_port: onvifPort, main_path: '/main' }
  const owner = database.db('owner').plain
  await owner
    .insertInto('cameras')
    .values({
      account_id: ACCOUNT,
      camera_id,
      zone_id: 1,
      name: 'C',
      eth_mac_address: mac,
      ...at,
      username: login.username,
      password_sealed: Buffer.from('sealed'),
      connection_key: JSON.stringify([FORMER, onvifPort, null]),
      ...changed,
    })
    .execute()
  return camera_id
}

interface Given {
  readonly networks?: readonly string[]
  readonly neighbors?: () => readonly Neighbor[]
  readonly password?: string
}

/** Looks for missing cameras, when they are away for long enough. */
async function searching(cameraIds: readonly number[], given: Given = {}) {
  const lines: CameraLogRecord[] = []
  let [now, changes] = [START, 0]
  const { networks = ['127.0.0.0/8'], neighbors = () => [], password = login.password } = given
  const moved = stack.use(
    new MovedCameras({
      db: database.db('media'),
      ids: idSource(database.db('media')),
      channels: { cameraIds: () => cameraIds, isOnline: () => false },
      locator: macLocator({
        networks: { refresh: async () => undefined, networksOf: () => networks },
        interfaces: () => [HERE],
        neighbors: async () => neighbors(),
      }),
      connectOf: () => checkedConnect({ allowed: networks }),
      keyService: { openPassword: async () => password },
      cameraLog: { note: (line) => lines.push(line) },
      onMoved: () => changes++,
      log: silentLogger,
      now: () => now,
    }),
  )
  await moved.look()
  const again = async (afterMs: number) => {
    now = START + afterMs
    await moved.look()
  }
  await again(30_000)
  return { lines, again, changes: () => changes }
}

const row = (cameraId: number) =>
  database
    .db('owner')
    .plain.selectFrom('cameras')
    .select(['address', 'connection_key'])
    .where('camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
const audit = () => database.db('owner').plain.selectFrom('audit_log').selectAll().execute()

test('a camera that got another address is found there, in its log and in the audit log', async () => {
  const camera = await answering()
  const cameraId = await stored(camera)
  const { lines, changes } = await searching([cameraId])
  expect(await row(cameraId)).toEqual({
    address: HERE,
    connection_key: JSON.stringify([HERE, camera.onvifPort, null]),
  })
  expect(lines).toMatchObject([
    { cameraId, level: 'info', event: 'addressChanged', detail: expect.stringContaining(`found at ${HERE}`) },
  ])
  expect(await audit()).toMatchObject([
    {
      account_id: ACCOUNT,
      user_id: null,
      action: 'cameraFoundAtAddress',
      target_id: cameraId,
      before: { localIp: FORMER },
      after: { localIp: HERE },
    },
  ])
  expect(changes()).toBe(1)
})

test('one without ONVIF is found where the network has its MAC address', async () => {
  const camera = await answering()
  const cameraId = await stored(camera, { onvif_port: null })
  await searching([cameraId], { neighbors: () => [{ address: HERE, macAddress: camera.mac }] })
  expect(await row(cameraId)).toMatchObject({ address: HERE })
})

test('one that was added by its MAC address keeps that name', async () => {
  const camera = await answering()
  const key = JSON.stringify([camera.mac, null, null])
  const cameraId = await stored(camera, { connection_key: key })
  await searching([cameraId])
  expect(await row(cameraId)).toEqual({ address: HERE, connection_key: key })
})

test('cameras that changed places are both found', async () => {
  const camera = await answering()
  const key = JSON.stringify([HERE, camera.onvifPort, null])
  await stored(await answering(), { address: HERE, connection_key: key })
  const cameraId = await stored(camera)
  await searching([cameraId])
  expect(await row(cameraId)).toEqual({ address: HERE, connection_key: null })
})

describe('a camera stays where it is', () => {
  const stays = async (cameraId: number, given: Given = {}) => {
    const found = await searching([cameraId], given)
    expect(await row(cameraId)).toMatchObject({ address: FORMER })
    expect(await audit()).toEqual([])
    expect(found.changes()).toBe(0)
    return found
  }

  test('if what names its MAC address rejects its password, which isn’t tried there again', async () => {
    const cameraId = await stored(await answering())
    const { lines, again } = await stays(cameraId, { password: 'another' })
    await again(600_000)
    expect(lines).toMatchObject([
      { event: 'addressNotTrusted', level: 'warning', detail: expect.stringContaining('rejected the saved user name') },
    ])
  })

  test('if that has another serial number', async () => {
    const cameraId = await stored(await answering(), { serial: 'OTHER' })
    const { lines } = await stays(cameraId)
    expect(lines).toMatchObject([{ detail: expect.stringContaining('another serial number') }])
  })

  test('if that only announces its MAC address, and says another one when asked', async () => {
    const camera = await answering()
    const claimed = newMac()
    const cameraId = await stored({ ...camera, mac: claimed })
    // The network names it at first, and knows better when it is asked again.
    const tables = [claimed, camera.mac].map((macAddress) => [{ address: HERE, macAddress }])
    const { lines } = await stays(cameraId, { neighbors: () => tables.shift() ?? [] })
    expect(lines).toMatchObject([{ detail: expect.stringContaining('another MAC address') }])
  })

  test('if that shows another certificate', async () => {
    const camera = await answering({ onvifTls: pair() })
    const cameraId = await stored(camera, { onvif_secure: true, onvif_certificate_sha256: randomBytes(32) })
    const { lines } = await stays(cameraId)
    expect(lines).toMatchObject([{ detail: expect.stringContaining('another certificate') }])
  })

  test('if that asks for the password in plain text, even over TLS', async () => {
    const onvifTls = pair()
    const camera = await answering({ onvifTls, onvifAuthentication: 'basic' })
    const certificate = new X509Certificate(onvifTls.cert).fingerprint256.replaceAll(':', '')
    const pinned = { onvif_secure: true, onvif_certificate_sha256: Buffer.from(certificate, 'hex') }
    const { lines } = await stays(await stored(camera, pinned))
    expect(lines).toMatchObject([{ detail: expect.stringContaining('plain text') }])
  })

  test('if the network isn’t the account’s', async () => {
    const { lines } = await stays(await stored(await answering()), { networks: ['192.0.2.0/24'] })
    expect(lines).toEqual([])
  })

  test.each([
    ['is private', { mode: 'private' as const }],
    ['is named by a host name', { address: 'camera.example' }],
    ['takes the password in plain text', { allow_basic: true }],
    ['has TLS without a known certificate', { onvif_secure: true }],
    ['has no known MAC address', { eth_mac_address: '' }],
  ])('if it %s', async (_, changed) => {
    const cameraId = await stored(await answering(), changed)
    const before = await row(cameraId)
    const { lines } = await searching([cameraId])
    expect(await row(cameraId)).toEqual(before)
    expect(lines).toEqual([])
  })
})

test('searches get rarer, and never stop', () => {
  const minutes = [0, 1, 2, 3, 4, 5, 29].map((searches) => searchDelay(searches) / 60_000)
  expect(minutes).toEqual([0.5, 2, 5, 15, 75, 135, 1575])
})

const pair = () => selfSignedPair({ names: [HERE], notBefore: Date.now() - 60_000, notAfter: Date.now() + 60_000 })
