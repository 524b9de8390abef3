import { afterEach, expect, test } from 'vitest'
import type { SimulatedCamera } from './camera.ts'
import { type Simulator, startCameras } from './simulator.ts'
import { testCamera } from './testing/clips.ts'
import { type Packet, RtspTestClient, readReport, readRtp } from './testing/viewer.ts'

let simulator: Simulator | undefined
const viewers: RtspTestClient[] = []

async function startCamera(): Promise<SimulatedCamera> {
  simulator = await startCameras({ cameras: [testCamera] })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  return camera
}

async function watch(camera: SimulatedCamera, path = '/main'): Promise<RtspTestClient> {
  const viewer = await RtspTestClient.watching(camera.address.rtspPort, path, testCamera)
  viewers.push(viewer)
  await viewer.until(() => videoOf(viewer).length > 5, 'the first pictures')
  return viewer
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const videoOf = (viewer: RtspTestClient): Packet[] => viewer.packets.filter(({ channel }) => channel === 0)

async function moreOf(viewer: RtspTestClient, count: number): Promise<ReturnType<typeof readRtp>[]> {
  const before = videoOf(viewer).length
  await viewer.until(() => videoOf(viewer).length >= before + count, `${count} more packets`)
  return videoOf(viewer).slice(before).map(readRtp)
}

afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.close()
  await simulator?.stop()
  simulator = undefined
})

test('stall: nothing arrives, not even a reply, and the connection stays open; once healed, the stream continues', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  await camera.fault({ kind: 'stall' })
  await pause(50)
  const bytes = viewer.receivedBytes
  viewer.send('OPTIONS', camera.rtspAddress('main'), {})
  await pause(300)
  expect(viewer.receivedBytes).toBe(bytes)
  expect(viewer.closedBy).toBe('nothing')
  await camera.heal()
  await moreOf(viewer, 5)
  expect(viewer.isOutOfStep).toBe(false)
})

test('reset: the connection ends with a reset, and the next one works', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  await camera.fault({ kind: 'reset' })
  await viewer.until(() => viewer.closedBy !== 'nothing', 'the end')
  expect(viewer.closedBy).toBe('reset')
  await watch(camera)
})

test('refuse: both ports are closed; once healed, they are open again with the same numbers', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  const { rtspPort, onvifPort } = camera.address
  await camera.fault({ kind: 'refuse' })
  await viewer.until(() => viewer.closedBy === 'reset', 'the end')
  await expect(RtspTestClient.connect(rtspPort)).rejects.toThrow('ECONNREFUSED')
  await expect(RtspTestClient.connect(onvifPort)).rejects.toThrow('ECONNREFUSED')
  await camera.heal()
  expect(camera.address).toMatchObject({ rtspPort, onvifPort })
  await watch(camera)
})

test('garbage: the viewer can no longer parse the stream', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  await camera.fault({ kind: 'garbage' })
  await viewer.until(() => viewer.isOutOfStep, 'garbage')
  expect(viewer.closedBy).toBe('nothing')
})

test('wrong-password: viewers are disconnected and the password is rejected until the fault is healed', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  await camera.fault({ kind: 'wrong-password' })
  await viewer.until(() => viewer.closedBy === 'reset', 'the end')
  const next = await RtspTestClient.connect(camera.address.rtspPort)
  viewers.push(next)
  expect((await next.signIn(camera.rtspAddress('main'), testCamera)).status).toBe(401)
  await camera.heal()
  expect((await next.signIn(camera.rtspAddress('main'), testCamera)).status).toBe(200)
})

test('slow: no more bytes than allowed, still in whole packets', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  await camera.fault({ kind: 'slow', bytesPerSecond: 20_000 })
  await pause(200)
  const bytes = viewer.receivedBytes
  await pause(1000)
  expect(viewer.receivedBytes - bytes).toBeGreaterThan(0)
  expect(viewer.receivedBytes - bytes).toBeLessThan(30_000)
  await camera.heal()
  const packets = await moreOf(viewer, 50)
  expect(viewer.isOutOfStep).toBe(false)
  for (const [at, { sequence }] of packets.entries())
    expect(sequence).toBe(((packets[0]?.sequence ?? 0) + at) & 0xff_ff)
})

test('clock-jump: sender reports and ONVIF give the wrong time, RTP time continues', async () => {
  const camera = await startCamera()
  await camera.fault({ kind: 'clock-jump', byMs: -3_600_000 })
  const viewer = await watch(camera)
  const report = viewer.packets.find(({ channel }) => channel === 1)
  expect(report && Math.abs(readReport(report).wallClock + 3_600_000 - Date.now())).toBeLessThan(10_000)
  expect(Math.abs(camera.describe().now + 3_600_000 - Date.now())).toBeLessThan(1000)
  await camera.heal()
  expect(Math.abs(camera.describe().now - Date.now())).toBeLessThan(1000)
})

test('timestamp-jump: RTP time jumps between two pictures, sequence numbers do not', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  await camera.fault({ kind: 'timestamp-jump', bySeconds: 600 })
  await moreOf(viewer, 60)
  const packets = videoOf(viewer).map(readRtp)
  const steps = packets
    .slice(1)
    .map(({ timestamp }, at) => (timestamp - (packets[at]?.timestamp ?? 0) + 2 ** 32) % 2 ** 32)
  expect(steps.filter((step) => step > 3600)).toEqual([600 * 90_000 + 3600])
  for (const [at, { sequence }] of packets.entries())
    expect(sequence).toBe(((packets[0]?.sequence ?? 0) + at) & 0xff_ff)
})

test('drop-packets: every nth sequence number is missing', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  await camera.fault({ kind: 'drop-packets', every: 5 })
  await moreOf(viewer, 20)
  const packets = await moreOf(viewer, 40)
  const lost = packets.slice(1).flatMap(({ sequence }, at) => {
    const before = packets[at]?.sequence ?? 0
    return ((sequence - before) & 0xff_ff) === 2 ? [(before + 1) & 0xff_ff] : []
  })
  expect(lost.length).toBeGreaterThanOrEqual(8)
  for (const [at, sequence] of lost.entries()) expect(sequence).toBe(((lost[0] ?? 0) + at * 5) & 0xff_ff)
})

test('change-resolution: the running stream switches to another SPS, and back to the first when healed', async () => {
  const camera = await startCamera()
  const viewer = await watch(camera)
  const setsOf = () =>
    videoOf(viewer)
      .map((packet) => readRtp(packet).payload)
      .filter((payload) => ((payload[0] ?? 0) & 0x1f) === 7)
      .map((payload) => payload.toString('hex'))
  const [before] = setsOf()
  await camera.fault({ kind: 'change-resolution' })
  await viewer.until(() => setsOf().at(-1) !== before, 'another SPS')
  await camera.heal()
  await viewer.until(() => setsOf().at(-1) === before, 'the first SPS again')
})

test('viewer-limit: one more viewer gets 453; once healed, it is served', async () => {
  const camera = await startCamera()
  await watch(camera)
  await camera.fault({ kind: 'viewer-limit', most: 1 })
  await expect(RtspTestClient.watching(camera.address.rtspPort, '/sub', testCamera)).rejects.toThrow()
  await camera.heal()
  await watch(camera, '/sub')
})

test('reset-stream: the connections of one stream are reset', async () => {
  const camera = await startCamera()
  const [main, sub] = [await watch(camera), await watch(camera, '/sub')]
  await camera.fault({ kind: 'reset-stream', stream: 'sub' })
  await sub.until(() => sub.closedBy === 'reset', 'the end')
  await moreOf(main, 5)
})

test('sub-stream-missing: the sub-stream is not found, and the main stream continues', async () => {
  const camera = await startCamera()
  await camera.fault({ kind: 'sub-stream-missing' })
  await expect(RtspTestClient.watching(camera.address.rtspPort, '/sub', testCamera)).rejects.toThrow()
  await watch(camera)
})
