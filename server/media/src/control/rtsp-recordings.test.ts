/** Recordings over RTSP, as ffmpeg, GStreamer and our own puller play them. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type FootageTrack, footage, hum, playTracks, readH264 } from '../../../../tests/fixtures/footage.ts'
import { gst, hasGst } from '../../../../tests/rtsp-players.ts'
import { findFfmpeg } from '../decoder/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { openPlayback } from '../playback/index.ts'
import { type KeyFinder, keysInFiles } from '../recording/index.ts'
import {
  CAMERA,
  filesBelow,
  newDayKeys,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
  temporaryFolder,
} from '../recording/recording-stage.ts'
import { checkedConnect, newCounters, parseRtspAddress, playRtsp, replayRtsp } from '../source/index.ts'
import { serveRtspStreams } from './rtsp-streams-stage.ts'
import { tokenSessions } from './token-sessions-stage.ts'

const run = promisify(execFile)
// biome-ignore lint/style/noProcessEnv: a test has no composition root
const withFfmpeg = test.skipIf(findFfmpeg(process.env.PATH ?? '') === undefined)

afterAll(removeTemporaryFolders)
const stack: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const each of stack.splice(0)) await each.disposeAsync()
})

/** A piece of footage: its tracks, how many seconds, and when it begins after half past ten. */
type Piece = readonly [clips: readonly FootageTrack[], seconds: number, afterMs: number]

async function recorded(pieces: readonly Piece[]): Promise<string> {
  const set = await stage({ segmentMs: 10_000 })
  for (const [index, [clips, seconds, afterMs]] of pieces.entries()) {
    if (index > 0) set.lose('silent')
    set.show(...playTracks([...clips], { seconds, wallClock: TEN_THIRTY + afterMs }))
  }
  await set.stop()
  return set.store
}

interface ServedOptions {
  readonly keys?: KeyFinder
  readonly rights?: readonly string[]
  readonly now?: () => number
}

/** What was recorded, over RTSP. */
async function served(
  store: string,
  { rights = ['playback', 'microphone'], keys, now = () => TEN_THIRTY + 3_600_000 }: ServedOptions = {},
) {
  const { sessions, open } = tokenSessions({ rights })
  const channels = { hubOf: () => undefined, isPrivate: () => false }
  const onBug = (error: unknown) => expect.fail(String(error))
  const disposing = new AsyncDisposableStack()
  stack.push(disposing)
  const { port } = disposing.use(await serveRtspStreams({ channels, sessions, footage: { store, keys }, now, onBug }))
  const url = (fromMs: number, tillMs?: number) => {
    const [from, till] = [fromMs, tillMs].map((ms) => ms !== undefined && new Date(TEN_THIRTY + ms).toISOString())
    const span = `&from=${from}${till === false ? '' : `&till=${till}`}`
    return `rtsp://127.0.0.1:${port}/stream/rtsp/open?camera_id=${CAMERA.cameraId}&access_token=token${span}`
  }
  return { port, url, open }
}

interface Probed {
  readonly codec: string
  readonly times: readonly number[]
}

/** The packets of each stream until the server ends it. */
async function probe(url: string): Promise<readonly Probed[]> {
  const entries = ['-show_entries', 'stream=index,codec_name:packet=stream_index,pts_time', '-of', 'json']
  const args = ['-v', 'error', '-rtsp_transport', 'tcp', ...entries, url]
  const { stdout, stderr } = await run('ffprobe', args, { maxBuffer: 1 << 26, timeout: 60_000 })
  expect(stderr).toBe('')
  const { packets, streams } = JSON.parse(stdout) as {
    packets: { stream_index: number; pts_time: string }[]
    streams: { index: number; codec_name: string }[]
  }
  return streams.map(({ index, codec_name: codec }) => ({
    codec,
    times: packets.filter((packet) => packet.stream_index === index).map(({ pts_time: time }) => Number(time)),
  }))
}

const main = () => [footage('main.h264'), footage('tone16.aac')]

describe('ffmpeg', () => {
  withFfmpeg('plays exactly the range, in as much time, and then ends', async () => {
    const { url, open } = await served(await recorded([[main(), 30, 0]]))
    const begun = performance.now()
    const [video, audio] = await probe(url(4000, 10_000))
    const seconds = (performance.now() - begun) / 1000
    expect(video?.codec).toBe('h264')
    expect(video?.times).toHaveLength(6 * 25)
    expect(distances(video)).toEqual(new Set([0.04]))
    expect(audio?.codec).toBe('aac')
    expect(audio?.times.length).toBeGreaterThan(6 * 15)
    // The sound belongs to its picture.
    expect(Math.abs((audio?.times.at(-1) ?? 0) - (video?.times.at(-1) ?? 0))).toBeLessThan(0.1)
    expect(seconds).toBeGreaterThan(5)
    expect(seconds).toBeLessThan(9)
    await expect.poll(() => open.length).toBe(0)
  })

  withFfmpeg.each<[string, FootageTrack[], string[]]>([
    ['H.265 and G.711', [footage('h265.hevc'), hum('pcmu')], ['hevc', 'pcm_mulaw']],
    ['H.264 and G.711 A-law', [footage('high.h264'), hum('pcma')], ['h264', 'pcm_alaw']],
    ['H.264 alone', [footage('main.h264')], ['h264']],
  ])('plays %s', async (_, clips, codecs) => {
    const { url } = await served(await recorded([[clips, 10, 0]]))
    const probed = await probe(url(2000, 5000))
    expect(probed.map(({ codec }) => codec)).toEqual(codecs)
    const store = await recorded([[clips, 10, 0]])
    expect(probed[0]?.times).toHaveLength((await picturesBetween(store, 2000, 5000)).length)
  })

  withFfmpeg('continues without a break after a gap, and gets every picture on both sides of it', async () => {
    const { url } = await served(
      await recorded([
        [main(), 4, 0],
        [main(), 4, 600_000],
      ]),
    )
    const begun = performance.now()
    const [video, audio] = await probe(url(2000, 602_000))
    expect(performance.now() - begun).toBeLessThan(8000)
    expect(video?.times).toHaveLength(4 * 25)
    expect(distances(video)).toEqual(new Set([0.04]))
    const heard = audio?.times ?? []
    expect(heard.every((time, at) => at === 0 || time > (heard[at - 1] ?? 0))).toBe(true)
  })

  withFfmpeg('shows B pictures in their order, every one of them', async () => {
    const set = await stage()
    const { track, units } = await reorderedClip()
    set.show([track], units)
    await set.stop()
    const { url } = await served(set.store)
    const [video] = await probe(url(0, 4000))
    expect(video?.times).toHaveLength(100)
    const sorted = (video?.times ?? []).slice(1).toSorted((one, other) => one - other)
    expect(video?.times.slice(1)).not.toEqual(sorted)
    expect(distances({ codec: '', times: [0, ...sorted] })).toEqual(new Set([0.04]))
    // ffmpeg gives the first picture of any RTSP no time, and guesses one among those around it.
    const decoded = ['-fps_mode', 'passthrough', '-f', 'framemd5', '-']
    const input = ['-v', 'error', '-rtsp_transport', 'tcp', '-i', url(0, 4000)]
    const { stdout, stderr } = await run('ffmpeg', [...input, ...decoded])
    expect(stderr).toBe('')
    expect(new Set(stdout.split('\n').flatMap((line) => /[0-9a-f]{32}$/.exec(line) ?? [])).size).toBe(100)
  })

  withFfmpeg('seeks, with PAUSE before and the range from there', async () => {
    const { url } = await served(await recorded([[main(), 10, 0]]))
    const input = ['-v', 'error', '-rtsp_transport', 'tcp', '-ss', '5', '-i', url(0, 8000)]
    const { stdout, stderr } = await run('ffmpeg', [...input, '-map', '0:v', '-c', 'copy', '-f', 'framecrc', '-'])
    expect(stderr).toBe('')
    // From the key picture at four seconds on.
    expect(stdout.split('\n').filter((line) => line.startsWith('0,'))).toHaveLength(100)
  })

  withFfmpeg('plays encrypted footage', async () => {
    const kek = new Uint8Array(32).fill(3)
    const set = await stage({ dayKey: newDayKeys(kek) })
    set.show(...playTracks(main(), { seconds: 4, wallClock: TEN_THIRTY }))
    await set.stop()
    const { url } = await served(set.store, { keys: keysInFiles(kek) })
    expect((await probe(url(0, 2000)))[0]?.times).toHaveLength(50)
    const without = await served(set.store)
    await expect(probe(without.url(0, 2000))).rejects.toThrow('404')
  })

  withFfmpeg('waits for what is being recorded, and ends where the camera stops', async () => {
    const now = Date.now()
    const set = await stage()
    const [tracks, units] = playTracks([footage('main.h264')], { seconds: 4, wallClock: now - 3000 })
    set.hub.publish({ kind: 'tracks', tracks })
    const showing = (async () => {
      for (const { unit, track } of units) {
        await sleep(Math.max(0, unit.wallClock - Date.now()))
        set.hub.publish({ kind: 'unit', unit, track })
      }
      await set.stop()
    })()
    await sleep(1500)
    const { url } = await served(set.store, { now: Date.now })
    const [video] = await probe(url(now - 3000 - TEN_THIRTY))
    await showing
    expect(video?.times).toHaveLength(100)
  })

  withFfmpeg('decodes pictures of another size from where they begin', async () => {
    const set = await stage()
    set.show(...playTracks([footage('main.h264')], { seconds: 2, wallClock: TEN_THIRTY }))
    set.show(...playTracks([footage('high.h264')], { seconds: 2, wallClock: TEN_THIRTY + 2000, time: 180_000 }))
    await set.stop()
    const { url } = await served(set.store)
    const frames = ['-show_entries', 'frame=width', '-of', 'csv=p=0']
    const { stdout, stderr } = await run('ffprobe', ['-v', 'error', '-rtsp_transport', 'tcp', ...frames, url(0, 4000)])
    expect(stderr).toBe('')
    const widths = stdout.split('\n').flatMap((line) => (/^\d/.test(line) ? [Number.parseFloat(line)] : []))
    const [before, after] = ['main.h264', 'high.h264'].map((clip) => {
      const { track } = footage(clip as 'main.h264')
      return track.kind === 'video' ? track.width : 0
    })
    expect(before).not.toBe(after)
    expect(widths).toEqual([...Array(50).fill(before), ...Array(50).fill(after)])
  })
})

test.skipIf(!hasGst)('GStreamer plays over a gap of ten minutes without waiting, and then ends', async () => {
  const { url } = await served(
    await recorded([
      [main(), 3, 0],
      [main(), 3, 600_000],
    ]),
  )
  const begun = performance.now()
  expect(await gst(url(0, 603_000).replace('rtsp:', 'rtspt:'), 'fakesink')).toBe('eos')
  expect(performance.now() - begun).toBeLessThan(15_000)
})

describe('a stream', () => {
  /** How long it took from the loss of permission to the end, and what came until then. */
  async function pull(url: string, isEnough: (units: number) => void) {
    const address = parseRtspAddress(url)
    if (!address.ok) throw new Error(address.failure.detail)
    let tracks: readonly TrackConfig[] = []
    const units: { readonly track: number; readonly unit: AccessUnit }[] = []
    const ended = await playRtsp({
      address: address.value,
      connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
      signal: AbortSignal.timeout(20_000),
      counters: newCounters(),
      publish: (message) => {
        if (message.kind === 'tracks') tracks = message.tracks
        if (message.kind !== 'unit') return
        units.push(message)
        isEnough(units.length)
      },
    })
    return { ended, tracks, units }
  }

  test('ends with its permission, and the session is given back', async () => {
    const { url, open } = await served(await recorded([[main(), 20, 0]]))
    const { units } = await pull(url(0), (count) => count === 5 && open[0]?.abort(9))
    expect(units.length).toBeLessThan(60)
    await expect.poll(() => open.length).toBe(0)
  })

  test('has the pictures as they were recorded, and sound only with the right microphone', async () => {
    const { url, open } = await served(await recorded([[main(), 4, 0]]), { rights: ['playback'] })
    const stop = (count: number) => count === 30 && open[0]?.abort(9)
    const { units, tracks } = await pull(url(0), stop)
    expect(tracks.map(({ kind }) => kind)).toEqual(['video'])
    const sent = footage('main.h264').frames.map(({ units: nals }) => Buffer.concat(nals).toString('hex'))
    const got = units.map(({ unit }) => Buffer.concat(unit.units).toString('hex'))
    expect(got).toEqual(sent.slice(0, got.length))
    expect(got.length).toBeGreaterThanOrEqual(29)
  })

  test('continues after footage that was deleted in the meantime', async () => {
    const store = await recorded([[main(), 30, 0]])
    const { url, open } = await served(store)
    const files = (await filesBelow(store)).filter((file) => file.endsWith('.seg') || file.includes('.mp4'))
    const { units } = await pull(url(8000), (count) => {
      // What is open plays on; the next ten seconds are gone.
      if (count === 5) for (const file of files.slice(1, 2)) rmSync(file)
      if (count === 120) open[0]?.abort(9)
    })
    expect(units.length).toBeGreaterThan(100)
  })

  test('is replayed by a client of ONVIF as fast as it can, each picture with its time', async () => {
    const { url } = await served(
      await recorded([
        [main(), 20, 0],
        [main(), 4, 60_000],
      ]),
    )
    const address = parseRtspAddress(url(0))
    if (!address.ok) throw new Error(address.failure.detail)
    const times: number[] = []
    const begun = performance.now()
    const replayed = await replayRtsp({
      address: address.value,
      credentials: undefined,
      allowBasic: false,
      connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
      pin: { sha256: undefined },
      signal: AbortSignal.timeout(20_000),
      from: TEN_THIRTY + 18_000,
      to: TEN_THIRTY + 62_000,
      clockAheadMs: 0,
      picture: (unit) => times.push(unit.wallClock) > 0,
      received: () => undefined,
    })
    expect(replayed).toEqual({ ok: true, value: 'ended' })
    expect(performance.now() - begun).toBeLessThan(4000)
    const picture = (from: number) => Array.from({ length: 50 }, (_, at) => TEN_THIRTY + from + at * 40)
    // Its last picture is complete when another one comes.
    expect(times).toEqual([...picture(18_000), ...picture(60_000)].slice(0, times.length))
    expect(times.length).toBeGreaterThanOrEqual(99)
  })
})

/** Four seconds with B pictures, in decoding order, as x264 makes them. */
async function reorderedClip() {
  const path = join(await temporaryFolder(), 'reordered.mp4')
  const input = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4']
  const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-x264-params', 'bframes=2:b-adapt=0:keyint=50:scenecut=0']
  await run('ffmpeg', [...input, ...coding, path])
  const raw = await run('ffmpeg', ['-v', 'error', '-i', path, '-c', 'copy', '-f', 'h264', '-'], { encoding: 'buffer' })
  const entries = ['-show_entries', 'packet=pts,dts', '-of', 'csv=p=0', path]
  const times = await run('ffprobe', ['-v', 'error', ...entries])
  const offsets = times.stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pts = 0, dts = 0] = line.split(',').map(Number)
      return pts - dts
    })
  const { track, frames } = readH264(raw.stdout, 3600)
  const scale = 7200 / (offsets[0] ?? 1)
  const units = frames.map((frame, index) => {
    const compositionOffset = Math.round((offsets[index] ?? 0) * scale)
    const time = index * 3600
    return {
      track: 0,
      unit: { ...frame, kind: 'video' as const, time, compositionOffset, wallClock: TEN_THIRTY + time / 90 },
    }
  })
  return { track, units }
}

/** The different distances of pictures that have a time; ffmpeg says none for the first. */
function distances(probed: Probed | undefined): Set<number> {
  const times = (probed?.times ?? []).slice(1)
  return new Set(times.slice(1).map((time, at) => Math.round((time - (times[at] ?? 0)) * 1000) / 1000))
}

async function picturesBetween(store: string, fromMs: number, tillMs: number): Promise<readonly number[]> {
  const [at, till] = [TEN_THIRTY + fromMs, TEN_THIRTY + tillMs]
  const found: number[] = []
  for await (const message of openPlayback({ store, stream: CAMERA, at, till }))
    if (message.kind === 'part')
      for (const { unit } of message.samples)
        if (unit.kind === 'video' && unit.wallClock < till) found.push(unit.wallClock)
  return found
}
