import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamServerMessage } from '@sightline/contract/streams'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import type { TrackConfig } from '../frame/index.ts'
import { readFragment, readInitSegment } from '../mux/index.ts'
import { CAMERA, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { type PlaybackEnd, type PlaybackSocketOptions, servePlayback } from './index.ts'

afterAll(removeTemporaryFolders)

/** Footage of 30 s, a gap of 60 s, and 10 s more. */
let store: string
let http: Server
let sockets: WebSocketServer
let ended: Promise<PlaybackEnd>[]
let open: WebSocket[]
const SECOND = 1000

beforeAll(async () => {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('main.h264')], { seconds: 30, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks([footage('main.h264')], { seconds: 10, wallClock: TEN_THIRTY + 90 * SECOND }))
  await set.stop()
  store = set.store
})

beforeEach(async () => {
  ended = []
  open = []
  http = createServer()
  sockets = new WebSocketServer({ server: http })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
})

afterEach(async () => {
  for (const socket of open) socket.terminate()
  sockets.close()
  http.close()
  await Promise.all(ended)
})

/** Times of pictures in milliseconds since the start of the footage, as they are sent. */
async function watch(at: number, options: Partial<PlaybackSocketOptions> = {}) {
  const accepted = once(sockets, 'connection')
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const messages: StreamServerMessage[] = []
  const pictures: { readonly at: number; readonly isKey: boolean }[] = []
  let tracks: readonly TrackConfig[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) messages.push(JSON.parse(data.toString()))
    else if (data.toString('latin1', 4, 8) === 'ftyp') tracks = readInitSegment(data)
    else {
      for (const { unit } of readFragment(data, tracks, { origin: 0, wallClockAtZero: 0 })) {
        pictures.push({ at: Math.round(unit.time / 90) - TEN_THIRTY, isKey: unit.isKey })
      }
    }
  })
  const [[peer]] = (await Promise.all([accepted, once(socket, 'open')])) as [[WebSocket], unknown]
  open.push(socket)
  ended.push(
    servePlayback({
      socket: peer,
      store,
      stream: CAMERA,
      time: TEN_THIRTY + at,
      mediaTimes: 'wallclock',
      signal: new AbortController().signal,
      ...options,
      limits: { waitMs: 0 },
    }),
  )
  return {
    pictures,
    messages,
    say: (message: unknown) => socket.send(JSON.stringify(message)),
    until: (condition: () => boolean) => expect.poll(condition, { timeout: 10_000, interval: 20 }).toBe(true),
  }
}

test('media times are times of day, so that several cameras follow one clock', async () => {
  const viewer = await watch(13 * SECOND)
  await viewer.until(() => viewer.pictures.some(({ at }) => at >= 14 * SECOND))
  expect(viewer.pictures[0]?.isKey).toBe(true)
  expect(viewer.pictures[0]?.at).toBeLessThanOrEqual(13 * SECOND)
  expect(viewer.messages.find(({ type }) => type === 'pos')).toMatchObject({
    mediaTime: expect.closeTo((TEN_THIRTY + (viewer.pictures[0]?.at ?? 0)) / 1000, 2),
  })
})

test('a gap is told at once and keeps its length: what follows it is not sent before its time', async () => {
  const viewer = await watch(29 * SECOND)
  await viewer.until(() => viewer.messages.some(({ type }) => type === 'gap'))
  await viewer.until(() => viewer.pictures.some(({ at }) => at >= 29.9 * SECOND))
  expect(viewer.pictures.filter(({ at }) => at >= 30.5 * SECOND)).toEqual([])
  viewer.say({ type: 'shown', time: TEN_THIRTY + 89 * SECOND })
  await viewer.until(() => viewer.pictures.some(({ at }) => at >= 90 * SECOND && at < 91 * SECOND))
})

test('a time inside of a gap starts the clock there, not at the next picture', async () => {
  const viewer = await watch(60 * SECOND)
  await viewer.until(() => viewer.messages.some(({ type }) => type === 'gap'))
  expect(viewer.pictures).toEqual([])
})

test('a start in a gap is told, however short the rest of it is', async () => {
  const viewer = await watch(89.6 * SECOND)
  await viewer.until(() => viewer.pictures.length > 0)
  const gap = { from: TEN_THIRTY + 89.6 * SECOND, till: TEN_THIRTY + 90 * SECOND }
  expect(viewer.messages.filter(({ type }) => type === 'gap')).toEqual([{ type: 'gap', ...gap }])
})

test('backwards, groups of pictures come last first, each whole from its key picture, and gaps are told', async () => {
  const viewer = await watch(91 * SECOND)
  viewer.say({ type: 'rate', value: -4 })
  await viewer.until(() => viewer.pictures.some(({ at }) => at >= 90 * SECOND))
  viewer.say({ type: 'shown', time: TEN_THIRTY + 30 * SECOND })
  await viewer.until(() => viewer.pictures.some(({ at }) => at < 24 * SECOND))
  const backwards = viewer.pictures.filter(({ at }) => at < 40 * SECOND)
  const keys = backwards.filter(({ isKey }) => isKey).map(({ at }) => at)
  expect(keys).toEqual(keys.toSorted((a, b) => b - a))
  const [first] = backwards
  expect(first?.isKey).toBe(true)
  expect(viewer.messages).toContainEqual(expect.objectContaining({ type: 'gap', till: TEN_THIRTY + 90 * SECOND }))
})

test('backwards, playback ends where the footage begins', async () => {
  const viewer = await watch(3 * SECOND)
  viewer.say({ type: 'rate', value: -16 })
  await viewer.until(() => viewer.messages.some((message) => message.type === 'end' && message.code === 0))
  expect(viewer.pictures.at(-1)?.at).toBe(0)
})

/** Two recordings with a break in between; the last groups of pictures before it are 6 s long, longer than what is sent ahead. */
async function longGroups(): Promise<string> {
  const set = await stage({ segmentMs: 10_000 })
  const [tracks, units] = playTracks([footage('main.h264')], { seconds: 12, wallClock: TEN_THIRTY })
  const isKeyOfLong = (wallClock: number) => (wallClock - TEN_THIRTY) % 6000 === 0
  set.show(
    tracks,
    [...units].map(({ track, unit }) => ({
      track,
      unit: { ...unit, isKey: unit.isKey && isKeyOfLong(unit.wallClock) },
    })),
  )
  set.lose('silent')
  set.show(...playTracks([footage('main.h264')], { seconds: 10, wallClock: TEN_THIRTY + 30 * SECOND }))
  await set.stop()
  return set.store
}

test.each([
  ['over a gap', 30, 12 * SECOND - 1],
  ['in a recording', 8, 6 * SECOND - 1],
])('paused, a step back %s gets its whole group of pictures, however long before it begins', async (_, from, to) => {
  const viewer = await watch(from * SECOND, { store: await longGroups() })
  viewer.say({ type: 'pause' })
  viewer.say({ type: 'rate', value: -1 })
  await viewer.until(() => viewer.pictures.some(({ at }) => at > to))
  viewer.say({ type: 'shown', time: TEN_THIRTY + to })
  await viewer.until(() => viewer.pictures.some(({ at }) => at <= to && to - at < 41))
})

test('a jump into a gap while it plays backwards is reported after the `init` that ends the jump', async () => {
  const viewer = await watch(93 * SECOND)
  viewer.say({ type: 'rate', value: -1 })
  await viewer.until(() => viewer.pictures.some(({ at }) => at < 93 * SECOND))
  viewer.messages.length = 0
  viewer.say({ type: 'seek', time: TEN_THIRTY + 60 * SECOND })
  // What was sent before the jump may still arrive first.
  const sinceJump = () => {
    const types = viewer.messages.map(({ type }) => type)
    return types.includes('init') ? types.slice(types.indexOf('init')) : []
  }
  await viewer.until(() => sinceJump().includes('gap'))
  expect(sinceJump().slice(0, 2)).toEqual(['init', 'gap'])
})

test('a viewer of small tiles can ask for key pictures only', async () => {
  const viewer = await watch(5 * SECOND, { pictures: 'keys' })
  viewer.say({ type: 'shown', time: TEN_THIRTY + 20 * SECOND })
  await viewer.until(() => viewer.pictures.some(({ at }) => at >= 20 * SECOND))
  expect(viewer.pictures.every(({ isKey }) => isKey)).toBe(true)
})

test('a negative rate is ignored where media time is continuous', async () => {
  const viewer = await watch(13 * SECOND, { mediaTimes: 'continuous' })
  viewer.say({ type: 'rate', value: -1 })
  await viewer.until(() => viewer.pictures.length > 40)
  expect(viewer.messages.filter(({ type }) => type === 'init')).toHaveLength(1)
})
