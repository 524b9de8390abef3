import { afterAll, expect, test } from 'vitest'
import { footage, play } from '../../../../tests/fixtures/footage.ts'
import { OpenSegments } from './open-segments.ts'
import { filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import { diskFiles, type SegmentFiles } from './segment-file.ts'
import { SegmentReader } from './segment-reader.ts'

afterAll(removeTemporaryFolders)

/** Footage that is recorded as far as it is asked for, and how often its files were read. */
async function arrange() {
  const set = await stage()
  const clip = footage('main.h264')
  const units = [...play([clip], { seconds: 40, wallClock: TEN_THIRTY })]
  set.hub.publish({ kind: 'tracks', tracks: [clip.track] })
  let reads = 0
  const files: SegmentFiles = {
    ...diskFiles((read) => {
      reads++
      return read()
    }),
    unclosed: new OpenSegments(),
  }
  const open = async (with_: SegmentFiles = files) => {
    const [path = ''] = await filesBelow(set.store)
    reads = 0
    await using reader = await SegmentReader.open(path, undefined, with_)
    return { parts: [...reader.parts], end: reader.end, reads }
  }
  const record = (from: number, till: number) => {
    for (const { track, unit } of units)
      if (unit.time >= from * 90_000 && unit.time < till * 90_000) set.hub.publish({ kind: 'unit', track, unit })
  }
  const untilParts = (count: number) =>
    expect.poll(async () => (await open(diskFiles()).catch(() => undefined))?.parts.length ?? 0).toBeGreaterThan(count)
  return { set, open, record, untilParts }
}

test('who opens a segment again that is being written reads what was added since, and finds the same parts', async () => {
  const { set, open, record, untilParts } = await arrange()
  record(0, 20)
  await untilParts(15)
  const first = await open()
  const again = await open()
  expect(again.parts).toEqual(first.parts)
  expect(first.reads - again.reads).toBe(first.parts.length)
  record(20, 40)
  await untilParts(first.parts.length + 15)
  const grown = await open()
  expect(grown.parts).toEqual((await open(diskFiles())).parts)
  expect(grown.parts.length).toBeGreaterThan(first.parts.length)
  await set.stop()
})

test('once it is closed, its INDEX counts', async () => {
  const { set, open, record, untilParts } = await arrange()
  record(0, 20)
  await untilParts(15)
  const { end } = await open()
  await set.stop()
  const closed = await open()
  expect([end, closed.end]).toEqual([undefined, expect.anything()])
  expect(closed.parts).toEqual((await open(diskFiles())).parts)
})
