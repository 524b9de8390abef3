import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { openPlayback } from '../playback/index.ts'
import { MissingDayKey, storeKeeper, streamFolder } from '../recording/index.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from '../recording/recording-stage.ts'
import { type FootageKeyring, footageKeyring } from './footage-keyring.ts'
import { keyService } from './key-service.ts'

const DAY_MS = 24 * 3_600_000
const KEK = new Uint8Array(32).fill(5)
const encryption = envelopeEncryption(Buffer.alloc(32, 1))
let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = database.db('media')
})
beforeEach(async () => {
  await db.plain.deleteFrom('footage_day_keys').execute()
  await db.plain.deleteFrom('footage_account_keys').execute()
})
afterAll(async () => {
  await removeTemporaryFolders()
  await database[Symbol.asyncDispose]()
})

const keyring = (now = TEN_THIRTY, kek: Uint8Array = KEK, on: Db = db): FootageKeyring =>
  footageKeyring({ db: on, service: keyService({ db: on, kek, encryption }), now: () => now })

async function recorded(keys: FootageKeyring, wallClock: number, store: string) {
  const set = await stage({ store, dayKey: (time) => keys.dayKey(CAMERA, time), segmentMs: 2000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 10, wallClock }))
  await set.stop()
  return set
}

async function pictures(store: string, keys: FootageKeyring): Promise<number> {
  let count = 0
  for await (const message of openPlayback({ store, stream: CAMERA, at: 0, keys }))
    if (message.kind === 'part') count += message.samples.length
  return count
}

const days = async () =>
  (await db.plain.selectFrom('footage_day_keys').select('day').orderBy('day').execute()).map(({ day }) => day)

test('keys exist for the day before, today and two days ahead, the same for every worker', async () => {
  const [one, other] = [keyring(), keyring()]
  await Promise.all([one.prepare(CAMERA), other.prepare(CAMERA)])
  expect(await days()).toEqual(['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'])
  for (const ahead of [-DAY_MS, 0, DAY_MS, 2 * DAY_MS])
    expect(one.dayKey(CAMERA, TEN_THIRTY + ahead)).toEqual(other.dayKey(CAMERA, TEN_THIRTY + ahead))
  expect(() => one.dayKey(CAMERA, TEN_THIRTY + 3 * DAY_MS)).toThrow(MissingDayKey)
  expect(() => one.dayKey({ ...CAMERA, cameraId: 2002 }, TEN_THIRTY)).toThrow(MissingDayKey)
})

test('prepared keys need no database over midnight', async () => {
  const keys = keyring()
  await keys.prepare(CAMERA)
  await db.plain.deleteFrom('footage_day_keys').execute()
  await keys.prepare(CAMERA)
  expect(await days()).toEqual([])
  expect(keys.dayKey(CAMERA, TEN_THIRTY + 2 * DAY_MS).key).toHaveLength(32)
})

test('a recorder whose keys can’t be had any more records on for two midnights, encrypted', async () => {
  const store = await temporaryFolder()
  let isAway = false
  let now = TEN_THIRTY
  const present = keyService({ db, kek: KEK, encryption })
  const service: typeof present = {
    ...present,
    prepareDayKeys: (camera, wanted) =>
      isAway ? Promise.reject(new Error('the database is away')) : present.prepareDayKeys(camera, wanted),
  }
  const keys = footageKeyring({ db, service, now: () => now })
  await keys.prepare(CAMERA)
  isAway = true
  for (const midnight of ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'].map((text) => Date.parse(text))) {
    now = midnight
    await expect(keys.prepare(CAMERA)).rejects.toThrow('away')
    await recorded(keys, midnight - 5000, store)
  }
  expect(await readdir(streamFolder(store, CAMERA))).toEqual(
    expect.arrayContaining(['2026-03-01', '2026-03-02', '2026-03-03']),
  )
  expect(await pictures(store, keyring())).toBe(500)
})

test('keys of cameras that went to another worker are forgotten', async () => {
  const keys = keyring()
  await keys.prepare(CAMERA)
  const { keyId } = keys.dayKey(CAMERA, TEN_THIRTY)
  keys.keepOnly(new Set([CAMERA.cameraId]))
  expect(keys.dayKey(CAMERA, TEN_THIRTY).keyId).toBe(keyId)
  keys.keepOnly(new Set())
  expect(() => keys.dayKey(CAMERA, TEN_THIRTY)).toThrow(MissingDayKey)
})

test('the database and the log have no key in the clear, and another installation’s key opens none', async () => {
  const keys = keyring()
  await keys.prepare(CAMERA)
  const { key } = keys.dayKey(CAMERA, TEN_THIRTY)
  const rows = JSON.stringify([
    await db.plain.selectFrom('footage_day_keys').selectAll().execute(),
    await db.plain.selectFrom('footage_account_keys').selectAll().execute(),
  ])
  expect(rows).not.toContain(Buffer.from(key).toString('base64'))
  await expect(keyring(TEN_THIRTY, new Uint8Array(32)).prepare(CAMERA)).rejects.toThrow('secrets.json')
})

test('footage plays by the keys beside it if the database lost them, and by the database if the files did', async () => {
  const store = await temporaryFolder()
  const keys = keyring()
  await keys.prepare(CAMERA)
  await recorded(keys, TEN_THIRTY, store)
  const day = join(streamFolder(store, CAMERA), '2026-03-01')
  await cp(join(day, 'key'), join(day, 'kept'))
  await rm(join(day, 'key'))
  expect(await pictures(store, keyring())).toBe(250)
  await cp(join(day, 'kept'), join(day, 'key'))
  await db.plain.deleteFrom('footage_day_keys').execute()
  expect(await pictures(store, keyring())).toBe(250)
  await rm(join(day, 'key'))
  expect(await pictures(store, keyring())).toBe(0)
})

test('a day whose last segment aged out loses both copies of its key, and a copy of the footage is noise', async () => {
  const store = await temporaryFolder()
  const keys = keyring()
  await keys.prepare(CAMERA)
  const { group } = await recorded(keys, TEN_THIRTY, store)
  await recorded(keys, TEN_THIRTY + DAY_MS, store)
  const folder = streamFolder(store, CAMERA)
  const copy = await temporaryFolder()
  await cp(store, copy, { recursive: true })
  const sweep = (now: number, erase = keys.erase) =>
    storeKeeper({
      store,
      keepFreeBytes: 0,
      maxAgeMs: () => DAY_MS,
      group,
      runs: new MemoryRunLog(),
      eraseKey: erase,
      now: () => now,
    }).sweep()
  await sweep(TEN_THIRTY + DAY_MS)
  expect(await readdir(join(folder, '2026-03-01'))).toContain('key')
  // A database that is away leaves the file, so that the next sweep tries again.
  const away = () => Promise.reject(new Error('the database is away'))
  await expect(sweep(TEN_THIRTY + 2 * DAY_MS, away)).rejects.toThrow('away')
  expect(await readdir(join(folder, '2026-03-01'))).toContain('key')
  await sweep(TEN_THIRTY + 2 * DAY_MS)
  expect(await readdir(join(folder, '2026-03-01'))).not.toContain('key')
  expect(await readdir(join(folder, '2026-03-02'))).toContain('key')
  expect(await days()).toEqual(['2026-02-28', '2026-03-02', '2026-03-03'])
  for (const path of await filesBelow(copy)) {
    const day = dirname(dirname(path))
    if (!day.endsWith('2026-03-01')) continue
    await rm(join(day, 'key'), { force: true })
  }
  await mkdir(copy, { recursive: true })
  expect(await pictures(copy, keyring())).toBe(250)
})
