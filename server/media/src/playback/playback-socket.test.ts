import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamServerMessage } from '@sightline/contract/streams'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { footage, hum, playTracks } from '../../../../tests/fixtures/footage.ts'
import type { TrackConfig } from '../frame/index.ts'
import { readFragment, readInitSegment, type Sample } from '../mux/index.ts'
import { FootageAway } from '../recording/bucket-files.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { type PlaybackEnd, type PlaybackSocketOptions, servePlayback } from './index.ts'

afterAll(removeTemporaryFolders)

let http: Server
let sockets: WebSocketServer
let store: string
let viewers: { socket: WebSocket; ended: Promise<PlaybackEnd> }[]
let permission: AbortController

beforeAll(async () => {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264'), footage('tone16.aac')], { seconds: 30, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks([footage('main.h264'), hum('pcma')], { seconds: 10, wallClock: TEN_THIRTY + 90_000 }))
  await set.stop()
  store = set.store
})

beforeEach(async () => {
  viewers = []
  permission = new AbortController()
  http = createServer()
  sockets = new WebSocketServer({ server: http, maxPayload: 4096 })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
})

afterEach(async () => {
  for (const viewer of viewers) viewer.socket.terminate()
  sockets.close()
  http.close()
  await Promise.all(viewers.map((viewer) => viewer.ended))
})

type Got =
  | StreamServerMessage
  | { readonly type: 'tracks'; readonly tracks: readonly TrackConfig[] }
  | { readonly type: 'samples'; readonly samples: readonly Sample[] }

interface Viewer {
  readonly socket: WebSocket
  readonly got: Got[]
  readonly ended: Promise<PlaybackEnd>
  say(message: unknown): void
  /** Seconds of media received since the last `init`. */
  media(): number
  until(condition: () => boolean): Promise<void>
}

async function watch(time: number, options: Partial<PlaybackSocketOptions> = {}): Promise<Viewer> {
  const accepted = once(sockets, 'connection')
  const { port } = http.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  const got: Got[] = []
  let tracks: readonly TrackConfig[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) got.push(JSON.parse(data.toString()))
    else if (data.toString('latin1', 4, 8) === 'ftyp') {
      tracks = readInitSegment(data)
      got.push({ type: 'tracks', tracks })
    } else got.push({ type: 'samples', samples: readFragment(data, tracks, { origin: 0, wallClockAtZero: 0 }) })
  })
  const [[peer]] = (await Promise.all([accepted, once(socket, 'open')])) as [[WebSocket], unknown]
  const limits = { waitMs: 0, ...options.limits }
  const ended = servePlayback({
    socket: peer,
    store,
    stream: CAMERA,
    time,
    signal: permission.signal,
    ...options,
    limits,
  })
  const since = () => got.slice(got.findLastIndex((one) => one.type === 'init'))
  const viewer: Viewer = {
    socket,
    got,
    ended,
    say: (message) => socket.send(JSON.stringify(message)),
    media: () => Math.max(0, ...picturesOf(since()).map(({ unit, duration }) => (unit.time + duration) / 90_000)) - 1,
    until: (condition) => expect.poll(condition, { timeout: 10_000, interval: 20 }).toBe(true),
  }
  viewers.push(viewer)
  return viewer
}

const picturesOf = (got: readonly Got[]) =>
  got.flatMap((one) => (one.type === 'samples' ? one.samples : [])).filter((sample) => sample.unit.kind === 'video')
/** The position of the init with this number, from 0. */
const parsePath = (got: readonly Got[], init: number) =>
  got.flatMap((one, place) => (one.type === 'init' ? [place] : []))[init] ?? got.length
/** What arrived between this init and the next. */
const samplesAfter = (got: readonly Got[], init: number) =>
  got
    .slice(parsePath(got, init), parsePath(got, init + 1))
    .flatMap((one) => (one.type === 'samples' ? one.samples : []))
const kinds = (got: readonly Got[]) => got.map((one) => one.type)
const count = (viewer: Viewer, type: Got['type']) => viewer.got.filter((one) => one.type === type).length

describe('a viewer at a given time', () => {
  test('gets init, tracks, its position, and fragments from the key picture before it', async () => {
    const viewer = await watch(TEN_THIRTY + 13_000)
    await viewer.until(() => picturesOf(viewer.got).length > 50)
    expect(kinds(viewer.got).slice(0, 4)).toEqual(['init', 'tracks', 'pos', 'samples'])
    expect(viewer.got[0]).toMatchObject({ codec: 'avc1.4d400c', width: 320, height: 180, audio: true })
    expect(viewer.got[2]).toEqual({ type: 'pos', wallclock: TEN_THIRTY + 13_000, mediaTime: 2 })
    const [first] = picturesOf(viewer.got)
    expect(first?.unit).toMatchObject({ isKey: true, time: 90_000 })
  })

  test('gets media at most about two seconds ahead', async () => {
    const viewer = await watch(TEN_THIRTY)
    await sleep(600)
    expect(viewer.media()).toBeGreaterThan(2)
    expect(viewer.media()).toBeLessThan(4.5)
  })

  test('gets continuous media across a gap, which is announced', async () => {
    const viewer = await watch(TEN_THIRTY + 28_500)
    viewer.say({ type: 'rate', value: 4 })
    await viewer.until(() => count(viewer, 'gap') > 0 && picturesOf(viewer.got).length > 100)
    expect(viewer.got).toContainEqual({ type: 'gap', from: TEN_THIRTY + 30_000, till: TEN_THIRTY + 90_000 })
    const times = picturesOf(viewer.got).map(({ unit }) => unit.time)
    expect(times).toEqual(times.map((_, index) => 90_000 + index * 3600))
  })

  test('gets a new init when the sound can no longer be played in a browser, with matching positions', async () => {
    const viewer = await watch(TEN_THIRTY + 29_000)
    viewer.say({ type: 'rate', value: 4 })
    await viewer.until(() => count(viewer, 'init') === 2 && picturesOf(viewer.got).length > 80)
    const inits = viewer.got.filter((one) => one.type === 'init')
    expect(inits.map((init) => init.audio)).toEqual([true, false])
    const position = viewer.got.findLast((one) => one.type === 'pos')
    expect(position?.wallclock).toBeGreaterThanOrEqual(TEN_THIRTY + 90_000)
  })

  test('gets no sound without the right', async () => {
    const viewer = await watch(TEN_THIRTY, { sound: 'withheld' })
    await viewer.until(() => picturesOf(viewer.got).length > 0)
    expect(viewer.got[0]).toMatchObject({ audio: false })
    expect(
      viewer.got.flatMap((one) => (one.type === 'samples' ? one.samples : [])).every(({ track }) => track === 0),
    ).toBe(true)
  })

  test('ends at its end, in the footage and in a gap, with a message', async () => {
    const viewer = await watch(TEN_THIRTY + 10_000, { till: TEN_THIRTY + 12_000 })
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 0 })
    await viewer.until(() => viewer.got.at(-1)?.type === 'end')
    expect(picturesOf(viewer.got)).toHaveLength(50)
    const inGap = await watch(TEN_THIRTY + 28_000, { till: TEN_THIRTY + 60_000 })
    expect(await inGap.ended).toEqual({ kind: 'ended', code: 0 })
    await inGap.until(() => inGap.got.at(-1)?.type === 'end')
    expect(picturesOf(inGap.got)).toHaveLength(50)
    expect(inGap.got).toContainEqual({ type: 'gap', from: TEN_THIRTY + 30_000, till: TEN_THIRTY + 60_000 })
  })

  test('a seek past its end ends it', async () => {
    const viewer = await watch(TEN_THIRTY, { till: TEN_THIRTY + 20_000 })
    await viewer.until(() => picturesOf(viewer.got).length > 0)
    viewer.say({ type: 'seek', time: TEN_THIRTY + 95_000 })
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 0 })
  })

  test('is notified of the end of the footage', async () => {
    const viewer = await watch(TEN_THIRTY + 98_000)
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 0 })
    await viewer.until(() => viewer.got.at(-1)?.type === 'end')
    expect(viewer.got.at(-1)).toEqual({ type: 'end', code: 0 })
    expect(picturesOf(viewer.got)).toHaveLength(50)
  })
})

describe('a viewer may', () => {
  test('seek: a new init, and the position of the new time', async () => {
    const viewer = await watch(TEN_THIRTY)
    await viewer.until(() => picturesOf(viewer.got).length > 0)
    viewer.say({ type: 'seek', time: TEN_THIRTY + 21_480 })
    await viewer.until(() => count(viewer, 'init') === 2 && viewer.media() > 0)
    const after = viewer.got.slice(viewer.got.findLastIndex((one) => one.type === 'init'))
    expect(after[2]).toEqual({ type: 'pos', wallclock: TEN_THIRTY + 21_480, mediaTime: 1 + 1.48 })
    expect(picturesOf(after)[0]?.unit).toMatchObject({ isKey: true, time: 90_000 })
  })

  test('pause: nothing more than the buffer arrives, and resume continues', async () => {
    const viewer = await watch(TEN_THIRTY)
    viewer.say({ type: 'pause' })
    await viewer.until(() => viewer.media() > 2)
    await sleep(400)
    const paused = viewer.media()
    await sleep(1200)
    expect(viewer.media()).toBe(paused)
    viewer.say({ type: 'resume' })
    await viewer.until(() => viewer.media() > paused)
  })

  test('play faster: the media arrives that much faster', async () => {
    const viewer = await watch(TEN_THIRTY)
    viewer.say({ type: 'rate', value: 4 })
    await sleep(1500)
    expect(viewer.media()).toBeGreaterThan(8)
    expect(viewer.media()).toBeLessThan(20)
  })

  test('play so fast that only key pictures arrive, continuously, and then slowly again without repeats', async () => {
    const viewer = await watch(TEN_THIRTY)
    viewer.say({ type: 'rate', value: 8 })
    await viewer.until(() => viewer.media() > 12)
    viewer.say({ type: 'rate', value: 4 })
    await viewer.until(() => viewer.media() > 24)
    const samples = picturesOf(viewer.got)
    for (const [index, { unit, duration }] of samples.entries()) {
      const next = samples[index + 1]
      if (next !== undefined) expect(next.unit.time).toBe(unit.time + duration)
    }
    expect(samples.some(({ duration }) => duration === 180_000)).toBe(true)
    expect(samples.at(-1)?.duration).toBe(3600)
  })

  test('play so fast that there is no sound: none is announced meanwhile, and it returns afterward', async () => {
    const viewer = await watch(TEN_THIRTY)
    await viewer.until(() => viewer.media() > 0)
    viewer.say({ type: 'rate', value: 8 })
    await viewer.until(() => count(viewer, 'init') === 2 && viewer.media() > 12)
    viewer.say({ type: 'rate', value: 4 })
    const soundsAfter = (init: number) =>
      samplesAfter(viewer.got, init).filter(({ unit }) => unit.kind === 'audio').length
    await viewer.until(() => count(viewer, 'init') === 3 && soundsAfter(2) > 20)
    const inits = viewer.got.filter((one) => one.type === 'init')
    expect(inits.map(({ audio }) => audio)).toEqual([true, false, true])
    expect(inits.map(({ mime }) => mime.includes('mp4a'))).toEqual([true, false, true])
    const tracks = viewer.got.filter((one) => one.type === 'tracks')
    expect(tracks.map((one) => one.tracks.map(({ kind }) => kind))).toEqual([
      ['video', 'audio'],
      ['video'],
      ['video', 'audio'],
    ])
    expect([soundsAfter(0) > 0, soundsAfter(1)]).toEqual([true, 0])
    // A player continues at its position: media time doesn't restart, and the time of the first picture is sent.
    for (const init of [1, 2]) {
      const [first] = samplesAfter(viewer.got, init)
      const [last] = picturesOf(viewer.got.slice(0, parsePath(viewer.got, init))).slice(-1)
      expect(first?.unit.time).toBe((last?.unit.time ?? 0) + (last?.duration ?? 0))
      expect(kinds(viewer.got).slice(parsePath(viewer.got, init)).slice(0, 4)).toEqual([
        'init',
        'tracks',
        'pos',
        'samples',
      ])
    }
  })

  test.each([
    [1, 10_040],
    [-1, 9960],
    [-60, 7600],
  ])('step by %i pictures while paused, exactly', async (frames, expected) => {
    const viewer = await watch(TEN_THIRTY + 4000)
    await viewer.until(() => viewer.media() > 0)
    viewer.say({ type: 'pause' })
    viewer.say({ type: 'seek', time: TEN_THIRTY + 10_000 })
    await viewer.until(() => count(viewer, 'init') === 2 && viewer.media() > 0)
    viewer.say({ type: 'step', frames })
    await viewer.until(() => count(viewer, 'init') === 3 && viewer.media() > 2)
    const after = viewer.got.slice(viewer.got.findLastIndex((one) => one.type === 'init'))
    const position = after.find((one) => one.type === 'pos')
    expect(position?.wallclock).toBe(TEN_THIRTY + expected)
    const shownTicks = Math.round((position?.mediaTime ?? 0) * 90_000)
    expect(picturesOf(after).map(({ unit }) => unit.time)).toContain(shownTicks)
  })

  test('send invalid messages', async () => {
    const viewer = await watch(TEN_THIRTY)
    const times = ['{"type":"seek"}', '{"type":"seek","time":1e300}', '{"type":"seek","time":-1}']
    for (const text of ['{', 'null', '{"type":"rate","value":99}', ...times, 'x'.repeat(2000)]) viewer.socket.send(text)
    await viewer.until(() => viewer.media() > 2)
    expect(count(viewer, 'init')).toBe(1)
  })
})

describe('the end of playback', () => {
  test('sends a revoked viewer the code of the reason and closes', async () => {
    const viewer = await watch(TEN_THIRTY)
    await viewer.until(() => picturesOf(viewer.got).length > 0)
    permission.abort(9)
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 9 })
    await viewer.until(() => viewer.got.at(-1)?.type === 'end')
    expect(viewer.got.at(-1)).toEqual({ type: 'end', code: 9 })
  })

  test('has code 16 for a viewer that accepts nothing', async () => {
    const viewer = await watch(TEN_THIRTY, { limits: { maxSocketBytes: -1, stuckAfterMs: 100, waitMs: 0 } })
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 16 })
  })

  test('leaves nothing behind when a viewer disconnects', async () => {
    const viewer = await watch(TEN_THIRTY)
    await viewer.until(() => picturesOf(viewer.got).length > 0)
    viewer.socket.close()
    expect(await viewer.ended).toEqual({ kind: 'left' })
  })
})

test('parts with jitter are all sent, because only the time in the run decides', async () => {
  const set = await stage({ segmentMs: 10_000 })
  const [tracks, units] = playTracks([footage('main.h264')], { seconds: 8, wallClock: TEN_THIRTY })
  const jittered = [...units].map(({ track, unit }, n) => ({
    track,
    // Every second part arrives early by the delay that a busy machine had before.
    unit: { ...unit, wallClock: unit.wallClock - (Math.floor(n / 20) % 2) * 40 },
  }))
  set.show(tracks, jittered)
  await set.stop()
  const viewer = await watch(TEN_THIRTY, { store: set.store })
  await viewer.until(() => viewer.got.some((one) => one.type === 'end'))
  expect(picturesOf(viewer.got)).toHaveLength(jittered.length)
})

test('footage in S3 that does not come ends the stream as timed out', async () => {
  const files = { open: () => Promise.reject(new FootageAway('S3 does not answer')) }
  const viewer = await watch(TEN_THIRTY, { files })
  expect(await viewer.ended).toMatchObject({ code: 19 })
})
