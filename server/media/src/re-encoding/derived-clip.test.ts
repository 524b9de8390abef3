import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportContent } from '@sightline/contract/footage-proof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FootageTrack, footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { type ClipPlan, planClip } from '../clips/index.ts'
import { g711Track } from '../codec/index.ts'
import { findFfmpeg, type PictureEncoderOptions, readEncodingAbilities, startPictureEncoder } from '../decoder/index.ts'
import { CAMERA, removeTemporaryFolders, stage } from '../recording/recording-stage.ts'
import { DerivedClip } from './derived-clip.ts'
import { type DrawnText, escapeText, overlayScript, zoneClock } from './overlay-script.ts'

afterAll(removeTemporaryFolders)

// biome-ignore lint/style/noProcessEnv: a test has no composition root; the encoder is the machine's
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const { pictures } = await readEncodingAbilities(ffmpeg === '' ? undefined : ffmpeg)
const RATE = 8000

/** When clocks in Berlin go back from 03:00 to 02:00. */
const CHANGE = Date.UTC(2026, 9, 25, 1)
const BEGIN = CHANGE - 8000

/** Two seconds: silence, with a beep of 1 kHz from second 1 on for 100 ms. */
function beeps(): FootageTrack {
  const codeOf = (at: number) => (at >= RATE && at < RATE * 1.1 ? ([0xaa, 0x2a][(at >> 2) & 1] ?? 0) : 0xd5)
  const frames = Array.from({ length: 100 }, (_, frame) => ({
    units: [Uint8Array.from({ length: 160 }, (_, at) => codeOf(frame * 160 + at))],
    isKey: true,
  }))
  return { track: g711Track('pcma', 1), frames, frameTicks: 1800 }
}

interface Recorded {
  readonly store: string
  readonly from: number
  readonly till: number
}

/** Ten seconds, a gap of half a minute, six seconds. */
async function recorded(): Promise<Recorded> {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264'), beeps()], { seconds: 10, wallClock: BEGIN }))
  set.lose('silent')
  set.show(...playTracks([footage('main.h264'), beeps()], { seconds: 6, wallClock: BEGIN + 40_000 }))
  await set.stop()
  return { store: set.store, from: BEGIN + 3200, till: BEGIN + 45_000 }
}

async function planned({ store, from, till }: Recorded, sound: 'kept' | 'left-out' = 'kept'): Promise<ClipPlan> {
  const query = { store, stream: CAMERA, from, till, sound, keepsAllSound: true }
  return (await planClip(query)) ?? expect.fail('no footage')
}

interface Made {
  readonly bytes: Buffer
  readonly content: ExportContent
  readonly path: string
}

async function made(
  of: Recorded,
  { logo, speed, ...text }: DrawnText & { readonly logo?: Buffer; readonly speed?: number },
  sound: 'kept' | 'left-out' = 'kept',
): Promise<Made> {
  const start = (options: Omit<PictureEncoderOptions, 'ffmpeg'>) => startPictureEncoder({ ...options, ffmpeg })
  const clip = new DerivedClip(await planned(of, sound), { ...of, stream: CAMERA }, { text, logo, speed, start })
  const chunks: Uint8Array[] = []
  for await (const chunk of clip.chunks()) chunks.push(Uint8Array.from(chunk))
  const path = join(of.store, '..', `derived-${Math.random()}.mp4`)
  const bytes = Buffer.concat(chunks)
  await writeFile(path, bytes)
  return { bytes, content: clip.content(), path }
}

/** The picture that is shown at a time, grey, and how wide it is. */
function pictureAt(path: string, seconds: number, size: string): Buffer {
  const [width, height] = size.split('x')
  const out = ['-frames:v', '1', '-vf', `scale=${width}:${height}`, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
  return execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-ss', String(seconds), ...out], { maxBuffer: 1e9 })
}

/** How different two pictures are in a part of them, 0-255. */
function difference(
  a: Buffer,
  b: Buffer,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number {
  let sum = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) sum += Math.abs((a[y * 320 + x] ?? 0) - (b[y * 320 + x] ?? 0))
  return sum / ((right - left) * (bottom - top))
}
const SIZE = '320x180'
const BOTTOM_LEFT = [0, 165, 150, 180] as const
const MIDDLE = [60, 70, 260, 110] as const
const TOP = [0, 0, 320, 40] as const

/** Dark red, four times as wide as high; its right half is transparent. */
const LOGO = execFileSync('ffmpeg', [
  ...[
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    "color=0x400000:s=200x50,format=rgba,geq=r='r(X,Y)':g=0:b=0:a='if(lt(X,100),255,0)'",
  ],
  ...['-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', 'pipe:1'],
])
/** In a picture of 320x180: the colored half, the transparent half, and all with its plate. */
const COLORED = [262, 164, 284, 172] as const
const CLEAR = [292, 164, 312, 172] as const
const LEFT_OF_LOGO = [0, 100, 255, 180] as const
const ABOVE_LOGO = [160, 0, 320, 155] as const

/** The mean of a part of a picture, 0-255. */
const brightness = (picture: Buffer, part: readonly [number, number, number, number]): number =>
  difference(picture, Buffer.alloc(picture.length), part)

describe.skipIf(!pictures)('a clip with text in its pictures', () => {
  let of: Recorded
  let plain: Made
  let labelled: Made
  let marked: Made
  const overlay = { cameraName: 'Front door', timeZone: 'Europe/Berlin' }
  beforeAll(async () => {
    of = await recorded()
    plain = await made(of, { overlay: undefined, watermark: undefined })
    labelled = await made(of, { overlay, watermark: undefined })
    marked = await made(of, { overlay: undefined, watermark: 'COPY FOR ACME' })
  }, 60_000)

  test('has name and clock at the bottom left, and nothing else is touched', () => {
    const [before, after] = [pictureAt(plain.path, 2, SIZE), pictureAt(labelled.path, 2, SIZE)]
    expect(difference(before, after, BOTTOM_LEFT)).toBeGreaterThan(20)
    expect(difference(before, after, TOP)).toBeLessThan(3)
    // Another second, another text.
    const [one, next] = [2.3, 3.3].map((time) => pictureAt(labelled.path, time, SIZE)) as [Buffer, Buffer]
    expect(difference(one, next, BOTTOM_LEFT)).toBeGreaterThan(0.5)
  })

  test('has the logo at the bottom right, on a light plate, and nothing else is touched', async () => {
    const branded = await made(of, { overlay: undefined, watermark: undefined, logo: LOGO })
    const [before, after] = [pictureAt(plain.path, 2, SIZE), pictureAt(branded.path, 2, SIZE)]
    expect(difference(before, after, LEFT_OF_LOGO)).toBeLessThan(3)
    expect(difference(before, after, ABOVE_LOGO)).toBeLessThan(3)
    expect(brightness(after, COLORED)).toBeLessThan(60)
    // Half of white, and half of what is behind it.
    const behind = brightness(before, CLEAR)
    expect(Math.abs(brightness(after, CLEAR) - (behind + 235) / 2)).toBeLessThan(12)
    // It stays to the end, also after the gap.
    expect(brightness(pictureAt(branded.path, 11, SIZE), COLORED)).toBeLessThan(60)
    expect(branded.content.derived).toEqual({ overlay: false, logo: true })
    expect(marked.content.derived).not.toHaveProperty('logo')
  })

  test.each([2, 4, 8, 16])(
    'at speed %i lasts that much shorter, without sound, and its parts say the time of the footage',
    async (speed) => {
      const fast = await made(of, { overlay, watermark: undefined, speed }, 'left-out')
      const entries = 'format=duration:stream=codec_name,avg_frame_rate,nb_read_packets'
      const probe = ['-v', 'error', '-count_packets', '-show_entries', entries, '-of', 'json', fast.path]
      const { streams, format } = JSON.parse(String(execFileSync('ffprobe', probe)))
      expect(streams).toHaveLength(1)
      expect(streams[0].codec_name).toBe('h264')
      // 6.8 s to the end of the first stretch, and 5 s of the second.
      expect(Math.abs(Number(format.duration) - 11.8 / speed)).toBeLessThan(0.1)
      expect(Number(streams[0].nb_read_packets)).toBeLessThanOrEqual(Math.ceil((11.8 / speed) * 33))
      expect(Number(streams[0].nb_read_packets)).toBeGreaterThanOrEqual(Math.floor((11.8 / speed) * 20))
      const { content } = fast
      expect(content.derived).toEqual({ overlay: true, speed })
      expect(content.sound).toBe('leftOut')
      const parts = content.segments.flatMap((segment) => segment.parts)
      expect(Math.abs(parts.reduce((sum, part) => sum + part.duration, 0) / 90_000 - 11.8)).toBeLessThan(0.3)
      expect(parts[0]?.wallClock).toBe(of.from)
    },
  )

  test('a name that is long keeps off the logo', async () => {
    const long = { cameraName: 'Entrance of the warehouse '.repeat(4), timeZone: 'UTC' }
    const branded = await made(of, { overlay: undefined, watermark: undefined, logo: LOGO })
    const both = await made(of, { overlay: long, watermark: undefined, logo: LOGO })
    const [without, named] = [pictureAt(branded.path, 2, SIZE), pictureAt(both.path, 2, SIZE)]
    expect(difference(without, named, BOTTOM_LEFT)).toBeGreaterThan(10)
    expect(difference(without, named, [258, 160, 320, 180])).toBeLessThan(4)
  })

  test.each([
    ['no PNG', Buffer.from('GIF89a'), /not a PNG/],
    ['cut off', LOGO.subarray(0, 40), /could not be encoded/],
  ])('with a logo that is %s fails, instead of being made without it', async (_, logo, fault) => {
    await expect(made(of, { overlay: undefined, watermark: undefined, logo })).rejects.toThrow(fault)
  })

  test('has the watermark in the middle', () => {
    const [before, after] = [pictureAt(plain.path, 2, SIZE), pictureAt(marked.path, 2, SIZE)]
    expect(difference(before, after, MIDDLE)).toBeGreaterThan(4)
    expect(difference(before, after, TOP)).toBeLessThan(3)
  })

  test('lasts exactly the time that was asked for, and its sound is in step', () => {
    const probe = ['-v', 'error', '-show_entries', 'format=duration:stream=codec_name,start_time', '-of', 'json']
    const { streams, format } = JSON.parse(String(execFileSync('ffprobe', [...probe, labelled.path])))
    expect(streams.map(({ codec_name }: { codec_name: string }) => codec_name)).toEqual(['h264', 'aac'])
    // 6.8 s to the end of the first stretch and 5 s of the second, and what the decoder of sound needs before, which isn't heard.
    expect(Math.abs(Number(format.duration) - 11.8)).toBeLessThan(0.15)
    const out = ['-map', '0:a', '-af', 'aresample=8000:async=1:first_pts=0', '-ac', '1', '-f', 's16le', 'pipe:1']
    const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', labelled.path, ...out], { maxBuffer: 1e9 })
    const heard: number[] = []
    for (let at = 0, quiet = RATE; at < raw.length / 2; at++) {
      const isLoud = Math.abs(raw.readInt16LE(at * 2)) > 8000
      if (isLoud && quiet > RATE / 2) heard.push(at / RATE)
      quiet = isLoud ? 0 : quiet + 1
    }
    const expected = [5, 7, 9, 11, 13].map((second) => second - 3.2)
    // What is decoded before it is heard has times below 0.
    const before = Number(streams[1].start_time)
    expect(heard).toHaveLength(expected.length)
    for (const [index, at] of expected.entries()) expect(Math.abs((heard[index] ?? 0) + before - at)).toBeLessThan(0.04)
    expect(Number(streams[0].start_time)).toBe(0)
  })

  test('says that its pictures were re-encoded, and proves none of them as recorded', () => {
    const { content, bytes } = marked
    expect(content.derived).toEqual({ overlay: false, watermark: 'COPY FOR ACME' })
    expect(content.sound).toBe('replaced')
    const parts = content.segments.flatMap((segment) => segment.parts)
    expect(parts.every(({ without, digest }) => without === 'original' && digest === undefined)).toBe(true)
    expect(content.head.bytes + parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes.length)
    expect(content.gaps).toEqual([{ from: BEGIN + 10_000, till: BEGIN + 40_000, cause: null }])
    expect(content.held.from).toBe(of.from)
  })

  test('has no sound for those who may not hear it', async () => {
    const silent = await made(of, { overlay, watermark: undefined }, 'left-out')
    const probed = execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name',
      '-of',
      'csv=p=0',
      silent.path,
    ])
    expect(String(probed).trim()).toBe('h264')
    expect(silent.content.sound).toBe('leftOut')
  })

  test('of a name full of commands is made all the same, and leaves nothing on the disk', async () => {
    const cameraName = "a{\\b1}\\N%{pts}':;[x],/../../etc/passwd\n[Events]\nDialogue: 0"
    const { bytes } = await made(of, { overlay: { cameraName, timeZone: 'Asia/Tokyo' }, watermark: cameraName })
    expect(bytes.length).toBeGreaterThan(10_000)
    expect(readdirSync(tmpdir()).filter((name) => /^sightline-[0-9a-f]{24}$/.test(name))).toEqual([])
  })

  test('names the time of damaged footage, which isn’t in it, as a gap', async () => {
    const other = await recorded()
    const { pieces } = await planned(other)
    const { path, part } = pieces[4] ?? expect.fail('no fifth part')
    const file = await readFile(path)
    file.writeUInt8(file.readUInt8(part.offset + part.bytes - 9) ^ 1, part.offset + part.bytes - 9)
    await writeFile(path, file)
    const { content } = await made(other, { overlay: undefined, watermark: 'COPY' })
    const [damaged, missing, ...more] = content.gaps
    expect(damaged).toMatchObject({ from: part.wallClock, cause: 'damaged' })
    expect((damaged?.till ?? 0) - part.wallClock).toBeGreaterThan(500)
    expect([missing, ...more]).toEqual([{ from: BEGIN + 10_000, till: BEGIN + 40_000, cause: null }])
  })

  test('ends at once when it is cancelled, with its process', async () => {
    const stopping = new AbortController()
    let ended: Promise<unknown> | undefined
    const plan = await planned(of)
    const clip = new DerivedClip(
      plan,
      { ...of, stream: CAMERA, signal: stopping.signal },
      {
        text: { overlay, watermark: undefined },
        async start(options) {
          const encoder = await startPictureEncoder({ ...options, ffmpeg })
          ended = encoder.ended
          return encoder
        },
      },
    )
    const reading = (async () => {
      for await (const _ of clip.chunks()) stopping.abort()
    })()
    await expect(reading).rejects.toThrow()
    expect(await ended).toBe('')
  })
})

test('the clock tells both hours of a clock change apart, and every second once', async () => {
  const clock = zoneClock('Europe/Berlin')
  expect(clock(CHANGE - 1000)).toBe('2026-10-25 02:59:59 UTC+02:00')
  expect(clock(CHANGE)).toBe('2026-10-25 02:00:00 UTC+01:00')
  expect(zoneClock('Asia/Kathmandu')(CHANGE)).toBe('2026-10-25 06:45:00 UTC+05:45')
  expect(zoneClock('UTC')(CHANGE)).toBe('2026-10-25 01:00:00 UTC+00:00')
  expect(zoneClock('America/St_Johns')(CHANGE)).toBe('2026-10-24 22:30:00 UTC-02:30')
  const plan = await planned(await recorded())
  const text = overlayScript(
    { overlay: { cameraName: 'Door', timeZone: 'Europe/Berlin' }, watermark: undefined },
    { ...plan, size: { width: 640, height: 360 } },
  )
  const shown = text.split('\n').flatMap((line) => /^Dialogue: .*,,(.*)$/.exec(line)?.[1] ?? [])
  expect(shown[0]).toBe('2026-10-25 02:59:54 UTC+02:00  Door')
  expect(shown).toContain('2026-10-25 02:59:59 UTC+02:00  Door')
  expect(shown).toContain('2026-10-25 02:00:01 UTC+01:00  Door')
  expect(new Set(shown).size).toBe(shown.length)
  expect(shown).toHaveLength(8 + 6)
})

test.each([
  ['Door', 'Door'],
  ['a\r\nDialogue: b', 'a Dialogue: b'],
  ['{\\b1}', '\\{\\\u2060b1\\}'],
  ['\\N', '\\\u2060N'],
  ['門 باب', '門 باب'],
])('%j is drawn as it is', (text, escaped) => {
  expect(escapeText(text)).toBe(escaped)
})

test('without ffmpeg nothing is encoded', async () => {
  expect(await readEncodingAbilities(undefined)).toEqual({ sound: false, pictures: false })
  expect(await readEncodingAbilities('/bin/false')).toEqual({ sound: false, pictures: false })
})
