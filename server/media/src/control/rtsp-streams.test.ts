/** Our own puller reads what we serve: the same pictures and the same sound come out. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Clip, type FootageTrack, footage, hum, playTracks } from '../../../../tests/fixtures/footage.ts'
import { findFfmpeg } from '../decoder/index.ts'
import type { AccessUnit, StreamMessage, TrackConfig } from '../frame/index.ts'
import { createHub, type Hub } from '../hub/index.ts'
import { checkedConnect, newCounters, parseRtspAddress, playRtsp } from '../source/index.ts'
import { serveRtspStreams } from './rtsp-streams-stage.ts'
import type { EndCode } from './stream-sessions.ts'
import { tokenSessions } from './token-sessions-stage.ts'

const run = promisify(execFile)
// biome-ignore lint/style/noProcessEnv: a test has no composition root
const withFfmpeg = test.skipIf(findFfmpeg(process.env.PATH ?? '') === undefined)

const CAMERA = 7
const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })

const stack: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const each of stack.splice(0)) await each.disposeAsync()
})

interface Stage {
  readonly hub: Hub
  readonly port: number
  /** Sessions that are open, newest last. */
  readonly open: AbortController[]
}

/** Streams of one camera over RTSP; sessions are whatever the test says. */
async function arranged({
  tracks,
  rights = ['LiveCamera', 'microphone'],
  isPrivate = false,
  refusedWith,
}: {
  tracks: readonly FootageTrack[]
  rights?: readonly string[]
  isPrivate?: boolean
  refusedWith?: EndCode
}): Promise<Stage> {
  const disposing = new AsyncDisposableStack()
  stack.push(disposing)
  const hub = createHub()
  const { sessions, open } = tokenSessions({ rights, refusedWith })
  const served = await serveRtspStreams({
    channels: { hubOf: (id) => (isPrivate || id !== CAMERA ? undefined : hub), isPrivate: () => isPrivate },
    sessions,
    footage: { store: '/nonexistent' },
    keeps: () => false,
    onBug: (error) => expect.fail(String(error)),
  })
  const stopping = new AbortController()
  const sending = send(hub, tracks, stopping.signal)
  disposing.defer(async () => {
    stopping.abort()
    await sending
    served[Symbol.dispose]()
  })
  return { hub, port: served.port, open }
}

/** As a camera does, over and over. */
async function send(hub: Hub, clips: readonly FootageTrack[], signal: AbortSignal): Promise<void> {
  const begin = Date.now()
  const [tracks, units] = playTracks(clips, { seconds: 60, wallClock: begin })
  hub.publish({ kind: 'tracks', tracks })
  for (const { unit, track } of units) {
    const wait = unit.wallClock - Date.now()
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    hub.publish({ kind: 'unit', unit, track })
  }
}

const path = (rest = '') => `/stream/rtsp/open?camera_id=${CAMERA}&access_token=token${rest}`

/** What the puller publishes until `isEnough`, and how it ended. */
async function pull({ port }: Stage, isEnough: (units: readonly Played[]) => boolean, target = path()) {
  const address = parseRtspAddress(`rtsp://127.0.0.1:${port}${target}`)
  if (!address.ok) throw new Error(address.failure.detail)
  const stop = new AbortController()
  let tracks: readonly TrackConfig[] = []
  const units: Played[] = []
  const publish = (message: StreamMessage) => {
    if (message.kind === 'tracks') tracks = message.tracks
    if (message.kind !== 'unit') return
    units.push({ ...message, unit: message.unit })
    if (isEnough(units)) stop.abort()
  }
  const ended = await playRtsp({
    address: address.value,
    connect,
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(15_000)]),
    counters: newCounters(),
    publish,
  })
  return { ended, tracks, units }
}

interface Played {
  readonly track: number
  readonly unit: AccessUnit
}

const hexOf = ({ unit }: Played): string => unit.units.map((bytes) => Buffer.from(bytes).toString('hex')).join(' ')

/** Where `part` lies in a clip that is played over and over; −1 if it isn't one piece of it. */
function findRun(clip: FootageTrack, part: readonly string[]): number {
  const frames = clip.frames.map(({ units }) => units.map((bytes) => Buffer.from(bytes).toString('hex')).join(' '))
  return frames.findIndex((_, from) => part.every((text, at) => text === frames[(from + at) % frames.length]))
}

describe.each<[string, Clip, FootageTrack]>([
  ['H.264 and AAC', 'main.h264', footage('tone16.aac')],
  ['H.264 and G.711 A-law', 'high.h264', hum('pcma')],
  ['H.265 and G.711 µ-law', 'h265.hevc', hum('pcmu')],
  ['H.265 and AAC of 44.1 kHz', 'gradual.hevc', footage('tone44.aac')],
])('%s', (_, clip, sound) => {
  test('come out byte by byte as the camera sent them, beginning with a key picture', async ({ annotate }) => {
    const stage = await arranged({ tracks: [footage(clip), sound] })
    const { units, tracks, ended } = await pull(stage, (got) => got.filter(({ track }) => track === 0).length > 30)
    expect(ended.kind).toBe('closed')
    expect(tracks).toMatchObject([
      { kind: 'video', codecString: footage(clip).track.codecString },
      { kind: 'audio', codec: sound.track.codec, sampleRate: (sound.track as { sampleRate?: number }).sampleRate },
    ])
    const [pictures, sounds] = [0, 1].map((wanted) => units.filter(({ track }) => track === wanted))
    expect(pictures?.[0]?.unit.isKey).toBe(true)
    expect(findRun(footage(clip), pictures?.map(hexOf) ?? [])).toBeGreaterThanOrEqual(0)
    expect(sounds?.length).toBeGreaterThan(15)
    const bytes = (sounds ?? []).map(hexOf)
    expect(findRun(sound, bytes)).toBeGreaterThanOrEqual(0)
    // As far apart as the camera took them.
    const times = pictures?.map(({ unit }) => unit.time) ?? []
    const distances = times.slice(1).map((time, at) => time - (times[at] ?? 0))
    for (const distance of distances) expect(distance).toBe(footage(clip).frameTicks)
    await annotate(`${pictures?.length} pictures, ${sounds?.length} pieces of sound`)
  })
})

withFfmpeg.each<[string, FootageTrack, string, string]>([
  ['AAC', footage('tone16.aac'), 'aac', '16000'],
  ['G.711 A-law', hum('pcma'), 'pcm_alaw', '8000'],
  ['G.711 µ-law', hum('pcmu'), 'pcm_mulaw', '8000'],
])('ffprobe finds %s, and ffmpeg decodes it with the picture without complaint', async (_, sound, codec, rate) => {
  const { port } = await arranged({ tracks: [footage('main.h264'), sound] })
  const input = ['-v', 'error', '-rtsp_transport', 'tcp', '-i', `rtsp://127.0.0.1:${port}${path()}`]
  const probed = await run('ffprobe', [...input, '-show_entries', 'stream=codec_name,sample_rate', '-of', 'csv=p=0'])
  expect(probed.stdout.trim().split('\n')).toEqual(['h264', `${codec},${rate}`])
  // Two seconds of 16 bits.
  const pcm = ['-map', '0:a', '-t', '2', '-f', 's16le', '-ac', '1']
  const picture = ['-map', '0:v', '-t', '2', '-f', 'null', '-']
  const decoded = await run('ffmpeg', [...input, ...picture, ...pcm, '-'], {
    encoding: 'buffer',
    maxBuffer: 1 << 24,
  })
  expect(decoded.stderr.toString()).toBe('')
  expect(decoded.stdout.length / (Number(rate) * 2)).toBeGreaterThan(1.8)
  expect(new Set(decoded.stdout).size).toBeGreaterThan(20)
})

test('without the right microphone there is only the picture', async () => {
  const stage = await arranged({ tracks: [footage('main.h264'), hum('pcmu')], rights: ['LiveCamera'] })
  const { units, tracks } = await pull(stage, (got) => got.length > 20)
  expect(tracks.map(({ kind }) => kind)).toEqual(['video'])
  expect(new Set(units.map(({ track }) => track))).toEqual(new Set([0]))
})

test('of one address, twenty connections may have opened nothing yet', async () => {
  const stage = await arranged({ tracks: [footage('main.h264')] })
  const ask = async () => {
    const socket = dial(stage.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write('OPTIONS rtsp://a/stream/rtsp/open?camera_id=7 RTSP/1.0\r\nCSeq: 1\r\n\r\n')
    return await Promise.race([once(socket, 'data').then(() => 'answered'), once(socket, 'close').then(() => 'ended')])
  }
  for (let n = 0; n < 20; n++) expect(await ask()).toBe('answered')
  expect(await ask()).toBe('ended')
})

describe('a stream ends', () => {
  const video = () => arranged({ tracks: [footage('main.h264')] })

  test('with its permission, and the session is given back', async () => {
    const stage = await video()
    const { ended } = await pull(stage, (got) => {
      if (got.length === 5) stage.open[0]?.abort(9 satisfies EndCode)
      return false
    })
    expect(ended.kind).not.toBe('silent')
    await expect.poll(() => stage.open.length).toBe(0)
    expect(stage.hub.readers).toBe(0)
  })

  test('with the camera being made private, and with other tracks', async () => {
    for (const message of [
      { kind: 'ended', cause: 'mode' },
      { kind: 'tracks', tracks: [footage('h265.hevc').track] },
    ] satisfies StreamMessage[]) {
      const stage = await video()
      const { units } = await pull(stage, (got) => {
        if (got.length === 5) stage.hub.publish(message)
        return false
      })
      expect(units.length).toBeLessThan(15)
      await expect.poll(() => stage.open.length).toBe(0)
    }
  })
})

describe('a refusal gives no stream and says why', () => {
  const tracks = [footage('main.h264')]
  const asked = async (stage: Stage, target = path()) => (await pull(stage, (got) => got.length > 0, target)).ended

  test.each([
    [4, 404],
    [9, 'rejected'],
    [14, 503],
    [16, 503],
    [18, 503],
    [19, 504],
  ] as const)('code %i: %s', async (refusedWith, said) => {
    const ended = await asked(await arranged({ tracks, refusedWith }))
    expect(ended.detail).toContain(String(said))
  })

  test('for a private camera, another one, a recording, and an address that can’t be read', async () => {
    const stage = await arranged({ tracks, isPrivate: true })
    expect((await asked(stage)).detail).toContain('503')
    const shown = await arranged({ tracks })
    expect((await asked(shown, path().replace('camera_id=7', 'camera_id=8'))).detail).toContain('404')
    expect((await asked(shown, path('&from=2026-01-01T00:00:00Z'))).detail).toContain('404')
    expect((await asked(shown, path('&stream=none'))).detail).toContain('400')
    expect((await asked(shown, '/elsewhere?camera_id=7&access_token=token')).detail).toContain('404')
    for (const { open } of [stage, shown]) expect(open).toEqual([])
  })
})
