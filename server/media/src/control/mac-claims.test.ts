import { instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { saveIdentified, saveOutcome } from './addition-store.ts'
import { loadOpenReplacements, replaceCamera } from './replacement-store.ts'

const ACCOUNTS = Array.from({ length: 20 }, (_, at) => 1000 + at)
const MAC = '00:1a:2b:3c:4d:5e'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  for (const account_id of ACCOUNTS) {
    await owner.insertInto('accounts').values({ account_id, reseller_id: 255, name: 'A' }).execute()
    await owner.insertInto('zones').values({ account_id, zone_id: account_id, name: 'Z' }).execute()
  }
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await database.db('owner').plain.deleteFrom('cameras').execute()
  await database.db('owner').plain.deleteFrom('mac_claims').execute()
})

const found = (macAddress: string) => ({
  address: '192.168.1.64',
  macAddress,
  macAddresses: [macAddress],
  rtspPort: 554,
  mainPath: '/main',
  subPath: null,
  isSecure: false,
  onvif: { port: 80, isSecure: false, certificate: undefined },
  brand: '',
  model: '',
  firmwareVersion: '',
  serial: '',
  inputs: 1,
  motionSources: null,
})

const STARTED = Date.UTC(2026, 10, 27)
let cameras = 0
async function adding(accountId: number, input = 1) {
  const cameraId = ++cameras
  const values = { account_id: accountId, camera_id: cameraId, zone_id: accountId, name: 'C', input }
  const connection = { eth_mac_address: '', address: '192.168.1.64', rtsp_port: 0, main_path: '' }
  await database
    .db('owner')
    .plain.insertInto('cameras')
    .values({
      ...values,
      ...connection,
      addition_status: 'inProgress',
      addition_started_at: new Date(STARTED).toISOString() as never,
    })
    .execute()
  return { accountId, cameraId, additionStartedAt: STARTED, input }
}
const identify = async (camera: Awaited<ReturnType<typeof adding>>, macAddress = MAC) =>
  saveIdentified(database.db('media'), camera, found(macAddress))
const end = (camera: Awaited<ReturnType<typeof adding>>, status: 'added' | 'failure') =>
  saveOutcome(database.db('media'), camera, { status, subStatus: 'none', lastStep: 'streams', at: STARTED })
const remove = (cameraId: number) =>
  database.db('owner').plain.deleteFrom('cameras').where('camera_id', '=', cameraId).execute()
const claims = () => database.db('owner').plain.selectFrom('mac_claims').select(['mac_address', 'account_id']).execute()

describe('the same camera', () => {
  test('is never in two accounts: of 20 that add it at the same time, one gets it', async () => {
    const all = await Promise.all(ACCOUNTS.map((accountId) => adding(accountId)))
    const answers = await Promise.all(all.map((camera) => identify(camera)))
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'alreadyAttached')).toHaveLength(19)
    const rows = database.db('owner').plain.selectFrom('cameras').select(['account_id', 'address'])
    expect(await rows.where('eth_mac_address', '=', MAC).execute()).toHaveLength(1)
  })

  test('isn’t twice in one account either, however it was named; other inputs of a recorder are', async () => {
    expect(await identify(await adding(1000))).toBeUndefined()
    expect(await identify(await adding(1000))).toBe('alreadyAttached')
    expect(await identify(await adding(1000, 2))).toBeUndefined()
  })

  test('can be in another account two minutes after it was removed', async () => {
    const camera = await adding(1000)
    await identify(camera)
    await end(camera, 'added')
    expect(await identify(await adding(1001))).toBe('alreadyAttached')
    await remove(camera.cameraId)
    expect(await identify(await adding(1001))).toBe('recentlyRemoved')
    expect(await identify(await adding(1000))).toBe('recentlyRemoved')
    await sql`update mac_claims set released_at = now() - interval '2 minutes 1 second'`.execute(
      database.db('owner').plain,
    )
    expect(await identify(await adding(1001))).toBeUndefined()
    expect(await claims()).toEqual([{ mac_address: MAC, account_id: 1001 }])
  })

  test('is free at once where it could not be added', async () => {
    const camera = await adding(1000)
    await identify(camera)
    await end(camera, 'failure')
    expect(await claims()).toEqual([])
    expect(await identify(await adding(1001))).toBeUndefined()
  })

  test('is free where it was removed, or begun again, while the worker asked it', async () => {
    const [removed, again] = [await adding(1000), await adding(1000)]
    await remove(removed.cameraId)
    expect(await identify(removed)).toBeUndefined()
    expect(await identify({ ...again, additionStartedAt: STARTED - 1 })).toBeUndefined()
    expect(await claims()).toEqual([])
    expect(await identify(await adding(1001))).toBeUndefined()
  })

  test('of a recorder stays the account’s until its last input is removed', async () => {
    const [first, second] = [await adding(1000), await adding(1000, 2)]
    for (const camera of [first, second]) {
      await identify(camera)
      await end(camera, 'added')
    }
    await remove(first.cameraId)
    expect(await identify(await adding(1001))).toBe('alreadyAttached')
    await remove(second.cameraId)
    expect(await identify(await adding(1001))).toBe('recentlyRemoved')
  })
})

describe('a camera that was added with its stream path', () => {
  const added = async (accountId: number, macAddress?: string) =>
    saveOutcome(database.db('media'), await adding(accountId), {
      status: 'added',
      subStatus: 'none',
      lastStep: 'recording',
      at: STARTED,
      macAddress,
    })
  const rows = () =>
    database
      .db('owner')
      .plain.selectFrom('cameras')
      .select(['account_id', 'addition_status', 'addition_sub_status', 'eth_mac_address'])
      .orderBy('account_id')
      .execute()

  test('claims the MAC address that the network has for it, also for a second stream', async () => {
    expect(await added(1000, MAC)).toBe('added')
    expect(await added(1000, MAC)).toBe('added')
    expect(await claims()).toEqual([{ mac_address: MAC, account_id: 1000 }])
    expect(await identify(await adding(1001))).toBe('alreadyAttached')
  })

  test('isn’t added if another account has it, and holds nothing then', async () => {
    await identify(await adding(1000))
    expect(await added(1001, MAC)).toBe('failure')
    expect(await rows()).toMatchObject([
      { account_id: 1000, eth_mac_address: MAC },
      { addition_status: 'failure', addition_sub_status: 'alreadyAttached', eth_mac_address: '' },
    ])
    expect(await claims()).toEqual([{ mac_address: MAC, account_id: 1000 }])
  })

  test('is added without one if the network has none', async () => {
    expect(await added(1000)).toBe('added')
    expect(await claims()).toEqual([])
  })

  test('claims nothing if it was removed meanwhile', async () => {
    const camera = await adding(1000)
    await remove(camera.cameraId)
    const outcome = { status: 'added', subStatus: 'none', lastStep: 'recording', at: STARTED, macAddress: MAC } as const
    await saveOutcome(database.db('media'), camera, outcome)
    expect(await claims()).toEqual([])
  })
})

test('cameras that don’t report a MAC address are identified by their addresses only', async () => {
  expect(await identify(await adding(1000), '')).toBeUndefined()
  expect(await identify(await adding(1001), '')).toBeUndefined()
  expect(await claims()).toEqual([])
})

describe('a device that takes the place of another', () => {
  const NEW = '00:1a:2b:3c:4d:99'
  const owner = () => database.db('owner').plain

  async function replacing(accountId: number) {
    const camera = await adding(accountId)
    await identify(camera)
    await end(camera, 'added')
    const connection = { ...(await connectionOf(camera.cameraId)), address: '192.168.1.70', connection_key: null }
    const attempt = { account_id: accountId, camera_id: camera.cameraId, dry_run: false, before: '{}' }
    await owner()
      .insertInto('camera_replacements')
      .values({
        ...attempt,
        status: 'inProgress',
        started_at: instant(STARTED),
        connection: JSON.stringify(connection),
      })
      .execute()
    const [open] = await loadOpenReplacements(database.db('media'))
    if (open === undefined) throw new Error('nothing to replace')
    return open
  }
  const connectionOf = async (cameraId: number) => {
    const { rows } = await sql<{ connection: Record<string, unknown> }>`
      select camera_connection(c) as connection from cameras c where camera_id = ${cameraId}`.execute(owner())
    return rows[0]?.connection
  }
  const compared = { codec: null, width: null, height: null, audioCodec: null }
  const examined = {
    identified: { ...found(NEW), rtspPort: 554 },
    certificate: undefined,
    compared: { ...compared, hasSubStream: false, isOnvif: true, abilities: null },
  }
  const replace = async (open: Awaited<ReturnType<typeof replacing>>, macAddress = NEW) =>
    replaceCamera(database.db('media'), open, { examined, at: STARTED, macAddress })

  test('claims its MAC address for the account, and frees the one before', async () => {
    const open = await replacing(1000)
    expect(await replace(open)).toBe('replaced')
    expect(await claims()).toEqual([{ mac_address: NEW, account_id: 1000 }])
    expect(await identify(await adding(1001), NEW)).toBe('alreadyAttached')
    expect(await identify(await adding(1001))).toBeUndefined()
  })

  test('is refused if another account has it, and the camera stays as it was', async () => {
    expect(await identify(await adding(1001), NEW)).toBeUndefined()
    const open = await replacing(1000)
    expect(await replace(open)).toBe('alreadyAttached')
    const row = owner().selectFrom('cameras').select(['address', 'eth_mac_address'])
    expect(await row.where('camera_id', '=', open.cameraId).execute()).toEqual([
      { address: '192.168.1.64', eth_mac_address: MAC },
    ])
    const former = owner().selectFrom('former_cameras').select('camera_id')
    expect(await former.execute()).toEqual([])
    expect((await claims()).toSorted((a, b) => a.account_id - b.account_id)).toEqual([
      { mac_address: MAC, account_id: 1000 },
      { mac_address: NEW, account_id: 1001 },
    ])
  })

  test('waits while the camera is private, and is tried again afterwards', async () => {
    const open = await replacing(1000)
    const set = (mode: 'private' | 'armed') =>
      owner().updateTable('cameras').set({ mode }).where('camera_id', '=', open.cameraId).execute()
    await set('private')
    expect(await loadOpenReplacements(database.db('media'))).toEqual([])
    await set('armed')
    expect(await loadOpenReplacements(database.db('media'))).toMatchObject([{ cameraId: open.cameraId }])
  })
})
