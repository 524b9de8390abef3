import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, play, playTracks } from '../../../../tests/fixtures/footage.ts'
import { CAMERA, filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { scanSegment } from '../recording/segment-scan.ts'
import {
  findPicture,
  findPictureByOffset,
  findPreviousKeyPicture,
  openPlayback,
  type PlaybackMessage,
} from './index.ts'

afterAll(removeTemporaryFolders)

const clips = () => [footage('main.h264'), footage('tone16.aac')]

/** Recorded: half a minute, a gap of one minute, ten seconds. */
async function withGap(): Promise<{ store: string }> {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks(clips(), { seconds: 30, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks(clips(), { seconds: 10, wallClock: TEN_THIRTY + 90_000 }))
  await set.stop()
  return { store: set.store }
}

async function played(query: Omit<Parameters<typeof openPlayback>[0], 'stream'>): Promise<PlaybackMessage[]> {
  return await all(openPlayback({ stream: CAMERA, ...query }))
}

async function all(messages: AsyncIterable<PlaybackMessage>): Promise<PlaybackMessage[]> {
  const found: PlaybackMessage[] = []
  for await (const message of messages) found.push(message)
  return found
}

const partsOf = (messages: readonly PlaybackMessage[]) => messages.filter((message) => message.kind === 'part')
const picturesOf = (messages: readonly PlaybackMessage[]) =>
  partsOf(messages).flatMap((part) => part.samples.filter((sample) => sample.unit.kind === 'video'))

describe('playback from a given time', () => {
  test('starts with the key picture at or before it, and returns every picture and sound from there byte for byte', async () => {
    const { store } = await withGap()
    const messages = await played({ store, at: TEN_THIRTY + 13_700 })
    expect(messages[0]).toMatchObject({ kind: 'tracks', tracks: [{ width: 320 }, { codec: 'aac' }] })
    const [first] = partsOf(messages)
    expect(first).toMatchObject({ wallClock: TEN_THIRTY + 12_000, isKey: true, time: 12 * 90_000 })
    const sent = [...play([footage('main.h264')], { seconds: 30, wallClock: TEN_THIRTY })].slice(12 * 25)
    const got = picturesOf(messages).slice(0, sent.length)
    expect(got.map(({ unit }) => [unit.time, unit.wallClock, unit.isKey])).toEqual(
      sent.map(({ unit }) => [unit.time, unit.wallClock, unit.isKey]),
    )
    for (const [index, { unit }] of got.entries()) {
      expect(Buffer.concat(unit.units).equals(Buffer.concat(sent[index]?.unit.units ?? []))).toBe(true)
    }
  })

  test('continues across segments without a gap', async () => {
    const { store } = await withGap()
    const parts = partsOf(await played({ store, at: TEN_THIRTY })).filter(
      (part) => part.wallClock < TEN_THIRTY + 60_000,
    )
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1]
      if (next !== undefined) expect(next.time).toBe(part.time + part.duration)
    }
    expect(parts.reduce((sum, part) => sum + part.duration, 0)).toBe(30 * 90_000)
  })

  test('reports a gap and continues after it', async () => {
    const { store } = await withGap()
    const messages = await played({ store, at: TEN_THIRTY + 25_000 })
    expect(messages.filter(({ kind }) => kind === 'gap')).toEqual([
      { kind: 'gap', from: TEN_THIRTY + 30_000, till: TEN_THIRTY + 90_000 },
    ])
    expect(picturesOf(messages).at(-1)?.unit.wallClock).toBe(TEN_THIRTY + 99_960)
  })

  test('inside a gap reports what is missing and starts after it', async () => {
    const { store } = await withGap()
    const messages = await played({ store, at: TEN_THIRTY + 40_000 })
    expect(messages[1]).toEqual({ kind: 'gap', from: TEN_THIRTY + 40_000, till: TEN_THIRTY + 90_000 })
    expect(partsOf(messages)[0]).toMatchObject({ wallClock: TEN_THIRTY + 90_000, time: 0 })
  })

  test('before all footage starts with the first picture, and after all footage returns nothing', async () => {
    const { store } = await withGap()
    expect(partsOf(await played({ store, at: 0 }))[0]).toMatchObject({ wallClock: TEN_THIRTY })
    expect(await played({ store, at: TEN_THIRTY + 200_000 })).toEqual([])
    expect(await played({ store: `${store}/nowhere`, at: 0 })).toEqual([])
  })

  test('reports new tracks when the camera changed them', async () => {
    const set = await stage()
    set.show(...playTracks([footage('main.h264')], { seconds: 4, wallClock: TEN_THIRTY }))
    set.show(...playTracks([footage('high.h264')], { seconds: 4, wallClock: TEN_THIRTY + 4000, time: 360_000 }))
    await set.stop()
    const messages = await played({ store: set.store, at: TEN_THIRTY })
    expect(messages.filter(({ kind }) => kind !== 'part').map((message) => message.kind)).toEqual(['tracks', 'tracks'])
    expect(picturesOf(messages)).toHaveLength(200)
  })

  test('with key pictures only returns each until the next', async () => {
    const { store } = await withGap()
    const parts = partsOf(await played({ store, at: TEN_THIRTY, pictures: 'keys' }))
    expect(parts).toHaveLength(15 + 5)
    for (const { samples, duration } of parts) {
      expect(samples).toMatchObject([{ duration: 180_000, unit: { isKey: true } }])
      expect(duration).toBe(180_000)
    }
  })
})

describe('a segment that is being written', () => {
  test('is played up to its last complete part, and further as it grows', async () => {
    const set = await stage()
    const units = [...play(clips(), { seconds: 20, wallClock: TEN_THIRTY })]
    set.hub.publish({ kind: 'tracks', tracks: clips().map((clip) => clip.track) })
    const publish = (from: number, till: number) => {
      for (const { track, unit } of units) {
        if (unit.time >= from * 90_000 && unit.time < till * 90_000) set.hub.publish({ kind: 'unit', track, unit })
      }
    }
    publish(0, 10)
    await expect
      .poll(async () => partsOf(await played({ store: set.store, at: TEN_THIRTY })).length)
      .toBeGreaterThan(10)
    const stopped = new AbortController()
    const found: PlaybackMessage[] = []
    const following = (async () => {
      const query = { store: set.store, stream: CAMERA, at: TEN_THIRTY, waitMs: 10_000, signal: stopped.signal }
      for await (const message of openPlayback(query)) {
        found.push(message)
        if (picturesOf(found).length === 500) stopped.abort()
      }
    })()
    await sleep(300)
    publish(10, 20)
    await set.stop()
    await following
    expect(picturesOf(found).map(({ unit }) => unit.time)).toEqual(Array.from({ length: 500 }, (_, i) => i * 3600))
  })

  test('is followed by the next segment', async () => {
    const set = await stage({ segmentMs: 4000 })
    const following = all(openPlayback({ store: set.store, stream: CAMERA, at: TEN_THIRTY, waitMs: 1500 }))
    set.show(...playTracks(clips(), { seconds: 12, wallClock: TEN_THIRTY }))
    await set.stop()
    expect(picturesOf(await following)).toHaveLength(300)
  })
})

describe('damage', () => {
  test('to a part is reported, and dependent pictures are skipped up to the next key picture', async () => {
    const { store } = await withGap()
    const [path = ''] = (await filesBelow(store)).slice(1, 2)
    const { parts } = await scanSegment(path)
    const hit = parts.findIndex((part, index) => index > 0 && part.isKey)
    const bytes = await readFile(path)
    const at = (parts[hit]?.offset ?? 0) + 900
    await writeFile(path, bytes.with(at, (bytes[at] ?? 0) ^ 4))
    const messages = await played({ store, at: TEN_THIRTY })
    const next = parts.find((part, index) => index > hit && part.isKey)
    expect(messages.filter(({ kind }) => kind === 'damaged')).toMatchObject([
      { from: parts[hit]?.wallClock, till: next?.wallClock },
    ])
    expect(picturesOf(messages)).toHaveLength(40 * 25 - 50)
  })

  test('to a whole file is reported, and playback continues with the next', async () => {
    const { store } = await withGap()
    const [, path = ''] = await filesBelow(store)
    const { parts } = await scanSegment(path)
    await writeFile(path, 'no segment')
    const messages = await played({ store, at: TEN_THIRTY })
    expect(messages.map(({ kind }) => kind)).toContain('damaged')
    const lost = parts.reduce((sum, part) => sum + part.pictures, 0)
    expect(picturesOf(messages)).toHaveLength(40 * 25 - lost)
  })

  test("isn't reported for a file that retention deleted meanwhile: that is a gap", async () => {
    const { store } = await withGap()
    const [, path = ''] = await filesBelow(store)
    const { parts } = await scanSegment(path)
    await rm(path)
    const messages = await played({ store, at: TEN_THIRTY })
    expect(messages.filter(({ kind }) => kind === 'gap')[0]).toMatchObject({ from: parts[0]?.wallClock })
  })
})

describe('two recordings of the same time', () => {
  test("after the clock was set back aren't played twice: the run continues, then what follows it", async () => {
    const set = await stage({ segmentMs: 5000 })
    set.show(...playTracks(clips(), { seconds: 20, wallClock: TEN_THIRTY }))
    set.lose('clock')
    set.show(...playTracks(clips(), { seconds: 30, wallClock: TEN_THIRTY + 6000 }))
    await set.stop()
    const times = picturesOf(await played({ store: set.store, at: TEN_THIRTY })).map(({ unit }) => unit.wallClock)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(times).size).toBe(times.length)
    expect(times.at(-1)).toBe(TEN_THIRTY + 35_960)
    expect(Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toBeLessThanOrEqual(2040)
  })
})

/** Steps from the picture at a given time. */
async function stepped(footageOf: { store: string; stream: typeof CAMERA }, at: number, frames: number) {
  const shown = await findPicture(footageOf, at)
  return shown && (await findPictureByOffset(footageOf, shown, frames))
}

describe('single pictures', () => {
  test('the picture of a time is the last one that began by then', async () => {
    const { store } = await withGap()
    const at = TEN_THIRTY + 13_730
    expect(await findPicture({ store, stream: CAMERA }, at)).toMatchObject({ wallClock: TEN_THIRTY + 13_720 })
    expect(await findPicture({ store, stream: CAMERA }, TEN_THIRTY + 50_000)).toMatchObject({
      wallClock: TEN_THIRTY + 90_000,
    })
  })

  test.each([
    [1, 13_760],
    [-1, 13_680],
    [25, 14_720],
    [-100, 9720],
    [-10_000, 0],
    [0, 13_720],
  ])('%i pictures further is at %i ms', async (frames, expected) => {
    const { store } = await withGap()
    const found = await stepped({ store, stream: CAMERA }, TEN_THIRTY + 13_720, frames)
    expect(found?.wallClock).toBe(TEN_THIRTY + expected)
  })

  test('stepping uses the time of the run, so that jitter repeats or skips no part', async () => {
    const set = await stage()
    const [tracks, units] = playTracks([footage('main.h264')], { seconds: 8, wallClock: TEN_THIRTY })
    const jittered = [...units].map(({ track, unit }, n) => ({
      track,
      unit: { ...unit, wallClock: unit.wallClock - (Math.floor(n / 20) % 2) * 90 },
    }))
    set.show(tracks, jittered)
    await set.stop()
    const footageOf = { store: set.store, stream: CAMERA }
    const wanted = Array.from({ length: 120 }, (_, number) => number * 3600)
    const forth = [await findPicture(footageOf, TEN_THIRTY)]
    for (const _ of wanted.slice(1)) {
      const last = forth.at(-1)
      forth.push(last && (await findPictureByOffset(footageOf, last, 1)))
    }
    expect(forth.map((picture) => picture?.time)).toEqual(wanted)
    const back = forth.slice(-1)
    for (const _ of wanted.slice(1)) {
      const last = back.at(-1)
      back.push(last && (await findPictureByOffset(footageOf, last, -1)))
    }
    expect(back.toReversed()).toEqual(forth)
  })

  test('stepping crosses a gap in both directions', async () => {
    const { store } = await withGap()
    const footageOf = { store, stream: CAMERA }
    expect((await stepped(footageOf, TEN_THIRTY + 29_960, 1))?.wallClock).toBe(TEN_THIRTY + 90_000)
    expect((await stepped(footageOf, TEN_THIRTY + 90_000, -1))?.wallClock).toBe(TEN_THIRTY + 29_960)
  })

  test('the key picture before a given time is before it, even in the previous segment', async () => {
    const { store } = await withGap()
    const footageOf = { store, stream: CAMERA }
    expect(await findPreviousKeyPicture(footageOf, TEN_THIRTY + 4000)).toBe(TEN_THIRTY + 2000)
    expect(await findPreviousKeyPicture(footageOf, TEN_THIRTY + 4001)).toBe(TEN_THIRTY + 4000)
    expect(await findPreviousKeyPicture(footageOf, TEN_THIRTY + 90_000)).toBe(TEN_THIRTY + 28_000)
    expect(await findPreviousKeyPicture(footageOf, TEN_THIRTY)).toBeUndefined()
  })
})
