/** Recordings over RTSP, as ffmpeg, GStreamer and our own puller play them. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type FootageTrack, footage, hum, playTracks } from '../../../../tests/fixtures/footage.ts'
import { findFfmpeg } from '../decoder/index.ts'
import { openPlayback } from '../playback/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { rtspStreams } from './rtsp-streams.ts'
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
  readonly rights?: readonly string[]
  readonly now?: number
}

/** What was recorded, over RTSP. */
async function served(
  store: string,
  { rights = ['playback', 'microphone'], now = TEN_THIRTY + 3_600_000 }: ServedOptions = {},
) {
  const disposing = new AsyncDisposableStack()
  stack.push(disposing)
  const { sessions, open } = tokenSessions({ rights })
  const streams = rtspStreams({
    channels: { hubOf: () => undefined, isPrivate: () => false },
    sessions,
    footage: { store },
    keeps: () => true,
    isElsewhere: async () => false,
    now: () => now,
    onBegin: async () => undefined,
    onOverload: () => undefined,
    counted: (_, stream) => stream(),
    onBug: (error) => expect.fail(String(error)),
  })
  const server = createServer((socket: Socket) =>
    streams.accept({ url: '', headers: {}, address: '192.0.2.1' }, socket, new Uint8Array(0)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  disposing.defer(() => {
    streams.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
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

/** The packets of each stream, as ffmpeg ends by itself. */
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
  withFfmpeg('plays exactly the range, in as much time, and ends by itself', async () => {
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

  withFfmpeg('goes on without a break after a gap, and gets every picture of both sides', async () => {
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
