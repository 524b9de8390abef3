/**
 * Streams that refresh gradually: x264 and x265 encoded them, from the second picture on without a key picture; ffmpeg
 * and Chromium judge what decodes from a recovery point. The recovery points of H.265 were added to the file, because x265 announces none.
 */
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { makeGreyStart } from '../../server/media/src/codec/index.ts'
import { readCodedPicture } from '../../server/media/src/control/coded-picture.ts'
import { ffmpegDecoder } from '../../server/media/src/decoder/index.ts'
import type { AccessUnit } from '../../server/media/src/frame/index.ts'
import { createHub } from '../../server/media/src/hub/index.ts'
import { HeldStart } from '../../server/media/src/output/held-start.ts'
import { findPicture, openPlayback, type PlayedPart } from '../../server/media/src/playback/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../../server/media/src/recording/recording-stage.ts'
import { chromiumPath, openBrowser } from '../browser.ts'
import { type FootageTrack, footage, play } from '../fixtures/footage.ts'

afterAll(removeTemporaryFolders)

const clips = ['gradual.h264', 'gradual.hevc'] as const

/** The clip from its second recovery point on: the camera sends no key picture. */
function withoutKeys(clip: (typeof clips)[number]): FootageTrack {
  const whole = footage(clip)
  return { ...whole, frames: whole.frames.slice(20) }
}

/** x264 promises the very same picture; x265 leaves small differences. */
const MOST_DIFFERENT = { 'gradual.h264': 0, 'gradual.hevc': 25 }
const PIXELS = 160 * 120
const START_CODE = Buffer.of(0, 0, 0, 1)
const videoOf = (parts: readonly PlayedPart[]): AccessUnit[] =>
  parts.flatMap(({ samples }) => samples.map(({ unit }) => unit)).filter(({ kind }) => kind === 'video')

/** Pixels of each decoded picture, also of those that aren't whole; behind a grey picture if that can be made, as in players. */
function decodedBy({ track }: FootageTrack, units: readonly AccessUnit[]): Buffer[] {
  if (track.kind !== 'video') throw new Error('no video')
  const grey = units[0] && makeGreyStart(units[0], track)
  const sent = [...track.parameterSets, ...(grey?.units ?? []), ...units.flatMap((unit) => unit.units)]
  const input = Buffer.concat(sent.flatMap((unit) => [START_CODE, unit]))
  const args = ['-v', 'error', '-flags2', '+showall', '-f', track.codec === 'h264' ? 'h264' : 'hevc', '-i', 'pipe:0']
  const output = ['-vsync', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  const { stdout } = spawnSync('ffmpeg', [...args, ...output], { input, maxBuffer: 64 * 1024 * 1024 })
  const pictures = Array.from({ length: stdout.length / PIXELS }, (_, at) =>
    stdout.subarray(at * PIXELS, (at + 1) * PIXELS),
  )
  return grey === undefined ? pictures : pictures.slice(1)
}

/** Mean square of the differences of two pictures. */
function difference(a: Buffer | undefined, b: Buffer | undefined): number {
  let sum = 0
  for (let at = 0; at < PIXELS; at++) sum += ((a?.[at] ?? 0) - (b?.[at] ?? 255)) ** 2
  return sum / PIXELS
}

const unitsOf = (source: FootageTrack): AccessUnit[] =>
  [...play([source], { seconds: source.frames.length / 10, wallClock: TEN_THIRTY })].map(({ unit }) => unit)

/** All pictures of the clip behind its first 20, decoded from its only key picture. */
const wholePictures = (clip: (typeof clips)[number]): Buffer[] =>
  decodedBy(footage(clip), unitsOf(footage(clip))).slice(20)

async function recorded(clip: (typeof clips)[number]) {
  const set = await stage({ segmentMs: 4000 })
  const source = withoutKeys(clip)
  set.show([source.track], [...play([source], { seconds: 10, wallClock: TEN_THIRTY })])
  await set.stop()
  return { store: set.store, source }
}

async function played(store: string, at: number): Promise<PlayedPart[]> {
  const parts: PlayedPart[] = []
  for await (const message of openPlayback({ store, stream: CAMERA, at }))
    if (message.kind === 'part') parts.push(message)
  return parts
}

test.each(clips)('%s: recording begins and segments rotate at recovery points', async (clip) => {
  const { store, source } = await recorded(clip)
  const parts = await played(store, TEN_THIRTY)
  const pictures = videoOf(parts)
  expect(pictures).toHaveLength(100)
  for (const [at, { units }] of pictures.entries())
    expect(Buffer.concat(units).equals(Buffer.concat([...(source.frames[at]?.units ?? [])]))).toBe(true)
  expect(parts.filter(({ isKey }) => isKey).map(({ wallClock }) => wallClock - TEN_THIRTY)).toEqual(
    [0, 2, 4, 6, 8].map((second) => second * 1000),
  )
})

test.each(clips)(
  '%s: playback begins so early that the wanted picture is whole, in the segment before too',
  async (clip) => {
    const { store, source } = await recorded(clip)
    const wanted = wholePictures(clip)
    for (const second of [4.1, 4.5, 5.9, 7.3, 8.2]) {
      const pictures = videoOf(await played(store, TEN_THIRTY + second * 1000))
      const first = (pictures[0]?.time ?? 0) / 9000
      const index = Math.round(second * 10)
      expect(first).toBeLessThanOrEqual(index - (pictures[0]?.recovery ?? 0))
      const seen = decodedBy(source, pictures)
      expect(seen).toHaveLength(100 - first)
      for (const [at, picture] of seen.slice(index - first).entries())
        expect(difference(picture, wanted[index + at]), `${second} s, ${at} later`).toBeLessThanOrEqual(
          MOST_DIFFERENT[clip],
        )
    }
  },
)

test('a picture of the footage is decoded from an earlier recovery point', async () => {
  const { store } = await recorded('gradual.h264')
  const place = await findPicture({ store, stream: CAMERA }, TEN_THIRTY + 4500)
  if (place === undefined) throw new Error('no picture')
  expect(place.wallClock).toBe(TEN_THIRTY + 4500)
  const coded = await readCodedPicture({ store, stream: CAMERA }, place)
  if (coded === undefined) throw new Error('no coded picture')
  expect(coded.units.length).toBeGreaterThan(8)
  expect((await ffmpegDecoder('ffmpeg').toJpeg(coded)).subarray(0, 2)).toEqual(Buffer.of(0xff, 0xd8))
  const early = await findPicture({ store, stream: CAMERA }, TEN_THIRTY + 500)
  expect(early && (await readCodedPicture({ store, stream: CAMERA }, early)), 'not whole yet').toBeUndefined()
})

test('a viewer who joins gets a whole picture at once, once there was one', async () => {
  const source = withoutKeys('gradual.h264')
  using hub = createHub()
  hub.publish({ kind: 'tracks', tracks: [source.track] })
  const units = unitsOf(source)
  for (const unit of units.slice(0, 63)) hub.publish({ kind: 'unit', unit, track: 0 })
  const reader = hub.join({ maxQueuedBytes: 1_000_000, start: 'running-gop' })
  const held = new HeldStart(source.track)
  let shown: AccessUnit | undefined
  for (let message = reader.take(); message; message = reader.take())
    if (message.kind === 'unit') shown ??= held.add(message.unit, 0)?.shown
  reader.leave()
  expect(shown?.time).toBe(48 * 9000)
  expect(hub.latestKeyPicture()).toMatchObject({ unit: { time: 60 * 9000 }, lead: { length: 20 } })
})

test('whole pictures are behind each recovery point, whatever its number', () => {
  const source = withoutKeys('gradual.h264')
  const units = unitsOf(source)
  const wanted = wholePictures('gradual.h264')
  for (const start of [0, 20, 40, 60, 80]) {
    expect(units[start]?.recovery).toBe(8)
    const seen = decodedBy(source, units.slice(start))
    const isWhole = seen.map((picture, at) => difference(picture, wanted[start + at]) === 0)
    expect(isWhole).toEqual(seen.map((_, at) => at >= 8))
  }
})

test.runIf(chromiumPath !== undefined)('Chromium decodes from a recovery point behind a grey picture', async () => {
  const source = withoutKeys('gradual.h264')
  const units = unitsOf(source)
  const grey = units[0] && makeGreyStart(units[0], source.track)
  if (grey === undefined || source.track.kind !== 'video') throw new Error('no grey picture')
  const server = createServer((_, reply) => void reply.end('<!doctype html><title>test</title>')).listen(0)
  await using browser = await openBrowser()
  const { page } = await browser.newPage()
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  const chunks = [grey, ...units].map(({ units: nals }) =>
    Buffer.concat(nals.flatMap((nal) => [START_CODE, nal])).toString('base64'),
  )
  const sets = Buffer.concat(source.track.parameterSets.flatMap((set) => [START_CODE, set])).toString('base64')
  const count = (from: number) =>
    page.evaluate(decodeAll, { codec: source.track.codecString, sets, chunks: chunks.slice(from) })
  expect(await count(0)).toBe(chunks.length)
  expect(await count(1), 'without it').toBe('DataError')
  server.close()
})

/** In the browser: how many pictures come out, or why none. */
async function decodeAll({
  codec,
  sets,
  chunks,
}: {
  codec: string
  sets: string
  chunks: readonly string[]
}): Promise<number | string> {
  let pictures = 0
  const decoder = new VideoDecoder({
    output: (frame) => {
      pictures++
      frame.close()
    },
    error: () => undefined,
  })
  decoder.configure({ codec, optimizeForLatency: true })
  const bytesOf = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  try {
    for (const [at, chunk] of chunks.entries()) {
      const data = bytesOf(chunk)
      const all = at === 0 ? Uint8Array.from([...bytesOf(sets), ...data]) : data
      decoder.decode(new EncodedVideoChunk({ type: at === 0 ? 'key' : 'delta', timestamp: at, data: all }))
    }
    await decoder.flush()
    return pictures
  } catch (error) {
    return error instanceof DOMException ? error.name : String(error)
  }
}
