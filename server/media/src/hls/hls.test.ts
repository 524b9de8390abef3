import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { footage, play, playTracks } from '../../../../tests/fixtures/footage.ts'
import type { StreamMessage } from '../frame/index.ts'
import { createHub, MemoryBudget } from '../hub/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY, temporaryFolder } from '../recording/recording-stage.ts'
import { livePackager, type PieceAddresses, type RecordedQuery, recordedList, variantPlaylist } from './index.ts'

afterAll(removeTemporaryFolders)

const addresses: PieceAddresses = {
  init: (map) => `init-${map}`,
  segment: (number) => `segment-${number}`,
  part: (number, part) => `part-${number}-${part}`,
}

/** Ten seconds with a key picture every two, as the simulator's cameras send them. */
const tracks = [footage('main.h264'), footage('tone16.aac')]
const clip = (seconds: number, wallClock = TEN_THIRTY) => playTracks(tracks, { seconds, wallClock })
const messagesOf = ([announced, units]: ReturnType<typeof clip>): StreamMessage[] => [
  { kind: 'tracks', tracks: announced },
  ...[...units].map((timed) => ({ kind: 'unit', ...timed }) as const),
]
const sent = (seconds: number, wallClock?: number) => messagesOf(clip(seconds, wallClock))

/** Lets what was published reach its reader. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

async function packaged(
  messages: readonly StreamMessage[],
  { sound = 'allowed', memory = new MemoryBudget(1e9) }: { sound?: 'allowed' | 'withheld'; memory?: MemoryBudget } = {},
) {
  const hub = createHub()
  const packager = livePackager({ hub, sound, memory, now: () => TEN_THIRTY })
  const publish = async (all: readonly StreamMessage[]) => {
    for (const message of all) hub.publish(message)
    for (let turn = 0; turn < 3; turn++) await settled()
  }
  await publish(messages)
  return { packager, publish, window: packager.window }
}

const linesOf = (playlist: string, start: string): string[] =>
  playlist.split('\n').filter((line) => line.startsWith(start))

/** ffmpeg reads and decodes all of it without a complaint; the packets of each stream. */
async function judge(bytes: Uint8Array): Promise<string[]> {
  const path = join(await temporaryFolder(), 'pieces.mp4')
  await writeFile(path, bytes)
  const args = ['-v', 'warning', '-xerror', '-i', path, '-f', 'null', '-']
  expect(String(execFileSync('ffmpeg', args, { stdio: 'pipe' }))).toBe('')
  const entries = ['-count_packets', '-show_entries', 'stream=codec_name,nb_read_packets', '-of', 'csv=p=0']
  return String(execFileSync('ffprobe', ['-v', 'error', ...entries, path]))
    .trim()
    .split('\n')
}

describe('a live playlist', () => {
  test('names whole segments that begin with key pictures, and all of their pictures are in them', async () => {
    const { window } = await packaged(sent(9))
    const playlist = window.playlist(addresses, 'usual')
    expect(linesOf(playlist, '#EXTINF')).toEqual(Array.from({ length: 4 }, () => '#EXTINF:2.00000,'))
    expect(playlist).not.toContain('#EXT-X-PART')
    const segments = [0, 1, 2, 3].flatMap((number) => window.segment(number) ?? [])
    const [video, audio] = await judge(Buffer.concat([window.init(0) ?? new Uint8Array(), ...segments]))
    expect(video).toBe('h264,200')
    expect(audio).toMatch(/^aac,1\d\d$/)
  })

  test('of low latency names the parts of the newest segments and the next one, which can be waited for', async () => {
    const messages = sent(6.2)
    const { window, publish } = await packaged(messages.slice(0, -12))
    const playlist = window.playlist(addresses, 'low')
    const parts = linesOf(playlist, '#EXT-X-PART:')
    expect(parts[0]).toMatch(/^#EXT-X-PART:DURATION=0\.48000,URI="part-\d-0",INDEPENDENT=YES$/)
    for (const part of parts) expect(Number(/DURATION=([\d.]+)/.exec(part)?.[1])).toBeLessThanOrEqual(0.5)
    const [hint = ''] = linesOf(playlist, '#EXT-X-PRELOAD-HINT')
    const [, segment, part] = (/part-(\d+)-(\d+)/.exec(hint) ?? []).map(Number)
    const next = { segment: segment ?? 0, part: part ?? 0 }
    expect(window.has(next)).toBe(false)
    const waiting = window.until(() => window.has(next), AbortSignal.timeout(5000))
    await publish([...messages.slice(-12), ...sent(3)])
    await waiting
    expect(window.part(next.segment, next.part)?.length).toBeGreaterThan(0)
  })

  test('has no sound for those who may not hear it', async () => {
    const { window } = await packaged(sent(5), { sound: 'withheld' })
    const whole = Buffer.concat([window.init(0) ?? new Uint8Array(), ...(window.segment(0) ?? [])])
    expect(await judge(whole)).toEqual(['h264,50'])
    const [sound] = play([footage('tone16.aac')], { seconds: 1, wallClock: TEN_THIRTY })
    expect(whole.includes(Buffer.from(sound?.unit.units[0] ?? [9]))).toBe(false)
  })

  test('says where the camera was away', async () => {
    const { window, publish } = await packaged([...sent(3), { kind: 'ended', cause: 'silent' }])
    await publish(sent(5, TEN_THIRTY + 60_000))
    const playlist = window.playlist(addresses, 'usual')
    expect(linesOf(playlist, '#EXT-X-DISCONTINUITY')).toEqual([
      '#EXT-X-DISCONTINUITY-SEQUENCE:0',
      '#EXT-X-DISCONTINUITY',
    ])
    expect(linesOf(playlist, '#EXT-X-MAP')).toEqual(['#EXT-X-MAP:URI="init-0"', '#EXT-X-MAP:URI="init-1"'])
    expect(playlist).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-03-01T10:31:00.000Z')
  })

  test('of a camera that was made private has no picture any more', async () => {
    const { window, packager } = await packaged([...sent(5), { kind: 'ended', cause: 'mode' }])
    expect(linesOf(window.playlist(addresses, 'low'), '#EXTINF')).toEqual([])
    expect(window.part(0, 0)).toBeUndefined()
    expect(window.heldBytes).toBe(0)
    expect(packager.awaySince).toBe(TEN_THIRTY)
  })

  test('keeps half a minute, and gives its memory up before a recorder loses any', async () => {
    const memory = new MemoryBudget(1e9)
    const { window } = await packaged(sent(60), { memory })
    const listed = linesOf(window.playlist(addresses, 'usual'), '#EXTINF')
    expect(listed.length).toBeGreaterThanOrEqual(11)
    expect(listed.length).toBeLessThanOrEqual(12)
    expect(window.segment(0)).toBeUndefined()
    expect(memory.heldBytes).toBe(window.heldBytes)
    memory.count(1e9)
    expect(linesOf(window.playlist(addresses, 'usual'), '#EXTINF')).toEqual([])
    window[Symbol.dispose]()
    expect(memory.heldBytes).toBe(1e9)
  })

  test('of pictures ten seconds apart from key to key has segments of four', async () => {
    const rare = sent(11).map((message, index) =>
      message.kind === 'unit' && message.track === 0 && index > 3
        ? { ...message, unit: { ...message.unit, isKey: false } }
        : message,
    )
    const { window } = await packaged(rare)
    const seconds = linesOf(window.playlist(addresses, 'usual'), '#EXTINF').map((line) =>
      Number(/[\d.]+/.exec(line)?.[0]),
    )
    expect(seconds.length).toBeGreaterThan(1)
    for (const each of seconds) expect(Math.round(each)).toBe(4)
  })
})

describe('a playlist of footage', () => {
  async function withGap() {
    const set = await stage({ segmentMs: 10_000 })
    set.show(...clip(30))
    set.lose('silent')
    set.show(...clip(10, TEN_THIRTY + 90_000))
    await set.stop()
    return set
  }
  const listed = async (store: string, wanted: Partial<RecordedQuery> & Pick<RecordedQuery, 'from' | 'till'>) => {
    const list = recordedList({ store, stream: CAMERA, sound: 'allowed', ...wanted })
    await list.extend(TEN_THIRTY + 3_600_000)
    return list
  }
  const read = async (pieces: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of pieces ?? []) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  test('has all of it from the key picture before its start on, and its gap as a discontinuity', async () => {
    const { store } = await withGap()
    const list = await listed(store, { from: TEN_THIRTY + 1000, till: TEN_THIRTY + 120_000 })
    const playlist = list.playlist(addresses)
    expect(playlist).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
    expect(playlist.trimEnd().endsWith('#EXT-X-ENDLIST')).toBe(true)
    expect(linesOf(playlist, '#EXT-X-DISCONTINUITY')).toHaveLength(1)
    const seconds = linesOf(playlist, '#EXTINF').map((line) => Number(/[\d.]+/.exec(line)?.[0]))
    expect(seconds.reduce((sum, each) => sum + each, 0)).toBeCloseTo(40, 0)
    const before = seconds.findIndex((_, index) => seconds.slice(0, index + 1).reduce((a, b) => a + b, 0) >= 29.9)
    const chunks = await Promise.all(seconds.slice(0, before + 1).map((_, number) => read(list.segment(number))))
    const [video] = await judge(Buffer.concat([list.init(0) ?? new Uint8Array(), ...chunks]))
    expect(video).toBe('h264,750')
  })

  test('has no sound for those who may not hear it', async () => {
    const { store } = await withGap()
    const list = await listed(store, { from: TEN_THIRTY, till: TEN_THIRTY + 20_000, sound: 'withheld' })
    const whole = Buffer.concat([list.init(0) ?? new Uint8Array(), await read(list.segment(0))])
    expect(await judge(whole)).toEqual(['h264,100'])
    const [sound] = play([footage('tone16.aac')], { seconds: 1, wallClock: TEN_THIRTY })
    expect(whole.includes(Buffer.from(sound?.unit.units[0] ?? [9]))).toBe(false)
  })

  test('without an end grows while the camera is recorded, and never changes what it named before', async () => {
    const set = await stage({ segmentMs: 10_000 })
    set.show(...clip(15))
    await expect.poll(async () => (await listed(set.store, { from: TEN_THIRTY, till: undefined })).isEmpty).toBe(false)
    const list = recordedList({ store: set.store, stream: CAMERA, sound: 'allowed', from: TEN_THIRTY, till: undefined })
    let now = TEN_THIRTY
    const grown = async () => {
      now += 2000
      await list.extend(now)
      return list.playlist(addresses)
    }
    await expect.poll(async () => linesOf(await grown(), '#EXTINF').length).toBeGreaterThanOrEqual(2)
    const first = await grown()
    expect(first).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
    const [, later] = clip(40)
    for (const timed of [...later].filter(({ unit }) => unit.time >= 15 * 90_000))
      set.hub.publish({ kind: 'unit', ...timed })
    await expect
      .poll(async () => linesOf(await grown(), '#EXTINF').length)
      .toBeGreaterThan(linesOf(first, '#EXTINF').length)
    expect((await grown()).startsWith(first)).toBe(true)
    await set.stop()
  })

  test('that ends in the past is complete once its newest footage had time to come, and begins as what it stays', async () => {
    const { store } = await withGap()
    const till = TEN_THIRTY + 100_000
    const list = recordedList({ store, stream: CAMERA, sound: 'allowed', from: TEN_THIRTY, till })
    await list.extend(till + 2000)
    expect(list.endsSoon(till + 2000)).toBe(true)
    await list.extend(till + 7000)
    expect(list.endsSoon(till + 7000)).toBe(false)
    expect(list.playlist(addresses)).toMatch(/#EXT-X-PLAYLIST-TYPE:VOD\n[\s\S]*#EXT-X-ENDLIST\n$/)
  })

  test('that was told before its end only gets an end', async () => {
    const { store } = await withGap()
    const till = TEN_THIRTY + 100_000
    const list = recordedList({ store, stream: CAMERA, sound: 'allowed', from: TEN_THIRTY, till })
    await list.extend(till - 2000)
    expect(list.endsSoon(till - 2000)).toBe(false)
    expect(list.playlist(addresses)).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
    await list.extend(till + 7000)
    expect(list.playlist(addresses)).toMatch(/#EXT-X-PLAYLIST-TYPE:EVENT\n[\s\S]*#EXT-X-ENDLIST\n$/)
  })

  test('of a time without footage is empty', async () => {
    const { store } = await withGap()
    expect((await listed(store, { from: TEN_THIRTY + 200_000, till: TEN_THIRTY + 210_000 })).isEmpty).toBe(true)
  })
})

describe('H.265', () => {
  const coded = (seconds: number) =>
    playTracks([footage('h265.hevc'), footage('tone16.aac')], { seconds, wallClock: TEN_THIRTY })

  test('is hvc1, live', async () => {
    const { window, packager } = await packaged(messagesOf(coded(9)))
    expect(variantPlaylist(packager.tracks ?? [], 'media')).toMatch(/CODECS="hvc1\.[\w.]+,mp4a\.40\.2"/)
    const init = Buffer.from(window.init(0) ?? [])
    expect([init.includes('hvc1'), init.includes('hev1')]).toEqual([true, false])
    const segments = [0, 1, 2].flatMap((number) => window.segment(number) ?? [])
    const [video] = await judge(Buffer.concat([init, ...segments]))
    expect(video).toMatch(/^hevc,80$/)
  })

  test('is hvc1, recorded', async () => {
    const set = await stage({ segmentMs: 10_000 })
    set.show(...coded(12))
    await set.stop()
    const list = recordedList({
      store: set.store,
      stream: CAMERA,
      sound: 'allowed',
      from: TEN_THIRTY,
      till: TEN_THIRTY + 12_000,
    })
    await list.extend(TEN_THIRTY + 3_600_000)
    expect(variantPlaylist(list.tracks, 'media')).toMatch(/CODECS="hvc1\.[\w.]+,mp4a\.40\.2"/)
    const chunks: Uint8Array[] = [list.init(0) ?? new Uint8Array()]
    expect(Buffer.from(chunks[0] ?? []).includes('hvc1')).toBe(true)
    for await (const chunk of list.segment(0) ?? []) chunks.push(chunk)
    const [video] = await judge(Buffer.concat(chunks))
    expect(video).toMatch(/^hevc,\d\d+$/)
  })
})
