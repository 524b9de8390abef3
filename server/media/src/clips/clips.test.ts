import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, play, playTracks } from '../../../../tests/fixtures/footage.ts'
import { CAMERA, filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { SegmentReader } from '../recording/segment-reader.ts'
import { type ClipPlan, type ClipQuery, planClip, readClip } from './index.ts'

afterAll(removeTemporaryFolders)

/** Recorded: half a minute, a gap of one minute, ten seconds. */
async function withGap() {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264'), footage('tone16.aac')], { seconds: 30, wallClock: TEN_THIRTY }))
  set.lose('silent')
  const later = { seconds: 10, wallClock: TEN_THIRTY + 90_000 }
  set.show(...playTracks([footage('main.h264'), footage('tone16.aac')], later))
  await set.stop()
  return set
}

type Stored = Awaited<ReturnType<typeof stage>>
type Wanted = Pick<ClipQuery, 'from' | 'till'> & Partial<ClipQuery>

const plan = (set: Pick<Stored, 'store'>, wanted: Wanted) =>
  planClip({ store: set.store, stream: CAMERA, sound: 'kept', ...wanted })

async function found(set: Pick<Stored, 'store'>, wanted: Wanted): Promise<ClipPlan> {
  const clip = await plan(set, wanted)
  if (clip === undefined) throw new Error('no clip')
  return clip
}

async function bytesOf(clip: ClipPlan, range = { from: 0, till: clip.bytes }): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readClip(clip, range, {})) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Probed {
  readonly format: { readonly duration: string; readonly tags?: { readonly creation_time?: string } }
  readonly streams: readonly {
    readonly codec_name: string
    readonly nb_read_packets: string
    readonly duration: string
  }[]
}

/** ffmpeg reads and decodes the whole file without a complaint. */
async function judge(set: Pick<Stored, 'store'>, bytes: Uint8Array): Promise<Probed> {
  const path = join(set.store, '..', 'clip.mp4')
  await writeFile(path, bytes)
  const complaints = execFileSync('ffmpeg', ['-v', 'warning', '-xerror', '-i', path, '-f', 'null', '-'], {
    stdio: 'pipe',
  })
  expect(String(complaints)).toBe('')
  const entries = ['-count_packets', '-show_format', '-show_streams', '-of', 'json']
  return JSON.parse(String(execFileSync('ffprobe', ['-v', 'error', ...entries, path])))
}

describe('a clip of footage', () => {
  test('begins with the key picture before its time, has every picture up to its end, and says when it was recorded', async () => {
    const set = await withGap()
    const clip = await found(set, { from: TEN_THIRTY + 3700, till: TEN_THIRTY + 20_000 })
    const bytes = await bytesOf(clip)
    expect(bytes.length).toBe(clip.bytes)
    const { format, streams } = await judge(set, bytes)
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
    expect(streams[0]?.nb_read_packets).toBe(String(18 * 25))
    expect(Number(format.duration)).toBeCloseTo(18, 0)
    expect(clip.duration).toBe(18 * 90_000)
    expect(format.tags?.creation_time).toBe(new Date(TEN_THIRTY + 2000).toISOString().replace('.000', '.000000'))
  })

  test('continues after a gap without the time in between', async () => {
    const set = await withGap()
    const clip = await found(set, { from: TEN_THIRTY + 20_000, till: TEN_THIRTY + 96_000 })
    const { streams } = await judge(set, await bytesOf(clip))
    expect(streams[0]?.nb_read_packets).toBe(String(16 * 25))
    expect(clip.duration / 90_000).toBeCloseTo(16, 1)
  })

  test('contains the pictures byte for byte', async () => {
    const set = await withGap()
    const clip = await found(set, { from: TEN_THIRTY, till: TEN_THIRTY + 5000 })
    const bytes = await bytesOf(clip)
    for (const { unit } of [...play([footage('main.h264')], { seconds: 5, wallClock: TEN_THIRTY })]) {
      for (const nal of unit.units) expect(bytes.includes(Buffer.from(nal))).toBe(true)
    }
  })

  test('has no sound for those who may not hear it, and keeps the same pictures', async () => {
    const set = await withGap()
    const wanted = { from: TEN_THIRTY, till: TEN_THIRTY + 96_000 }
    const clip = await found(set, { ...wanted, sound: 'left-out' })
    const bytes = await bytesOf(clip)
    const { streams } = await judge(set, bytes)
    expect(streams.map(({ codec_name, nb_read_packets }) => [codec_name, nb_read_packets])).toEqual([
      ['h264', String(36 * 25)],
    ])
    const [sound] = [...play([footage('tone16.aac')], { seconds: 1, wallClock: TEN_THIRTY })]
    const frame = Buffer.from(sound?.unit.units[0] ?? [])
    expect(frame.length).toBeGreaterThan(20)
    expect(bytes.includes(frame)).toBe(false)
    expect((await bytesOf(await found(set, wanted))).includes(frame)).toBe(true)
  })

  test('is the same in pieces of any size as in one', async () => {
    const set = await withGap()
    const clip = await found(set, { from: TEN_THIRTY + 8000, till: TEN_THIRTY + 96_000 })
    const whole = await bytesOf(clip)
    const pieces: Buffer[] = []
    for (let from = 0; from < clip.bytes; from += 99_991)
      pieces.push(await bytesOf(clip, { from, till: Math.min(clip.bytes, from + 99_991) }))
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
  })

  test('spans a change of the camera’s format', async () => {
    const set = await stage({ segmentMs: 10_000 })
    set.show(...playTracks([footage('main.h264'), footage('tone16.aac')], { seconds: 10, wallClock: TEN_THIRTY }))
    set.lose('silent')
    set.show(...playTracks([footage('high.h264')], { seconds: 10, wallClock: TEN_THIRTY + 11_000 }))
    await set.stop()
    const clip = await found(set, { from: TEN_THIRTY, till: TEN_THIRTY + 21_000 })
    const bytes = await bytesOf(clip)
    expect(bytes.length).toBe(clip.bytes)
    const { streams } = await judge(set, bytes)
    expect(streams).toHaveLength(2)
    expect(Number(streams[0]?.nb_read_packets)).toBeGreaterThan(10 * 25)
  })

  test('that is exact shows its time to the picture, has the same samples, and is proven by the same digests', async () => {
    const set = await withGap()
    const wanted = { from: TEN_THIRTY + 3710, till: TEN_THIRTY + 12_330 }
    const [exact, whole] = [await found(set, { ...wanted, isExact: true }), await found(set, wanted)]
    const bytes = await bytesOf(exact)
    expect(bytes.length).toBe(exact.bytes)
    const path = join(set.store, '..', 'exact.mp4')
    await writeFile(path, bytes)
    const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path]
    const times = String(execFileSync('ffprobe', ['-v', 'error', ...entries]))
      .trim()
      .split('\n')
      .map(Number)
    // The keyframe before the start is at 2 s.
    expect(times[0]).toBeCloseTo(-1.71, 2)
    expect(times.filter((time) => time > -0.04 && time <= 0)).toHaveLength(1)
    expect(times.at(-1)).toBeLessThan(8.62)
    expect(times.at(-1)).toBeGreaterThanOrEqual(8.58)
    await judge(set, bytes)
    const payloads = (all: Buffer): string[] =>
      all
        .toString('latin1')
        .split('moof')
        .slice(1)
        .map((part) => part.slice(part.indexOf('mdat')))
    expect(payloads(bytes)).toEqual(payloads(await bytesOf(whole)))
  })

  test('of footage that is still being recorded ends with its last part', async () => {
    const set = await stage({ segmentMs: 60_000 })
    set.show(...playTracks([footage('main.h264')], { seconds: 12, wallClock: TEN_THIRTY }))
    await expect.poll(async () => (await filesBelow(set.store)).length).toBe(1)
    await expect
      .poll(async () => (await plan(set, { from: TEN_THIRTY, till: TEN_THIRTY + 60_000 }))?.pieces.length)
      .toBeGreaterThan(9)
    const clip = await found(set, { from: TEN_THIRTY, till: TEN_THIRTY + 60_000 })
    const { streams } = await judge(set, await bytesOf(clip))
    expect(Number(streams[0]?.nb_read_packets)).toBeGreaterThan(9 * 25)
    await set.stop()
  })

  test('of a time without footage does not exist', async () => {
    const set = await withGap()
    expect(await plan(set, { from: TEN_THIRTY + 200_000, till: TEN_THIRTY + 210_000 })).toBeUndefined()
    expect(await plan(set, { from: TEN_THIRTY + 40_000, till: TEN_THIRTY + 60_000 })).toBeUndefined()
  })

  test('leaves out what is damaged and what depends on it, and keeps its length', async () => {
    const set = await withGap()
    const [, path = ''] = await filesBelow(set.store)
    await using segment = await SegmentReader.open(path)
    const damaged = segment.parts[1]
    if (damaged === undefined) throw new Error('no second part')
    const file = await readFile(path)
    file.writeUInt8(file.readUInt8(damaged.offset + damaged.bytes - 9) ^ 1, damaged.offset + damaged.bytes - 9)
    await writeFile(path, file)
    const clip = await found(set, { from: TEN_THIRTY, till: TEN_THIRTY + 10_000 })
    const bytes = await bytesOf(clip)
    expect(bytes.length).toBe(clip.bytes)
    const { streams } = await judge(set, bytes)
    expect(Number(streams[0]?.nb_read_packets)).toBeLessThan(10 * 25)
    expect(Number(streams[0]?.nb_read_packets)).toBeGreaterThan(7 * 25)
  })

  test('fails if its footage is deleted while it is read', async () => {
    const set = await withGap()
    const clip = await found(set, { from: TEN_THIRTY, till: TEN_THIRTY + 30_000 })
    for (const file of await filesBelow(set.store)) await rm(file)
    await expect(bytesOf(clip)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
