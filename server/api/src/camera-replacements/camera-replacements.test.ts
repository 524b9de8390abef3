import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import type { ComparedDevice } from '@sightline/contract/camera-replacements'
import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentAbilities } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraReplacements, replacementTasks } from './index.ts'
import { listDifferences } from './rules.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  api = await testApi({ slices: [cameraReplacements], media: { camerasChanged: () => void notified++ } })
})
afterAll(() => api[Symbol.asyncDispose]())

const device = { address: '192.168.1.70', username: 'viewer', password: 'camera secret' }

let devices = 0
/** A MAC address belongs to one account. */
const nextMac = () => `02:00:00:00:02:${(++devices).toString(16).padStart(2, '0')}`

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const eth_mac_address = nextMac()
  const old = {
    address: '192.168.1.10',
    brand: 'Old',
    model: 'One',
    connection_key: '["192.168.1.10"]',
    eth_mac_address,
  }
  await api.owner.plain.updateTable('cameras').set(old).where('camera_id', '=', cameraId).execute()
  const path = `cameras/${cameraId}/replacement`
  return { accountId, cameraId, token, zoneId, path, get: async () => (await api.call(token, `GET ${path}`)).body }
}

const rowOf = (cameraId: number) =>
  api.owner.plain.selectFrom('cameras').selectAll().where('camera_id', '=', cameraId).executeTakeFirstOrThrow()

const attemptOf = (cameraId: number) =>
  api.owner.plain.selectFrom('camera_replacements').selectAll().where('camera_id', '=', cameraId).executeTakeFirst()

/** What the worker does with a device that passed. */
async function pass({ accountId, cameraId }: { accountId: number; cameraId: number }) {
  const attempt = await attemptOf(cameraId)
  if (attempt === undefined) throw new Error('nothing to pass')
  const connection = JSON.stringify({ ...attempt.connection, rtsp_port: 554, main_path: '/new', brand: 'New' })
  const { rows } = await sql<{ done: boolean }>`
    select replace_camera(${accountId}::bigint, ${cameraId}::bigint, ${instant(attempt.started_at)},
      ${connection}::jsonb, null, ${instant(api.now)}, ${instant(api.now + MS_PER_DAY)}) as done`.execute(
    api.owner.plain,
  )
  return rows[0]?.done
}

const end = (cameraId: number, values: { status: 'failure' | 'ready'; sub_status?: string; found?: string }) =>
  api.owner.plain.updateTable('camera_replacements').set(values).where('camera_id', '=', cameraId).execute()

test('a camera that was never replaced has no replacement and nothing to undo', async () => {
  const { get, token, path } = await oneCamera()
  expect(await get()).toMatchObject({ status: 'none', steps: [], differences: null, former: null })
  expect(await api.call(token, `DELETE ${path}`)).toMatchObject({ status: 404, body: { code: 4 } })
})

describe('replacing', () => {
  test('tries the new device first: the camera stays connected to the old one, and no password is shown or logged', async () => {
    const { accountId, cameraId, token, path, get } = await oneCamera()
    notified = 0
    const begun = await api.call(token, `POST ${path}`, device)
    expect(begun).toMatchObject({ status: 202, body: { status: 'inProgress', dryRun: false } })
    expect(begun.body.steps[0]).toEqual({ step: 'reachable', state: 'running' })
    expect(notified).toBe(1)
    expect(await rowOf(cameraId)).toMatchObject({ address: '192.168.1.10', addition_status: 'added' })
    expect(JSON.stringify(await attemptOf(cameraId))).not.toContain('camera secret')
    const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
    const [entry] = await log.execute()
    expect(entry).toMatchObject({ action: 'postCameraReplacement', after: { address: '192.168.1.70' } })
    expect(JSON.stringify(entry)).not.toContain('secret')
    expect(await get()).toEqual(begun.body)
  })

  test('a device that fails changes nothing, and says which step and what to do', async () => {
    const { cameraId, token, path, get } = await oneCamera()
    await api.call(token, `POST ${path}`, device)
    await end(cameraId, { status: 'failure', sub_status: 'deviceOffline' })
    expect(await get()).toMatchObject({ status: 'failure', subStatus: 'deviceOffline', code: 14, former: null })
    expect((await get()).steps[0]).toEqual({ step: 'reachable', state: 'failed' })
    expect(await rowOf(cameraId)).toMatchObject({ address: '192.168.1.10', addition_status: 'added' })
  })

  test('a device that passes takes the place: everything else of the camera stays, and it can be undone for 24 hours', async () => {
    const one = await oneCamera()
    const { cameraId, accountId, token, path, get, zoneId } = one
    const before = await rowOf(cameraId)
    await api.call(token, `POST ${path}`, device)
    expect(await pass(one)).toBe(true)
    expect(await rowOf(cameraId)).toMatchObject({
      address: '192.168.1.70',
      main_path: '/new',
      brand: 'New',
      name: 'Door',
      zone_id: zoneId,
      retention_hours: before.retention_hours,
      mode: before.mode,
      created_at: before.created_at,
      addition_status: 'added',
    })
    // It is over when it is recorded.
    expect(await get()).toMatchObject({ status: 'inProgress' })
    const status = { account_id: accountId, camera_id: cameraId, online: true, recording: true }
    await api.owner.plain.insertInto('camera_status').values(status).execute()
    const replaced = await get()
    expect(replaced).toMatchObject({ status: 'replaced', former: { brand: 'Old', model: 'One' } })
    expect(replaced.steps.at(-1)).toEqual({ step: 'recording', state: 'done' })
    expect(Date.parse(replaced.former.undoUntil) - Date.parse(replaced.former.replacedAt)).toBe(24 * MS_PER_HOUR)

    expect(await api.call(token, `DELETE ${path}`)).toMatchObject({ status: 204 })
    const after = await rowOf(cameraId)
    expect(after).toEqual({ ...before, addition_started_at: after.addition_started_at })
    expect(await get()).toMatchObject({ status: 'undone', former: null })
    const events = api.owner.plain.selectFrom('events').select('type').where('camera_id', '=', cameraId)
    expect(await events.execute()).toEqual([{ type: 'cameraReplaced' }])
    expect(await api.call(token, `DELETE ${path}`)).toMatchObject({ status: 404 })
  })

  test('is not undone if another account has the old device meanwhile', async () => {
    const one = await oneCamera()
    const { eth_mac_address } = await rowOf(one.cameraId)
    await api.call(one.token, `POST ${one.path}`, device)
    expect(await pass(one)).toBe(true)
    const other = await api.addAccount()
    const taken = await api.addCamera(other.accountId, other.zoneId, 'Elsewhere')
    const cameras = api.owner.plain.updateTable('cameras').set({ eth_mac_address })
    await cameras.where('camera_id', '=', taken).execute()
    const ended = { status: 'replaced' as const }
    await api.owner.plain.updateTable('camera_replacements').set(ended).where('camera_id', '=', one.cameraId).execute()
    expect(await api.call(one.token, `DELETE ${one.path}`)).toMatchObject({ status: 409, body: { code: 5 } })
    expect(await rowOf(one.cameraId)).toMatchObject({ address: '192.168.1.70' })
  })

  test('after 24 hours the old device is forgotten with its password', async () => {
    const one = await oneCamera()
    await api.call(one.token, `POST ${one.path}`, device)
    await pass(one)
    const then = api.now + MS_PER_DAY
    const clock = { now: () => then + 1 }
    await replacementTasks({ db: api.app, clock }).forgetFormerCameras?.run({}, {
      signal: AbortSignal.timeout(5000),
      attempt: 1,
    } as never)
    const former = api.owner.plain.selectFrom('former_cameras').selectAll().where('camera_id', '=', one.cameraId)
    expect(await former.execute()).toEqual([])
    expect((await attemptOf(one.cameraId))?.connection).toEqual({})
  })

  test('a trial says what the new device lacks, and is not taken', async () => {
    const one = await oneCamera()
    const { cameraId, accountId, token, path, get } = one
    const status = { account_id: accountId, camera_id: cameraId, online: true, width: 1920, height: 1080 }
    await api.owner.plain
      .insertInto('camera_status')
      .values({ ...status, codec: 'h264' })
      .execute()
    await api.call(token, `POST ${path}`, { ...device, dryRun: true })
    const found: ComparedDevice = { ...plain, width: 640, height: 480, codec: 'h265', isOnvif: true }
    expect(await pass(one)).toBe(false)
    await end(cameraId, { status: 'ready', found: JSON.stringify(found) })
    expect(await get()).toMatchObject({
      status: 'ready',
      dryRun: true,
      differences: [
        { subject: 'resolution', loss: 'missing', before: '1920x1080', after: '640x480' },
        { subject: 'codec', loss: 'changed', before: 'h264', after: 'h265' },
      ],
    })
    expect(await rowOf(cameraId)).toMatchObject({ address: '192.168.1.10' })
  })

  test('the same address is allowed, that of another camera is not; one device at a time', async () => {
    const one = await oneCamera()
    const { accountId, token, zoneId, path } = one
    const other = await api.addCamera(accountId, zoneId, 'Gate')
    const key = JSON.stringify(['192.168.1.99', null, null])
    await api.owner.plain.updateTable('cameras').set({ connection_key: key }).where('camera_id', '=', other).execute()
    expect(await api.call(token, `POST ${path}`, { ...device, address: '192.168.1.99' })).toMatchObject({
      status: 409,
      body: { code: 5 },
    })
    expect(await api.call(token, `POST ${path}`, { ...device, address: '192.168.1.10' })).toMatchObject({ status: 202 })
    expect(await api.call(token, `POST ${path}`, device)).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await api.call(token, `DELETE ${path}`)).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('a former device that became another camera is not put back', async () => {
    const one = await oneCamera()
    const { accountId, token, zoneId, path } = one
    await api.call(token, `POST ${path}`, device)
    await pass(one)
    const other = await api.addCamera(accountId, zoneId, 'Again')
    const key = { connection_key: '["192.168.1.10"]' }
    await api.owner.plain.updateTable('cameras').set(key).where('camera_id', '=', other).execute()
    expect(await api.call(token, `DELETE ${path}`)).toMatchObject({ status: 409, body: { code: 5 } })
    expect(await rowOf(one.cameraId)).toMatchObject({ address: '192.168.1.70' })
  })

  test('not in private mode, because a device that is tried sends a picture; and not before it was added', async () => {
    const { cameraId, token, path } = await oneCamera()
    const set = (values: { mode?: 'private' | 'armed'; addition_status?: 'failure' }) =>
      api.owner.plain.updateTable('cameras').set(values).where('camera_id', '=', cameraId).execute()
    await set({ mode: 'private' })
    expect(await api.call(token, `POST ${path}`, device)).toMatchObject({ status: 409, body: { code: 6 } })
    await set({ mode: 'armed', addition_status: 'failure' })
    expect(await api.call(token, `POST ${path}`, device)).toMatchObject({ status: 409, body: { code: 6 } })
    expect(await api.call(token, `POST ${path}`, { address: 'rtsp://x/' })).toMatchObject({ status: 400 })
  })

  test('needs the right to add cameras by address, and access to the camera', async () => {
    const { accountId, path } = await oneCamera()
    const editor = await api.addSubUser(accountId, { rights: ['editCamera', 'deleteCamera'], allCameras: true })
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await api.call(editor.token, `${method} ${path}`, method === 'POST' ? device : undefined)).toMatchObject({
        status: 403,
      })
    const stranger = await oneCamera()
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await api.call(stranger.token, `${method} ${path}`, method === 'POST' ? device : undefined)).toMatchObject(
        { status: 404 },
      )
  })
})

const plain: ComparedDevice = {
  codec: 'h264',
  width: 1920,
  height: 1080,
  audioCodec: null,
  hasSubStream: false,
  isOnvif: false,
  abilities: null,
}

const able = (abilities: CameraAbilities['abilities']): CameraAbilities => ({ ...silentAbilities, abilities })

describe('what a new device lacks', () => {
  const yes = { state: 'yes', tried: '' } as const
  const no = { state: 'no', tried: '' } as const

  test('the same device lacks nothing', () => {
    const one = { ...plain, isOnvif: true, audioCodec: 'aac', hasSubStream: true, abilities: able({ wdr: yes }) }
    expect(listDifferences({ ...one, areas: 3 }, one)).toEqual([])
  })

  test('abilities that it lacks are missing, those that it did not name are unknown, better ones are not named', () => {
    const before = { ...plain, isOnvif: true, areas: 0, abilities: able({ ptz: yes, speaker: yes, wifi: no }) }
    const after = { ...plain, isOnvif: true, abilities: able({ ptz: no, wifi: yes }) }
    expect(listDifferences(before, after)).toEqual([
      { subject: 'ptz', loss: 'missing', before: null, after: null },
      { subject: 'speaker', loss: 'unknown', before: null, after: null },
      { subject: 'presets', loss: 'missing', before: null, after: null },
    ])
  })

  test('without ONVIF that is said once; sound and a sub-stream that are gone are named', () => {
    const before = {
      ...plain,
      isOnvif: true,
      audioCodec: 'aac',
      hasSubStream: true,
      areas: 0,
      abilities: able({ wdr: yes }),
    }
    expect(listDifferences(before, plain).map(({ subject, loss }) => `${subject} ${loss}`)).toEqual([
      'onvif missing',
      'subStream missing',
      'sound missing',
    ])
  })

  test('areas are named if the picture has another shape', () => {
    const after = { ...plain, width: 2048, height: 1536 }
    expect(listDifferences({ ...plain, areas: 2 }, after)).toEqual([
      { subject: 'areas', loss: 'changed', before: '1920x1080', after: '2048x1536' },
    ])
    expect(listDifferences({ ...plain, areas: 2 }, { ...plain, width: 3840, height: 2160 })).toEqual([])
  })
})
