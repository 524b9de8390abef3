import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamServerMessage } from '@sightline/contract/streams'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { createHub, type Hub } from '../hub/index.ts'
import { readFragment } from '../mux/index.ts'
import { type LiveEnd, type LiveLimits, serveLive } from './index.ts'

const sps = Uint8Array.from(Buffer.from('6742c01ed900a02ff97011000003000100000300320f162e48', 'hex'))
const pps = Uint8Array.from(Buffer.from('68cb83cb20', 'hex'))
const video: TrackConfig = {
  kind: 'video',
  codec: 'h264',
  codecString: 'avc1.42c01e',
  width: 640,
  height: 360,
  parameterSets: [sps, pps],
}
const aac: TrackConfig = {
  kind: 'audio',
  codec: 'aac',
  codecString: 'mp4a.40.2',
  sampleRate: 16_000,
  channels: 1,
  config: Uint8Array.of(0x14, 0x08),
}
const pcma: TrackConfig = { ...aac, codec: 'pcma', codecString: 'alaw', sampleRate: 8000, config: new Uint8Array(0) }

const START = 1_700_000_000_000
const PICTURE_TICKS = 3600

const picture = (number: number, isKey: boolean, bytes = 300): AccessUnit => ({
  kind: 'video',
  time: number * PICTURE_TICKS,
  wallClock: START + number * 40,
  isKey,
  units: [new Uint8Array(bytes).fill(number & 0xff)],
})

const sound = (time: number): AccessUnit => ({
  kind: 'audio',
  time,
  wallClock: START,
  isKey: true,
  units: [Uint8Array.of(1, 2, 3)],
})

const show = (hub: Hub, ...units: AccessUnit[]): void => {
  for (const unit of units) hub.publish({ kind: 'unit', unit, track: unit.kind === 'video' ? 0 : 1 })
}

type Got = StreamServerMessage | Buffer

interface Viewer {
  readonly socket: WebSocket
  readonly got: Got[]
  readonly ended: Promise<LiveEnd>
  readonly closed: Promise<unknown>
  /** The first messages, as soon as there are that many. */
  first(count: number): Promise<Got[]>
}

let http: Server
let sockets: WebSocketServer
let hub: Hub
let viewers: Viewer[]
let permission: AbortController

beforeEach(async () => {
  hub = createHub()
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
  expect(hub.readers).toBe(0)
})

async function join(options: { limits?: Partial<LiveLimits>; sound?: 'allowed' | 'withheld' } = {}): Promise<Viewer> {
  const accepted = once(sockets, 'connection')
  const { port } = http.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  const got: Got[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data: Buffer, isBinary) => {
    got.push(isBinary ? data : JSON.parse(data.toString()))
    for (const wake of waiting) wake()
  })
  const closed = once(socket, 'close')
  const [[peer]] = (await Promise.all([accepted, once(socket, 'open')])) as [[WebSocket], unknown]
  const { limits = {}, sound: heard = 'allowed' } = options
  const ended = serveLive({ socket: peer, hub, sound: heard, signal: permission.signal, limits })
  const first = async (count: number): Promise<Got[]> => {
    while (got.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      await promise
      waiting.delete(resolve)
    }
    return got.slice(0, count)
  }
  const viewer = { socket, got, ended, closed, first }
  viewers.push(viewer)
  return viewer
}

/** Text as it is, fragments as `track@ticks`. */
const shape = (got: readonly Got[]): unknown[] =>
  got.map((one) => {
    if (!Buffer.isBuffer(one)) return one
    if (one.toString('latin1', 4, 8) === 'ftyp') return 'init segment'
    const [sample] = readFragment(one, [video, aac], { origin: 0, wallClockAtZero: 0 })
    return sample === undefined ? 'nothing' : `${sample.track}@${sample.unit.time}`
  })

const init = {
  type: 'init',
  mime: 'video/mp4; codecs="avc1.42c01e"',
  codec: 'avc1.42c01e',
  width: 640,
  height: 360,
  audio: false,
}

describe('a viewer', () => {
  test('gets init, the initialization segment and the current group of pictures immediately, then each new picture', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    show(hub, picture(0, true), picture(1, false), picture(2, true), picture(3, false))
    const viewer = await join()
    await viewer.first(5)
    show(hub, picture(4, false))
    expect(shape(await viewer.first(6))).toEqual([
      init,
      'init segment',
      { type: 'pos', wallclock: START + 80, mediaTime: 0.08 },
      '0@7200',
      '0@10800',
      '0@14400',
    ])
  })

  test('gets the time of day once per second of media', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join()
    show(hub, ...Array.from({ length: 60 }, (_, number) => picture(number, number === 0)))
    const got = await viewer.first(2 + 60 + 3)
    const positions = got.filter((one) => !Buffer.isBuffer(one) && one.type === 'pos')
    expect(positions).toEqual(
      [0, 25, 50].map((number) => ({ type: 'pos', wallclock: START + number * 40, mediaTime: number / 25 })),
    )
  })

  test('hears AAC', async () => {
    hub.publish({ kind: 'tracks', tracks: [video, aac] })
    show(hub, picture(0, true), sound(100))
    const viewer = await join()
    expect(shape(await viewer.first(5))).toEqual([
      { ...init, mime: 'video/mp4; codecs="avc1.42c01e,mp4a.40.2"', audio: true },
      'init segment',
      expect.objectContaining({ type: 'pos' }),
      '0@0',
      '1@100',
    ])
  })

  test.each([
    ['G.711, which no browser plays in MP4', pcma, 'allowed'],
    ['sound without the right', aac, 'withheld'],
  ] as const)('gets only the picture, not %s', async (_, track, heard) => {
    hub.publish({ kind: 'tracks', tracks: [video, track] })
    show(hub, picture(0, true), sound(100), picture(1, false))
    const viewer = await join({ sound: heard })
    expect(shape(await viewer.first(5))).toEqual([
      init,
      'init segment',
      expect.objectContaining({ type: 'pos' }),
      '0@0',
      '0@3600',
    ])
  })

  test('gets a new init when the camera changes its tracks', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    show(hub, picture(0, true))
    const viewer = await join()
    await viewer.first(4)
    hub.publish({ kind: 'tracks', tracks: [{ ...video, width: 320, height: 180 }] })
    show(hub, picture(1, true))
    expect(shape((await viewer.first(8)).slice(4))).toEqual([
      { ...init, width: 320, height: 180 },
      'init segment',
      { type: 'pos', wallclock: START + 40, mediaTime: 0.04 },
      '0@3600',
    ])
  })

  test('stays connected through a short camera outage, with a new init for the new run', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    show(hub, picture(50, true))
    const viewer = await join()
    await viewer.first(4)
    hub.publish({ kind: 'ended', cause: 'closed' })
    hub.publish({ kind: 'tracks', tracks: [video] })
    show(hub, picture(0, true))
    expect(shape((await viewer.first(8)).slice(4))).toEqual([
      init,
      'init segment',
      { type: 'pos', wallclock: START, mediaTime: 0 },
      '0@0',
    ])
  })

  test('may pause, and resumes with the current group of pictures', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    show(hub, picture(0, true))
    const viewer = await join()
    await viewer.first(4)
    viewer.socket.send(JSON.stringify({ type: 'pause' }))
    await expect.poll(() => hub.readers).toBe(0)
    show(hub, picture(1, false), picture(2, true), picture(3, false))
    viewer.socket.send(JSON.stringify({ type: 'resume' }))
    expect(shape((await viewer.first(6)).slice(4))).toEqual(['0@7200', '0@10800'])
  })

  test.each([['{'], ['null'], ['[]'], ['{"type":"pause"'], ['{"type":1}'], ['x'.repeat(2000)]])(
    'may send invalid text: %s',
    async (text) => {
      hub.publish({ kind: 'tracks', tracks: [video] })
      const viewer = await join()
      viewer.socket.send(text)
      viewer.socket.send(Buffer.from(text))
      show(hub, picture(0, true))
      expect(shape(await viewer.first(4)).at(-1)).toBe('0@0')
    },
  )
})

describe('the end of a stream', () => {
  test('sends a revoked viewer the code of the reason and closes', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join()
    await viewer.first(2)
    permission.abort(9)
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 9 })
    await viewer.closed
    expect(viewer.got.at(-1)).toEqual({ type: 'end', code: 9 })
  })

  test('closes a revoked viewer that reads nothing', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join({ limits: { maxSocketBytes: 1000 } })
    viewer.socket.pause()
    show(hub, ...Array.from({ length: 150 }, (_, number) => picture(number, number === 0, 100_000)))
    permission.abort(9)
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 9 })
  })

  test('sends no picture to a viewer without permission', async () => {
    permission.abort(4)
    hub.publish({ kind: 'tracks', tracks: [video] })
    show(hub, picture(0, true))
    const viewer = await join()
    await viewer.closed
    expect(viewer.got).toEqual([{ type: 'end', code: 4 }])
  })

  test('has code 18 if the camera is offline', async () => {
    hub.publish({ kind: 'ended', cause: 'unreachable' })
    const viewer = await join()
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 18 })
  })

  test('has code 18 if the camera is away longer than the grace period', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    show(hub, picture(0, true))
    const viewer = await join({ limits: { offlineGraceMs: 20 } })
    await viewer.first(4)
    hub.publish({ kind: 'ended', cause: 'closed' })
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 18 })
  })

  test('has code 19 if no track has pictures', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join({ limits: { firstPictureMs: 20 } })
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 19 })
  })

  test('has code 16 for a viewer whose socket accepts nothing', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join({ limits: { maxSocketBytes: 1000, stuckAfterMs: 50 } })
    viewer.socket.pause()
    show(hub, ...Array.from({ length: 150 }, (_, number) => picture(number, number === 0, 100_000)))
    expect(await viewer.ended).toEqual({ kind: 'ended', code: 16 })
  })

  test("follows if a viewer doesn't answer a ping", async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join({ limits: { pingEveryMs: 30 } })
    viewer.socket.pause()
    expect(await viewer.ended).toEqual({ kind: 'left' })
  })

  test('leaves nothing behind when a viewer disconnects', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join()
    await viewer.first(2)
    viewer.socket.close()
    expect(await viewer.ended).toEqual({ kind: 'left' })
  })
})

test('a slow viewer skips to a later key picture, while another gets every picture', async () => {
  hub.publish({ kind: 'tracks', tracks: [video] })
  const slow = await join({ limits: { maxSocketBytes: 100_000, lateAfterMs: 50, maxQueuedBytes: 3_000_000 } })
  const prompt = await join()
  await Promise.all([slow.first(2), prompt.first(2)])
  slow.socket.pause()
  for (let number = 0; number < 300; number++) {
    show(hub, picture(number, number % 10 === 0, 100_000))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  slow.socket.resume()
  await expect.poll(() => shape(prompt.got).includes(`0@${299 * PICTURE_TICKS}`), { timeout: 10_000 }).toBe(true)
  let number = 300
  await expect
    .poll(
      () => {
        show(hub, picture(number, number % 10 === 0, 1000))
        number++
        return shape(slow.got).at(-1) === `0@${(number - 2) * PICTURE_TICKS}`
      },
      { timeout: 10_000, interval: 20 },
    )
    .toBe(true)
  const numbers = shape(slow.got)
    .filter((one) => typeof one === 'string' && one.startsWith('0@'))
    .map((one) => Number(String(one).slice(2)) / PICTURE_TICKS)
  expect(numbers.length).toBeLessThan(number - 1)
  for (const [index, one] of numbers.entries()) {
    const before = numbers[index - 1]
    if (before !== undefined && one !== before + 1) expect(one % 10).toBe(0)
  }
  expect(
    shape(prompt.got).filter((one) => typeof one === 'string' && one.startsWith('0@')).length,
  ).toBeGreaterThanOrEqual(300)
})

describe('a stream that refreshes gradually', () => {
  const recoveryPoint = (number: number, more: Partial<AccessUnit> = {}): AccessUnit => ({
    ...picture(number, true),
    recovery: 2,
    ...more,
  })
  const plain = (number: number): AccessUnit => picture(number, false)

  test('is shown from the first whole picture on, also after a loss', async () => {
    hub.publish({ kind: 'tracks', tracks: [video] })
    const viewer = await join()
    await expect.poll(() => viewer.got.length).toBe(2)
    show(hub, recoveryPoint(25), plain(26))
    show(hub, plain(27), plain(28))
    const pos = (number: number) => ({
      type: 'pos',
      wallclock: START + number * 40,
      mediaTime: number / 25,
    })
    const group = ['0@90000', '0@93600', '0@97200', '0@100800']
    expect(shape(await viewer.first(7))).toEqual([init, 'init segment', pos(27), ...group])
    show(hub, recoveryPoint(35, { followsLoss: true }), plain(36), plain(37))
    expect(shape((await viewer.first(14)).slice(7))).toEqual([
      init,
      'init segment',
      pos(37),
      '0@125999',
      '0@126000',
      '0@129600',
      '0@133200',
    ])
  })
})
