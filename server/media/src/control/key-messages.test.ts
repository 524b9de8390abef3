import { instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerKeyQuestion, type KeyQuestion, remoteKeyService } from './key-messages.ts'
import { type KeyService, keyService } from './key-service.ts'

const OWN = { accountId: 1000, cameraId: 1 }
const OTHER = { accountId: 1000, cameraId: 2 }
const FOREIGN = 2000
const DAY = '2026-03-01'
const encryption = envelopeEncryption(Buffer.alloc(32, 1))

let database: TestDatabase
let service: KeyService
beforeAll(async () => {
  database = await testDatabase()
  await addCameras()
  service = keyService({ db: database.db('media'), kek: new Uint8Array(32).fill(5), encryption })
})
afterAll(() => database[Symbol.asyncDispose]())

async function addCameras(): Promise<void> {
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  for (const account_id of [OWN.accountId, FOREIGN]) {
    await owner.insertInto('accounts').values({ account_id, reseller_id: 255, name: 'A' }).execute()
    await owner.insertInto('zones').values({ account_id, zone_id: account_id, name: 'Z' }).execute()
  }
  const connection = { eth_mac_address: '', address: '', rtsp_port: 554, main_path: '', name: 'C' }
  const cameras = [OWN, OTHER].map(({ accountId, cameraId }) => ({
    account_id: accountId,
    zone_id: accountId,
    camera_id: cameraId,
    ...connection,
  }))
  await owner.insertInto('cameras').values(cameras).execute()
}

/** What the worker of camera 1 gets; questions and answers cross a process border. */
const worker = (given: KeyService = service) =>
  remoteKeyService(async (question) =>
    structuredClone(await answerKeyQuestion(given, structuredClone(question), (cameraId) => cameraId === OWN.cameraId)),
  )

const parsePath = ({ accountId, cameraId }: typeof OWN, column = 'password_sealed') => ({
  accountId,
  table: 'cameras',
  row: cameraId,
  column,
})

test('a worker gets keys and the password of its own camera', async () => {
  const keys = await worker().prepareDayKeys(OWN, [DAY])
  const { key, keyId, wrapped, accountKey } = keys.get(DAY) ?? expect.fail('no key')
  expect(key).toHaveLength(32)
  expect(await worker().findDayKey(OWN, keyId, undefined)).toEqual(key)
  expect(await worker().findDayKey(OWN, keyId, { day: DAY, wrapped, accountKeys: [accountKey] })).toEqual(key)
  expect(await worker().openPassword(OWN, encryption.seal(parsePath(OWN), 'secret'))).toBe('secret')
})

test('a worker gets nothing of a camera that is not assigned to it', async () => {
  const [day] = (await service.prepareDayKeys(OTHER, [DAY])).values()
  const { keyId, wrapped, accountKey } = day ?? expect.fail('no key')
  const beside = { day: DAY, wrapped, accountKeys: [accountKey] }
  const sealed = encryption.seal(parsePath(OTHER), 'secret')
  await expect(worker().prepareDayKeys(OTHER, [DAY])).rejects.toThrow('camera 2 is not assigned')
  await expect(worker().findDayKey(OTHER, keyId, beside)).rejects.toThrow('camera 2 is not assigned')
  await expect(worker().openPassword(OTHER, sealed)).rejects.toThrow('camera 2 is not assigned')
  // Not under the name of its own camera either.
  expect(await worker().findDayKey(OWN, keyId, beside)).toBeUndefined()
  await expect(worker().openPassword(OWN, sealed)).rejects.toThrow('could not get keys of camera 1')
})

test('a worker gets nothing in the name of an account that its camera is not of', async () => {
  const claimed = { ...OWN, accountId: FOREIGN }
  const refused = 'camera 1 is not of account 2000'
  await expect(worker().prepareDayKeys(claimed, [DAY])).rejects.toThrow(refused)
  await expect(worker().findDayKey(claimed, 'any', undefined)).rejects.toThrow(refused)
  await expect(worker().openPassword(claimed, encryption.seal(parsePath(claimed), 'secret'))).rejects.toThrow(refused)
  const keys = database.db('owner').plain.selectFrom('footage_account_keys').selectAll()
  expect(await keys.where('account_id', '=', FOREIGN).execute()).toEqual([])
})

test('the account that a camera was removed from still gets the keys of its footage', async () => {
  const owner = database.db('owner').plain
  const removed = { account_id: FOREIGN, camera_id: OWN.cameraId, retention_hours: 1, removed_at: instant(0) }
  await owner.insertInto('removed_cameras').values(removed).execute()
  await expect(worker().findDayKey({ ...OWN, accountId: FOREIGN }, 'any', undefined)).resolves.toBeUndefined()
  await owner.deleteFrom('removed_cameras').execute()
})

test('only passwords of cameras are opened, no other secret of the account', async () => {
  const seed = encryption.seal({ ...parsePath(OWN), table: 'people' }, 'seed')
  await expect(worker().openPassword(OWN, seed)).rejects.toThrow('could not get keys of camera 1')
})

test('the account’s key is never handed out', async () => {
  const answers: unknown[] = []
  const listening = remoteKeyService(async (question: KeyQuestion) => {
    const answer = await answerKeyQuestion(service, question, () => true)
    answers.push(answer)
    return answer
  })
  const [day] = (await listening.prepareDayKeys(OWN, [DAY])).values()
  await listening.findDayKey(OWN, day?.keyId ?? '', undefined)
  const raw = answers.flatMap((answer) => bytesIn(answer))
  expect(raw.length).toBeGreaterThan(0)
  expect(new Set(raw)).toEqual(new Set([Buffer.from(day?.key ?? []).toString('hex')]))
})

const bytesIn = (value: unknown): readonly string[] => {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('hex')]
  if (value instanceof Map) return [...value.values()].flatMap(bytesIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(bytesIn) : []
}

test('a failure reaches the worker as a sentence, and so does silence', async () => {
  const away: KeyService = { ...service, prepareDayKeys: () => Promise.reject(new Error('the database is away')) }
  await expect(worker(away).prepareDayKeys(OWN, [DAY])).rejects.toThrow('the database is away')
  const silent = remoteKeyService(async () => undefined)
  await expect(silent.prepareDayKeys(OWN, [DAY])).rejects.toThrow('no answer in time')
})

test('a question that is none is refused', async () => {
  for (const question of [undefined, {}, { camera: OWN, what: 'dayKeys' }])
    expect(await answerKeyQuestion(service, question as never, () => true)).toMatchObject({ what: 'refused' })
})
