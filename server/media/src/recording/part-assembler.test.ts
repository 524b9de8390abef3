import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type FootageTrack, footage, play, playTracks } from '../../../../tests/fixtures/footage.ts'
import { type Part, PartAssembler } from './part-assembler.ts'
import { filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from './recording-stage.ts'
import { scanSegment } from './segment-scan.ts'

afterAll(removeTemporaryFolders)

function assembled(clips: readonly FootageTrack[], seconds: number): readonly Part[] {
  const parts = new PartAssembler(clips.map((clip) => clip.track))
  const closed = [...play(clips, { seconds, wallClock: 0 })].map(({ track, unit }) => parts.add(track, unit))
  return [...closed, parts.flush(0)].filter((part) => part !== undefined)
}

describe('parts', () => {
  test('follow each other without a gap and contain every unit once', () => {
    const clips = [footage('main.h264'), footage('tone16.aac')]
    const parts = assembled(clips, 10)
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1]
      if (next !== undefined) expect(next.time).toBe(part.time + part.duration)
    }
    expect(parts.flatMap((part) => part.samples)).toHaveLength([...play(clips, { seconds: 10, wallClock: 0 })].length)
  })

  test('begin at key pictures and end before the next, however short', () => {
    const every = { ...footage('main.h264'), frames: footage('main.h264').frames.slice(0, 1) }
    const parts = assembled([every], 1)
    expect(parts).toHaveLength(25)
    expect(parts.every((part) => part.isKey && part.pictures === 1 && part.duration === 3600)).toBe(true)
  })

  test('with only sound are cut by time', () => {
    const parts = assembled([footage('tone16.aac')], 5)
    expect(parts.every((part) => part.isKey && part.duration <= 90_000)).toBe(true)
    expect(parts.reduce((sum, part) => sum + part.duration, 0)).toBe(79 * 5760)
  })

  test('give the last sound the duration from its codec', () => {
    const part = assembled([footage('main.h264'), footage('tone44.aac')], 0.5)[0]
    const last = part?.samples.findLast((sample) => sample.track === 1)
    expect(last?.duration).toBe(2090)
  })
})

test('pictures of a camera with a very low frame rate are on disk within a second, without waiting for the next one', async () => {
  const set = await stage()
  const slow = { ...footage('main.h264'), frameTicks: 5 * 90_000 }
  const [tracks, units] = playTracks([slow], { seconds: 15, wallClock: TEN_THIRTY })
  const [first, second] = [...units]
  set.hub.publish({ kind: 'tracks', tracks })
  for (const [index, one] of [first, second].entries()) {
    if (one !== undefined) set.hub.publish({ kind: 'unit', ...one })
    await expect
      .poll(
        async () =>
          (await Promise.all((await filesBelow(set.store)).map((path) => scanSegment(path))))[0]?.parts.length,
        {
          timeout: 1500,
        },
      )
      .toBe(index + 1)
  }
  await sleep(10)
  await set.stop()
  const [path = ''] = await filesBelow(set.store)
  expect((await scanSegment(path)).parts.map((part) => [part.time, part.pictures])).toEqual([
    [0, 1],
    [450_000, 1],
  ])
})
