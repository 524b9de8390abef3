import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { CAMERA, filesBelow, MemoryRunLog, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import { storeKeeper } from './retention.ts'
import { type ScrubFinding, scrubStream } from './scrub.ts'
import { scanSegment } from './segment-scan.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

async function recorded(): Promise<{ store: string; paths: readonly string[] }> {
  const set = await stage({ segmentMs: 4000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 20, wallClock: TEN_THIRTY }))
  await set.stop()
  return { store: set.store, paths: await filesBelow(set.store) }
}

async function scrubbed(store: string): Promise<readonly ScrubFinding[]> {
  const found: ScrubFinding[] = []
  for await (const finding of scrubStream(store, CAMERA)) found.push(finding)
  return found
}

async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(path, bytes.with(at, (bytes[at] ?? 0) ^ 0x10))
}

test('finds nothing in intact footage, including after retention deleted some', async () => {
  const { store } = await recorded()
  expect(await scrubbed(store)).toEqual([])
  const options = { store, limitBytes: 0, group: new SyncGroup(), runs: new MemoryRunLog(), now: Date.now }
  expect((await storeKeeper(options).sweep()).deletedSegments).toBeGreaterThan(1)
  expect(await scrubbed(store)).toEqual([])
})

test('finds one flipped bit and reports its part', async () => {
  const { store, paths } = await recorded()
  const [, path = ''] = paths
  const part = (await scanSegment(path)).parts[2]
  await flip(path, (part?.offset ?? 0) + 300)
  expect(await scrubbed(store)).toEqual([{ kind: 'segment', path, health: { kind: 'damagedParts', parts: [part] } }])
})

test('finds a changed byte beside the parts, a missing file and a changed line', async () => {
  const { store, paths } = await recorded()
  const [first = '', second = '', third = ''] = paths
  await flip(first, (await readFile(first)).length - 5)
  await flip(second, 300)
  await rm(third)
  const kinds = (await scrubbed(store)).map((found) => (found.kind === 'segment' ? found.health.kind : found.kind))
  expect(kinds.toSorted()).toEqual(['changed', 'missing', 'unreadable'])
  await flip(join(dirname(first), 'manifest.jsonl'), 40)
  expect((await scrubbed(store))[0]).toMatchObject({ kind: 'chain', broken: { line: 1, what: 'changed line' } })
})
