import { randomBytes } from 'node:crypto'
import { cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ObjectStore, s3ObjectStore } from '@sightline/platform/object-store'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { type S3Server, startS3Server } from '../../../../tests/fixtures/s3-server.ts'
import { FootageCopy } from './footage-copy.ts'
import { keysInFiles, toDay } from './footage-keys.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  newDayKeys,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from './recording-stage.ts'
import { storeKeeper } from './retention.ts'
import { scrubStream } from './scrub.ts'
import { streamFolder } from './segment-name.ts'
import { SyncGroup } from './sync-group.ts'

const KEK = randomBytes(32)
const keys = keysInFiles(KEK)
const NOW = TEN_THIRTY + 3_600_000

let server: S3Server
let objects: ObjectStore
beforeAll(async () => {
  server = await startS3Server()
  objects = s3ObjectStore(server.settings)
})
beforeEach(() => {
  server.objects.clear()
  server.requests.length = 0
})
afterAll(async () => {
  objects[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
  await removeTemporaryFolders()
})

async function recorded(store?: string, fence = 1): Promise<string> {
  const dayKey = newDayKeys(KEK)
  const set = await stage({ segmentMs: 10_000, dayKey, fence, ...(store === undefined ? {} : { store }) })
  const wallClock = TEN_THIRTY + (fence - 1) * 60_000
  set.show(...playTracks([footage('high.h264')], { seconds: 40, wallClock }))
  await set.stop()
  return set.store
}

const copyOf = (store: string, now = NOW) => new FootageCopy({ store, objects, now: () => now })

/** The copy as a store of its own, as an operator would fetch it. */
async function fetched(): Promise<string> {
  const store = await temporaryFolder()
  for (const [name, bytes] of server.objects) {
    await mkdir(dirname(join(store, name)), { recursive: true })
    await writeFile(join(store, name), bytes)
  }
  return store
}

async function problems(store: string): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const finding of scrubStream(store, CAMERA, keys)) found.push(finding)
  return found
}

const segments = () => [...server.objects.keys()].filter((name) => name.endsWith('.seg')).sort()
const local = async (store: string) => (await filesBelow(store)).map((path) => path.slice(store.length + 1)).sort()

describe.each([{ verifiesContent: true }, { verifiesContent: false, pageSize: 3 }])('a server that %o', (behavior) => {
  beforeEach(() => {
    server.behavior = behavior
  })

  test('has all that the disk has, keys and chain included, and it proves itself', async () => {
    const store = await recorded()
    await copyOf(store).update([CAMERA])
    expect(segments()).toEqual(await local(store))
    expect(await problems(await fetched())).toEqual([])
  })

  test('loses what is deleted here: by a user to the part, and by retention', async () => {
    const store = await recorded()
    const copy = copyOf(store)
    await copy.update([CAMERA])
    const options = { store, group: new SyncGroup({ delayMs: 1 }), runs: new MemoryRunLog(), keys, now: () => NOW }
    await storeKeeper(options).deleteRange(CAMERA, { start: TEN_THIRTY + 6500, end: TEN_THIRTY + 27_300 }, '77')
    await copy.update([CAMERA])
    expect(segments()).toEqual(await local(store))
    expect(await problems(await fetched())).toEqual([])
    await storeKeeper({ ...options, maxAgeMs: () => 1 }).sweep()
    await copy.update([CAMERA])
    expect(segments()).toEqual([])
    await copy.eraseKey(CAMERA, toDay(TEN_THIRTY))
    expect([...server.objects.keys()].filter((name) => name.endsWith(`${toDay(TEN_THIRTY)}/key`))).toEqual([])
  })
})

test('while the server is away nothing is lost; it catches up, and a restart continues where it was', async () => {
  server.behavior = {}
  const store = await recorded()
  await copyOf(store).update([CAMERA])
  const before = server.requests.length
  server.behavior = { fails: 503 }
  await recorded(store, 2)
  const copy = copyOf(store)
  await expect(copy.update([CAMERA])).rejects.toThrow('503')
  expect(copy.problem).toMatch(/copying footage to S3 is 5\d minutes behind: the S3 server answers 503/)
  // Another worker has the camera now.
  await copy.update([])
  expect(copy.problem).toBeUndefined()
  server.behavior = {}
  await copyOf(store).update([CAMERA])
  expect(copyOf(store).problem).toBeUndefined()
  expect(segments()).toEqual(await local(store))
  expect(await problems(await fetched())).toEqual([])
  // Nothing twice.
  const puts = server.requests.filter((request) => request.startsWith('PUT') && request.endsWith('.seg'))
  expect(puts.length).toBe(new Set(puts).size)
  expect(before).toBeGreaterThan(0)
  const { length } = server.requests
  await copyOf(store).update([CAMERA])
  expect(server.requests.length).toBe(length)
})

test('a crash at any request leaves a copy that the next start completes', async () => {
  const store = await recorded()
  const group = new SyncGroup({ delayMs: 1 })
  const keeper = storeKeeper({ store, group, runs: new MemoryRunLog(), keys, now: () => NOW })
  await copyOf(store).update([CAMERA])
  await keeper.deleteRange(CAMERA, { start: TEN_THIRTY + 6500, end: TEN_THIRTY + 17_300 }, '77')
  const [wanted, copied] = [await local(store), new Map(server.objects)]
  for (let step = 0, isDone = false; !isDone; step++) {
    const copy = join(await temporaryFolder(), 'copy')
    await cp(store, copy, { recursive: true })
    server.objects.clear()
    for (const [name, bytes] of copied) server.objects.set(name, bytes)
    let calls = 0
    const count = () => {
      if (calls++ >= step) throw new Error('killed')
    }
    const killed: ObjectStore = {
      ...objects,
      putFile: async (...args) => {
        count()
        await objects.putFile(...args)
      },
      putBytes: async (...args) => {
        count()
        await objects.putBytes(...args)
      },
      remove: async (name) => {
        count()
        await objects.remove(name)
      },
    }
    isDone = await new FootageCopy({ store: copy, objects: killed, now: () => NOW }).update([CAMERA]).then(
      () => true,
      () => false,
    )
    await copyOf(copy).update([CAMERA])
    expect(segments(), `step ${step}`).toEqual(wanted)
    expect(await problems(await fetched()), `step ${step}`).toEqual([])
  }
})

test('what the disk has changed is not copied, and what follows is', async () => {
  server.behavior = { verifiesContent: true }
  const store = await recorded()
  const [first = ''] = await filesBelow(streamFolder(store, CAMERA))
  await rm(first)
  const [, second = ''] = await filesBelow(streamFolder(store, CAMERA))
  const { size } = await stat(second)
  await writeFile(second, randomBytes(size))
  await copyOf(store).update([CAMERA])
  expect(segments()).toHaveLength((await local(store)).length - 1)
})

test('an erased account leaves nothing there', async () => {
  server.behavior = { pageSize: 2 }
  const store = await recorded()
  server.objects.set('1001/5/main/x', Buffer.from('other'))
  const copy = copyOf(store)
  await copy.update([CAMERA])
  await copy.eraseAccount(CAMERA.accountId)
  expect([...server.objects.keys()]).toEqual(['1001/5/main/x'])
})
