import { rename } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { footage, play } from '../../../../tests/fixtures/footage.ts'
import type { AccessUnit } from '../frame/index.ts'
import { readFragment } from '../mux/index.ts'
import { CardImport } from './card-import.ts'
import { readCatalogue } from './catalogue.ts'
import { isSegmentEntry, readManifest, verifyManifest } from './manifest.ts'
import {
  CAMERA,
  filesBelow,
  heldLease,
  MemoryRunLog,
  newDayKeys,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from './recording-stage.ts'
import { recoverStream } from './recovery.ts'
import { streamFolder, toHour } from './segment-name.ts'
import { SegmentReader } from './segment-reader.ts'
import { scanSegment } from './segment-scan.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

const clip = () => footage('main.h264')

/** Pictures as a replay brings them: each with its time. */
function pictures(from: number, seconds: number): AccessUnit[] {
  const units: AccessUnit[] = []
  for (const { unit } of play([clip()], { seconds, wallClock: from })) units.push(unit)
  return units
}

async function opened(given: { store?: string; group?: SyncGroup; encrypted?: boolean } = {}) {
  const store = given.store ?? (await temporaryFolder())
  const group = given.group ?? new SyncGroup()
  const runs = new MemoryRunLog()
  const common = { store, stream: CAMERA, lease: heldLease(1), group, runs }
  const dayKey = newDayKeys(Buffer.alloc(32, 1))
  return { store, runs, group, filling: new CardImport(given.encrypted === true ? { ...common, dayKey } : common) }
}

const add = (filling: CardImport, from: number, seconds: number) =>
  filling.add({ track: clip().track, units: pictures(from, seconds), next: undefined, why: 'network' })

test('footage of a card is a segment of the main stream with its provenance, in the chain and in the log', async () => {
  const { store, filling, runs } = await opened({ encrypted: true })
  const all = pictures(TEN_THIRTY, 6)
  const at = all.findIndex(({ isKey, wallClock }) => isKey && wallClock >= TEN_THIRTY + 4000)
  const chunk = { track: clip().track, units: all.slice(0, at), next: all[at], why: 'network' as const }
  const first = await filling.add(chunk)
  expect(first).toEqual({ start: TEN_THIRTY, end: TEN_THIRTY + 4000 })
  await add(filling, TEN_THIRTY + 4000, 2)

  const paths = await filesBelow(store)
  expect(paths).toHaveLength(2)
  const scans = await Promise.all(paths.map((path) => scanSegment(path)))
  expect(scans.map(({ head }) => [head.header.origin, head.header.segmentInRun, head.header.baseTime])).toEqual([
    ['card', 0, 0],
    ['card', 1, 360_000],
  ])
  expect(scans.every(({ index, head }) => index !== undefined && !/^0+$/.test(head.header.keyId))).toBe(true)
  const folder = streamFolder(store, CAMERA)
  expect((await verifyManifest(folder, CAMERA)).broken).toEqual([])
  const lines = (await readManifest(folder, toHour(TEN_THIRTY))).map(({ entry }) => entry).filter(isSegmentEntry)
  expect(lines.map(({ origin, why, contentRoot }) => [origin, why, contentRoot !== undefined])).toEqual([
    ['card', 'rotation', true],
    ['card', 'network', true],
  ])
  expect(runs.ended).toEqual([
    [TEN_THIRTY, TEN_THIRTY + 4000, undefined],
    [TEN_THIRTY + 4000, TEN_THIRTY + 6000, 'network'],
  ])
  const slices = await readCatalogue(store, CAMERA, 0)
  expect(slices).toMatchObject([{ origin: 'card', start: TEN_THIRTY, end: TEN_THIRTY + 6000, why: 'network' }])
})

test('sound of a card is a track of the segment, at the time that the card says; a minute without it has none', async () => {
  const { store, filling } = await opened()
  const tone = footage('tone16.aac')
  const heard: AccessUnit[] = []
  for (const { unit } of play([tone], { seconds: 4, wallClock: TEN_THIRTY }))
    heard.push({ ...unit, time: unit.time + 777_000 })
  const all = pictures(TEN_THIRTY, 6)
  const at = all.findIndex(({ isKey, wallClock }) => isKey && wallClock >= TEN_THIRTY + 4000)
  const chunk = { track: clip().track, units: all.slice(0, at), next: all[at], why: 'network' as const }
  await filling.add({ ...chunk, sound: { track: tone.track, units: heard } })
  await add(filling, TEN_THIRTY + 4000, 2)

  const paths = await filesBelow(store)
  const tracks = await Promise.all(paths.map(async (path) => (await scanSegment(path)).head.tracks))
  expect(tracks.map((of) => of.map(({ kind }) => kind))).toEqual([['video', 'audio'], ['video']])
  await using reader = await SegmentReader.open(paths[0] ?? '')
  const times: number[] = []
  for (const part of reader.parts) {
    const samples = readFragment(await reader.readPart(part), reader.head.tracks, { origin: 0, wallClockAtZero: 0 })
    for (const { track, unit } of samples) if (track === 1) times.push(unit.time)
  }
  expect(times).toEqual(heard.map((_, index) => index * tone.frameTicks))
})

test('a kill before the line is written leaves nothing; after it, the file is named and told to the log', async () => {
  const { store, group, filling } = await opened()
  await add(filling, TEN_THIRTY, 2)
  const [path = ''] = await filesBelow(store)
  // As it is between the line and the name.
  await rename(path, `${path}.import`)
  const again = await opened({ store, group })
  expect(await again.filling.tidy(TEN_THIRTY - 1000, TEN_THIRTY + 60_000)).toMatchObject([
    { origin: 'card', start: TEN_THIRTY, end: TEN_THIRTY + 2000 },
  ])
  expect(await filesBelow(store)).toEqual([path])
  expect(again.runs.ended).toEqual([[TEN_THIRTY, TEN_THIRTY + 2000, 'network']])

  // As it is before the line: of another attempt, which nothing names.
  const other = path.replace(/[0-9a-f]{32}\.seg$/, `${'a'.repeat(32)}.seg.import`)
  const spare = await opened()
  await add(spare.filling, TEN_THIRTY, 2)
  await rename((await filesBelow(spare.store))[0] ?? '', other)
  await (await opened({ store, group })).filling.tidy(TEN_THIRTY - 1000, TEN_THIRTY + 60_000)
  expect(await filesBelow(store, '')).not.toContain(other)
  expect(await filesBelow(store)).toEqual([path])
})

test('recovery and readers of the files take it for footage like any other', async () => {
  const { store, group, filling, runs } = await opened()
  await add(filling, TEN_THIRTY, 2)
  expect(await recoverStream({ store, stream: CAMERA, fence: 2, group, runs })).toMatchObject({
    closed: [],
    listed: [],
    setAside: [],
  })
})

test('beside a recorder of the same stream, the chain stays whole', async () => {
  const group = new SyncGroup()
  await using recorded = await stage({ group })
  recorded.show([clip().track], [...play([clip()], { seconds: 2, wallClock: TEN_THIRTY + 60_000 })])
  const { filling } = await opened({ store: recorded.store, group })
  await add(filling, TEN_THIRTY, 2)
  await recorded.stop()
  const { broken } = await verifyManifest(streamFolder(recorded.store, CAMERA), CAMERA)
  expect(broken).toEqual([])
  const slices = await readCatalogue(recorded.store, CAMERA, 0)
  expect(slices.map(({ origin, start }) => [origin, start])).toEqual([
    ['card', TEN_THIRTY],
    [undefined, TEN_THIRTY + 60_000],
  ])
})
