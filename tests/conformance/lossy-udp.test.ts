/** A camera that sends over UDP only, on a way that reorders, repeats and loses packets: our simulator and gst-rtsp-server. */
import { describe, expect, test } from 'vitest'
import { startCameras } from '../../camera-simulator/src/index.ts'
import type { StreamMessage } from '../../server/media/src/frame/index.ts'
import {
  checkedConnect,
  newCounters,
  parseRtspAddress,
  playRtsp,
  type StreamCounters,
} from '../../server/media/src/source/index.ts'
import { dice } from '../chaos/everything-killed.ts'
import { type LossyWay, lossyWay, type Way } from '../fixtures/lossy-way.ts'
import { hasGst, startGstCamera } from './gst-camera.ts'

const PICTURES = 50
const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const credentials = { username: 'admin', password: 'correct horse' }
/** What the window of 50 ms puts in order, also on a machine that is late itself. */
const reordered: Partial<Way> = { late: 0.3, lateMs: 20, repeated: 0.1 }

interface Camera extends AsyncDisposable {
  readonly rtspPort: number
  readonly path: string
  /** From one picture to the next. */
  readonly ticks: number
  /** A share of its packets that costs some of its pictures. */
  readonly lost: number
}

async function simulated(): Promise<Camera> {
  const settings = {
    name: 'Yard',
    mac: '00:1b:44:11:3a:b7',
    ...credentials,
    rtspMedia: 'udp' as const,
    clips: {
      main: { path: clip('main.h264'), framesPerSecond: 25 },
      sub: { path: clip('sub.h264'), framesPerSecond: 10 },
    },
  }
  const simulator = await startCameras({ cameras: [settings] })
  const rtspPort = simulator.cameras[0]?.address.rtspPort ?? 0
  return {
    rtspPort,
    path: '/main',
    ticks: 3600,
    lost: 0.005,
    [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose](),
  }
}

async function thirdParty(): Promise<Camera> {
  const gst = await startGstCamera()
  const rtspPort = Number(new URL(gst.url).port)
  return {
    rtspPort,
    path: '/h264udp',
    ticks: 6000,
    lost: 0.03,
    [Symbol.asyncDispose]: () => gst[Symbol.asyncDispose](),
  }
}

interface Played {
  /** Each picture's time in ticks, in the order of their arrival. */
  readonly times: readonly number[]
  readonly counters: StreamCounters
  readonly way: Pick<LossyWay, 'counted' | 'reports' | 'tooLate'>
}

/** Until there are enough pictures and, with loss, a report of some. */
async function play({ rtspPort, path }: Camera, change: Partial<Way>): Promise<Played> {
  await using way = await lossyWay(rtspPort, dice(7))
  way.change(change)
  const address = parseRtspAddress(`rtsp://127.0.0.1:${way.rtspPort}${path}`)
  if (!address.ok) throw new Error(address.failure.detail)
  const stop = new AbortController()
  const times: number[] = []
  const counters = newCounters()
  const isEnough = () => times.length >= PICTURES && (change.lost === undefined || lossReported(way) > 0)
  const ended = await playRtsp({
    address: address.value,
    credentials,
    connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(40_000)]),
    publish: (message: StreamMessage) => {
      if (message.kind !== 'unit' || message.unit.kind !== 'video') return
      times.push(message.unit.time)
      if (isEnough()) stop.abort()
    },
    counters,
    timeouts: { reportMs: 500 },
  })
  expect([ended.detail, times.length >= PICTURES]).toEqual(['stopped by the server', true])
  return { times, counters, way }
}

const lossReported = ({ reports }: Pick<LossyWay, 'reports'>): number => reports.at(-1)?.lostPackets ?? 0
const steps = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0))

const cameras = [
  { name: 'our simulator', isThere: true, start: simulated },
  { name: 'gst-rtsp-server', isThere: hasGst, start: thirdParty },
]

describe.concurrent.each(cameras.filter(({ isThere }) => isThere))('$name', ({ start }) => {
  test('packets that overtake each other or come twice cost no picture', async ({ expect }) => {
    await using camera = await start()
    const { times, counters, way } = await play(camera, reordered)
    expect(way.counted.late).toBeGreaterThan(10)
    expect(way.counted.repeated).toBeGreaterThan(3)
    for (const step of steps(times)) expect(step).toBeGreaterThan(0)
    // A process that is busy itself passes some on later than meant.
    if (way.tooLate.length > 0) return expect(counters.lostPackets).toBeLessThanOrEqual(way.tooLate.length)
    expect(counters).toMatchObject({ lostPackets: 0, badPackets: 0, droppedPictures: 0 })
    const took = (times.at(-1) ?? 0) - (times[0] ?? 0)
    expect(Math.round(took / camera.ticks)).toBe(times.length - 1)
    // A packet that came twice counts as one that was received (RFC 3550 §6.4.1).
    expect(lossReported(way)).toBeLessThanOrEqual(0)
    expect(lossReported(way)).toBeGreaterThanOrEqual(-way.counted.repeated)
  })

  test('lost packets are counted, reported to the camera, and cost pictures up to the next key picture only', async ({
    expect,
  }) => {
    await using camera = await start()
    const { times, counters, way } = await play(camera, { lost: camera.lost })
    expect(counters.lostPackets).toBeGreaterThan(0)
    // What was lost at the very beginning or end has no packet around it that would tell.
    expect(counters.lostPackets).toBeLessThanOrEqual(way.counted.lost)
    expect(way.counted.lost - counters.lostPackets).toBeLessThanOrEqual(3)
    expect(lossReported(way)).toBeGreaterThan(0)
    expect(lossReported(way)).toBeLessThanOrEqual(way.counted.lost)
    for (const step of steps(times)) expect(step).toBeGreaterThan(0)
    expect(steps(times).some((step) => step > camera.ticks)).toBe(true)
  })
})
