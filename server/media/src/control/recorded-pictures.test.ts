import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedPictureQuestion } from '@sightline/contract/media-plane'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { type Decoder, ffmpegDecoder, findFfmpeg } from '../decoder/index.ts'
import { readAtOnce } from '../playback/read-queue.ts'
import type { KeyFinder } from '../recording/index.ts'
import { CAMERA, newDayKeys, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { PictureCache } from './picture-cache.ts'
import { recordedPictures } from './recorded-pictures.ts'

afterAll(removeTemporaryFolders)

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the decoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const withDecoder = test.skipIf(ffmpeg === '')

const clip = new URL('../../../../tests/fixtures/footage/main.h264', import.meta.url).pathname
const { accountId, cameraId } = CAMERA
const SECOND = 1000

/** Recorded: eight seconds, a gap of one minute, eight seconds. */
async function recorded(dayKey?: ReturnType<typeof newDayKeys>): Promise<{ store: string }> {
  const set = await stage(dayKey === undefined ? {} : { dayKey })
  set.show(...playTracks([footage('main.h264')], { seconds: 8, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks([footage('main.h264')], { seconds: 8, wallClock: TEN_THIRTY + 68 * SECOND }))
  await set.stop()
  return { store: set.store }
}

/** A decoder that counts: its pictures name what it was asked for. */
function countingDecoder() {
  const drawn: string[] = []
  const draw = (kind: string): Decoder['toJpeg'] => {
    return async ({ units, shown }) => {
      drawn.push(`${kind} ${units.length} ${shown}`)
      return Buffer.from(kind)
    }
  }
  return { drawn, toJpeg: draw('clear'), toBlurredJpeg: draw('blurred') }
}

interface Given {
  readonly store: string
  readonly decoder?: Decoder | undefined
  readonly keys?: KeyFinder
}

const picturesOf = ({ store, decoder, keys }: Given) =>
  recordedPictures({ store, decoder, keys, reads: readAtOnce, now: () => TEN_THIRTY + 3_600_000 })

const question = (seconds: number, format: RecordedPictureQuestion['format'] = 'jpeg') => ({
  accountId,
  cameraId,
  at: TEN_THIRTY + seconds * SECOND,
  format,
})

/** 320 × 180 grey bytes of the first picture that ffmpeg finds there. */
function greyOf(args: readonly string[], input?: Uint8Array): Buffer {
  const gray = ['-vf', 'scale=320:180,format=gray', '-frames:v', '1', '-f', 'rawvideo', 'pipe:1']
  const filter = args.includes('-vf') ? gray.slice(2) : gray
  const { stdout, status, stderr } = spawnSync(ffmpeg, ['-loglevel', 'error', ...args, ...filter], {
    input: input ?? Buffer.alloc(0),
    maxBuffer: 1 << 24,
  })
  if (status !== 0) throw new Error(stderr.toString())
  return stdout
}

const framesOfClip = (index: number) =>
  greyOf(['-i', clip, '-vf', `select=eq(n\\,${index}),scale=320:180,format=gray`, '-vsync', 'passthrough'])

function difference(one: Buffer, other: Buffer): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0))
  return sum / one.length
}

describe('the picture of a time in the footage', () => {
  withDecoder('is exactly the one that was shown then, also between two key pictures', async () => {
    const pictures = picturesOf({ ...(await recorded()), decoder: ffmpegDecoder(ffmpeg) })
    const answer = await pictures.take(question(3.7))
    if (answer.kind !== 'picture') throw new Error(answer.kind)
    expect(answer).toMatchObject({ contentType: 'image/jpeg', takenAt: TEN_THIRTY + 92 * 40 })
    const got = greyOf(['-f', 'mjpeg', '-i', 'pipe:0'], answer.bytes)
    const wanted = difference(got, framesOfClip(92))
    expect(wanted).toBeLessThan(3)
    for (const other of [75, 91, 93]) expect(difference(got, framesOfClip(other))).toBeGreaterThan(wanted)
  })

  test('is decoded with all pictures that it depends on, once for all who ask, clear and blurred apart', async () => {
    const decoder = countingDecoder()
    const pictures = picturesOf({ ...(await recorded()), decoder })
    const clear = await Promise.all([pictures.take(question(3.7)), pictures.take(question(3.7))])
    for (const answer of clear) expect(answer).toMatchObject({ kind: 'picture', bytes: Buffer.from('clear') })
    const blurred = await pictures.take(question(3.7, 'blurredJpeg'))
    expect(blurred).toMatchObject({ kind: 'picture', bytes: Buffer.from('blurred') })
    await pictures.take(question(3.7))
    expect(decoder.drawn).toEqual(['clear 43 42', 'blurred 43 42'])
  })

  test('is a key picture as one MP4 sample without a decoder, and a JPEG is refused then', async () => {
    const pictures = picturesOf(await recorded())
    expect(await pictures.take(question(3.7, 'mp4'))).toMatchObject({
      contentType: 'video/mp4',
      takenAt: TEN_THIRTY + 2 * SECOND,
    })
    expect(await pictures.take(question(3.7))).toEqual({ kind: 'noDecoder' })
    expect(await pictures.take(question(3.7, 'blurredJpeg'))).toEqual({ kind: 'noDecoder' })
  })

  test("isn't one of another time: in a gap there is none, and just before footage the first", async () => {
    const pictures = picturesOf({ ...(await recorded()), decoder: countingDecoder() })
    for (const seconds of [-3, 8.5, 40, 65, 80]) {
      expect(await pictures.take(question(seconds)), `${seconds} s`).toEqual({ kind: 'noFootage' })
    }
    expect(await pictures.take(question(67))).toMatchObject({ takenAt: TEN_THIRTY + 68 * SECOND })
    expect(await pictures.take({ ...question(3), cameraId: cameraId + 1 })).toEqual({ kind: 'noFootage' })
  })

  test('is gone with the footage, also if it was decoded before', async () => {
    const { store } = await recorded()
    const pictures = picturesOf({ store, decoder: countingDecoder() })
    expect(await pictures.take(question(3))).toMatchObject({ kind: 'picture' })
    await rm(join(store, String(accountId)), { recursive: true })
    expect(await pictures.take(question(3))).toEqual({ kind: 'noFootage' })
  })

  test('of encrypted footage needs its key, also if it was decoded before', async () => {
    const dayKey = newDayKeys(Buffer.alloc(32, 1))
    const { store } = await recorded(dayKey)
    let isErased = false
    const keys = { find: async () => (isErased ? undefined : dayKey(TEN_THIRTY).key) }
    const pictures = picturesOf({ store, decoder: countingDecoder(), keys })
    expect(await pictures.take(question(3))).toMatchObject({ kind: 'picture' })
    isErased = true
    expect(await pictures.take(question(3))).toEqual({ kind: 'noFootage' })
    expect(await pictures.take(question(3, 'mp4'))).toEqual({ kind: 'noFootage' })
  })

  test("isn't sent clear if blurring fails, and is tried again", async () => {
    const decoder = { ...countingDecoder(), toBlurredJpeg: () => Promise.reject(new Error('ffmpeg ended with 1')) }
    const pictures = picturesOf({ ...(await recorded()), decoder })
    expect(await pictures.take(question(3, 'blurredJpeg'))).toEqual({ kind: 'timedOut' })
    expect(await pictures.take(question(3))).toMatchObject({ bytes: Buffer.from('clear') })
  })
})

test('kept pictures are bounded by their bytes: the one asked for least recently goes first', async () => {
  using cache = new PictureCache({ maxBytes: 3 * 1024 * 1024, lifeMs: 60_000 })
  const made: string[] = []
  const get = (key: string) =>
    cache.get(key, async () => {
      made.push(key)
      return { bytes: new Uint8Array(1024 * 1024), takenAt: 0 }
    })
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await get(key)
  expect(made).toEqual(['a', 'b', 'c', 'd', 'b'])
  expect(cache.bytes).toBe(3 * 1024 * 1024)
})
