import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { publicHalf } from '@sightline/platform/signed-line'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { type ChainHead, chainHeads, readHead, SyncGroup, streamFolder, verifyHead } from '../recording/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY, temporaryFolder } from '../recording/recording-stage.ts'
import { headReporter } from './head-reporter.ts'
import { headSigner } from './head-signer.ts'

const MINUTE = 60_000
const key = generateKeyPairSync('ed25519').privateKey
const KEYS = [{ publicKey: publicHalf(key), createdAt: TEN_THIRTY, retiredAt: undefined }]

let database: TestDatabase
let db: Db
let store: string
let group: SyncGroup
beforeAll(async () => {
  database = await testDatabase()
  db = database.db('sealer')
})
beforeEach(async () => {
  await database.db('owner').plain.deleteFrom('footage_heads').execute()
  store = await temporaryFolder()
  group = new SyncGroup()
})
afterAll(async () => {
  await removeTemporaryFolders()
  await database[Symbol.asyncDispose]()
})

const folder = () => streamFolder(store, CAMERA)

/** Records ten seconds, in segments of two; returns the head. */
async function record(wallClock: number): Promise<ChainHead> {
  const set = await stage({ store, group, segmentMs: 2000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 10, wallClock }))
  await set.stop()
  const [head] = await chainHeads(group).take()
  return head ?? expect.fail('no head')
}

interface Signing {
  readonly at?: number
  readonly on?: Db
  readonly keys?: readonly [KeyObject, ...KeyObject[]]
}

const open = ({ at = TEN_THIRTY + MINUTE, on = db, keys = [key] }: Signing = {}) =>
  headSigner({
    db: on,
    store,
    signingKey: keys[0],
    publicKeys: keys.map(publicHalf),
    log: silentLogger,
    now: () => at,
  })

/** Signs the heads and returns the problems. */
async function sign(heads: readonly ChainHead[], options?: Signing): Promise<readonly string[]> {
  const signer = open(options)
  signer.sign(heads)
  await signer[Symbol.asyncDispose]()
  return signer.problems()
}

const inFile = async () => (await readFile(join(folder(), 'head'), 'utf8')).trimEnd()
const inDatabase = async () =>
  (await db.plain.selectFrom('footage_heads').select('line').execute()).map((row) => row.line)

test('a head is in the file and in the database, and proves the list', async () => {
  expect(await sign([await record(TEN_THIRTY)])).toEqual([])
  expect(await inDatabase()).toEqual([await inFile()])
  expect(await verifyHead(store, CAMERA, KEYS)).toMatchObject({ unsignedLines: 0, findings: [], signed: CAMERA })
})

test('a head is signed again only when it has changed', async () => {
  const first = await record(TEN_THIRTY)
  await sign([first])
  const line = await inFile()
  await sign([first], { at: TEN_THIRTY + 2 * MINUTE })
  expect(await inFile()).toBe(line)
  await sign([await record(TEN_THIRTY + MINUTE)], { at: TEN_THIRTY + 3 * MINUTE })
  expect(readHead(await inFile())).toMatchObject({ at: TEN_THIRTY + 3 * MINUTE })
  expect(await inDatabase()).toEqual([await inFile()])
})

test('a worker that was late does not replace a newer head, and one that invents a head gets no signature', async () => {
  const old = await record(TEN_THIRTY)
  const signer = open()
  signer.sign([await record(TEN_THIRTY + MINUTE)])
  signer.sign([old])
  signer.sign([
    { ...old, bytes: old.bytes + 7 },
    { ...old, hash: '0'.repeat(64) },
  ])
  signer.sign([{ ...old, cameraId: 2999 }])
  await signer[Symbol.asyncDispose]()
  const line = await inFile()
  expect(await verifyHead(store, CAMERA, KEYS)).toMatchObject({ unsignedLines: 0, findings: [] })
  await sign([old])
  expect(await inFile()).toBe(line)
  expect(await inDatabase()).toEqual([line])
})

test('a list that was cut off while the server was stopped is not signed over', async () => {
  await sign([await record(TEN_THIRTY)])
  const signed = await inFile()
  const manifest = join(folder(), '2026-03-01/10/manifest.jsonl')
  const lines = (await readFile(manifest, 'utf8')).split('\n')
  await writeFile(manifest, `${lines.slice(0, -3).join('\n')}\n`)
  // The file beside it is removed too; the database still knows.
  await rm(join(folder(), 'head'))
  group = new SyncGroup()
  const problems = await sign([await record(TEN_THIRTY + MINUTE)], { at: TEN_THIRTY + 2 * MINUTE })
  expect(problems).toEqual([expect.stringContaining('1000/2001/main no longer has what was signed at')])
  const [aside = ''] = (await readdir(folder())).filter((name) => name.endsWith('.broken'))
  expect((await readFile(join(folder(), aside), 'utf8')).trimEnd()).toBe(signed)
  const { findings } = await verifyHead(store, CAMERA, KEYS)
  expect(findings).toEqual([expect.objectContaining({ path: join(folder(), aside) })])
  // New lines are signed nevertheless.
  expect(readHead(await inFile())).toMatchObject({ at: TEN_THIRTY + 2 * MINUTE })
})

test('a broken head is set aside once, however often its list can’t be signed anew, also after a restart', async () => {
  await sign([await record(TEN_THIRTY)])
  const manifest = join(folder(), '2026-03-01/10/manifest.jsonl')
  const lines = (await readFile(manifest, 'utf8')).split('\n')
  await writeFile(manifest, `${lines.slice(0, -3).join('\n')}\n`)
  group = new SyncGroup()
  const head = await record(TEN_THIRTY + MINUTE)
  // No head can be written.
  await mkdir(join(folder(), 'head.new'))
  for (const minute of [2, 3, 4]) await sign([head], { at: TEN_THIRTY + minute * MINUTE })
  const aside = async () => (await readdir(folder())).filter((name) => name.endsWith('.broken'))
  expect(await aside()).toHaveLength(1)
  await rmdir(join(folder(), 'head.new'))
  const problems = await sign([head], { at: TEN_THIRTY + 5 * MINUTE })
  expect(problems).toEqual([expect.stringContaining((await aside())[0] ?? '')])
  expect(await aside()).toHaveLength(1)
  expect(readHead(await inFile())).toMatchObject({ at: TEN_THIRTY + 5 * MINUTE })
})

test('a worker can neither change nor remove what was signed', async () => {
  await sign([await record(TEN_THIRTY)])
  const rows = await inDatabase()
  const { plain } = database.db('media')
  await expect(plain.updateTable('footage_heads').set({ line: '' }).execute()).rejects.toThrow('permission denied')
  await plain.deleteFrom('footage_heads').execute()
  expect(await inDatabase()).toEqual(rows)
})

test('each signature names its key, and heads of keys before it are continued', async () => {
  const successor = generateKeyPairSync('ed25519').privateKey
  await sign([await record(TEN_THIRTY)])
  const { keyId } = readHead(await inFile()) ?? expect.fail('no head')
  expect(await sign([await record(TEN_THIRTY + MINUTE)], { keys: [successor, key] })).toEqual([])
  const next = readHead(await inFile())
  expect(next?.keyId).not.toBe(keyId)
  expect(next?.isSignedBy(publicHalf(successor))).toBe(true)
})

test('while the database is away heads are signed in the files, and written down when it is back', async () => {
  let isAway = false
  const away = new Proxy(db.plain, {
    get(target, name) {
      if (isAway) throw new Error('the database is away')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const signer = open({ on: { ...db, plain: away } })
  signer.sign([await record(TEN_THIRTY)])
  await expect.poll(inDatabase).toHaveLength(1)
  const first = await inDatabase()
  isAway = true
  const newer = await record(TEN_THIRTY + MINUTE)
  signer.sign([newer])
  await expect.poll(async () => readHead(await inFile())?.bytes).toBe(newer.bytes)
  expect(await inDatabase()).toEqual(first)
  isAway = false
  await signer[Symbol.asyncDispose]()
  expect(await inDatabase()).toEqual([await inFile()])
})

test('a head of footage that was erased meanwhile is dropped', async () => {
  const head = await record(TEN_THIRTY)
  await rm(join(store, String(CAMERA.accountId)), { recursive: true })
  expect(await sign([head])).toEqual([])
  expect(await readdir(store)).toEqual([])
  expect(await inDatabase()).toEqual([])
})

test('a worker reports the heads of its own cameras that changed, once each, and the last ones when it stops', async () => {
  const reports: (readonly ChainHead[])[] = []
  const deps = { group, log: silentLogger, report: (heads: readonly ChainHead[]) => void reports.push(heads) }
  const foreign = headReporter({ ...deps, keeps: () => false, everyMs: MINUTE })
  const set = await stage({ store, group, segmentMs: 2000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 10, wallClock: TEN_THIRTY }))
  await set.stop()
  await foreign[Symbol.asyncDispose]()
  expect(reports).toEqual([])
  const reporter = headReporter({ ...deps, keeps: () => true, everyMs: 10 })
  const again = await stage({ store, group, segmentMs: 2000 })
  await expect.poll(() => reports).toHaveLength(1)
  again.show(...playTracks([footage('high.h264')], { seconds: 10, wallClock: TEN_THIRTY + MINUTE }))
  await again.stop()
  await reporter[Symbol.asyncDispose]()
  expect(reports.every((heads) => heads.length === 1)).toBe(true)
  expect(await sign(reports.at(-1) ?? [])).toEqual([])
  expect(await verifyHead(store, CAMERA, KEYS)).toMatchObject({ unsignedLines: 0, findings: [] })
})
