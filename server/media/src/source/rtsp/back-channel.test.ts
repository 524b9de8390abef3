import { setTimeout as sleep } from 'node:timers/promises'
import { type SimulatedCamera, startCameras } from '@sightline/camera-simulator'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterEach, expect, test } from 'vitest'
import { checkedConnect } from '../camera-address.ts'
import { type BackChannel, type BackChannelOptions, openBackChannel } from './back-channel.ts'
import { depacketizeAac } from './depacketize-audio.ts'
import { playRtsp } from './play-rtsp.ts'
import { parseRtspAddress, rtspUrl } from './rtsp-address.ts'
import { newCounters } from './stream-counters.ts'
import { scriptedCamera } from './testing/scripted-camera.ts'

type Kind = 'none' | 'refused' | 'PCMU' | 'PCMA' | 'AAC'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const credentials = { username: 'viewer', password: 'right' }

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

async function start(backChannel: Kind): Promise<SimulatedCamera> {
  const clips = await sceneClips('car-park')
  const settings = { name: 'Door', mac: '02:00:00:00:00:22', ...credentials, clips, backChannel }
  const simulator = stack.use(await startCameras({ cameras: [settings] }))
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  return camera
}

function addressOf(camera: SimulatedCamera) {
  const address = parseRtspAddress(camera.rtspAddress('main'))
  if (!address.ok) throw new Error(address.failure.detail)
  return address.value
}

const open = (camera: SimulatedCamera, more: Partial<BackChannelOptions> = {}) =>
  openBackChannel({
    address: addressOf(camera),
    connect,
    credentials,
    allowBasic: false,
    pin: { sha256: undefined },
    usesHttp: false,
    replyTimeoutMs: 5000,
    signal: AbortSignal.timeout(20_000),
    ...more,
  })

async function openTo(camera: SimulatedCamera, more: Partial<BackChannelOptions> = {}): Promise<BackChannel> {
  const opened = await open(camera, more)
  if (opened.kind !== 'open') throw new Error(`expected an open back channel, got ${JSON.stringify(opened)}`)
  return opened.channel
}

const tone = (samples: number) => Buffer.from(Array.from({ length: samples }, (_, index) => (index * 7) & 0xff))
const heard = (camera: SimulatedCamera) => Buffer.concat(camera.loudspeaker.heard.map(({ payload }) => payload))

test.each(['PCMU', 'PCMA'] as const)(
  'a camera with %s hears every sample, numbered without gaps, with a report',
  async (codec) => {
    const camera = await start(codec)
    const sound = tone(8050)
    {
      await using channel = await openTo(camera)
      expect(channel.codec).toBe(codec)
      await channel.push(sound.subarray(0, 3333))
      await channel.push(sound.subarray(3333))
    }
    await expect.poll(() => heard(camera).length).toBe(sound.length)
    expect(heard(camera)).toEqual(sound)
    const packets = camera.loudspeaker.heard
    const [first] = packets
    expect(first?.marker).toBe(true)
    expect(packets.map(({ payloadType }) => payloadType)).toEqual(packets.map(() => (codec === 'PCMU' ? 0 : 8)))
    expect(packets.map(({ sequence }) => (sequence - (first?.sequence ?? 0)) & 0xff_ff)).toEqual(
      packets.map((_, n) => n),
    )
    expect(camera.loudspeaker.reports.map((report) => report[1])).toEqual([200])
    expect(camera.loudspeaker.reports[0]?.readUInt32BE(4)).toBe(first?.source)
  },
)

test('a camera with AAC only is sent one frame a packet, with its size, and the time of each', async () => {
  const camera = await start('AAC')
  const frames = [40, 300, 8].map((length) => Buffer.alloc(length, length))
  {
    await using channel = await openTo(camera)
    expect(channel.codec).toEqual({ sampleRate: 16_000, channels: 1 })
    for (const frame of frames) await channel.push(frame)
  }
  await expect.poll(() => camera.loudspeaker.heard.length).toBe(3)
  const packets = camera.loudspeaker.heard
  const depacketize = depacketizeAac({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 })
  expect(packets.map(({ payload }) => depacketize?.(payload)?.map(({ bytes }) => Buffer.from(bytes)))).toEqual(
    frames.map((frame) => [frame]),
  )
  expect(packets.map(({ payloadType }) => payloadType)).toEqual([97, 97, 97])
  expect(packets.map(({ timestamp }) => (timestamp - (packets[0]?.timestamp ?? 0)) >>> 0)).toEqual([0, 1024, 2048])
})

test('sound after a pause begins a talk spurt, and its timestamp counts the pause', async () => {
  const camera = await start('PCMU')
  await using channel = await openTo(camera)
  await channel.push(tone(320))
  await expect.poll(() => camera.loudspeaker.heard.length).toBe(2)
  await sleep(600)
  await channel.push(tone(320))
  await expect.poll(() => camera.loudspeaker.heard.length).toBe(4)
  const packets = camera.loudspeaker.heard
  expect(packets.map(({ marker }) => marker)).toEqual([true, false, true, false])
  const pause = ((packets[2]?.timestamp ?? 0) - (packets[1]?.timestamp ?? 0)) >>> 0
  const spent = ((packets[2]?.at ?? 0) - (packets[1]?.at ?? 0)) * 8
  expect(Math.abs(pause - spent)).toBeLessThan(8 * 300)
  expect(pause).toBeGreaterThan(8 * 400)
})

test('the sender of the sound waits while more than half a second of it waits for the camera', async () => {
  const camera = await start('PCMU')
  await using channel = await openTo(camera)
  let isTaken = false
  const pushed = channel.push(tone(6000)).then(() => {
    isTaken = true
  })
  await expect.poll(() => camera.loudspeaker.heard.length).toBeGreaterThan(0)
  expect(isTaken).toBe(false)
  await pushed
  expect(heard(camera).length).toBeGreaterThanOrEqual(1840)
})

test('without sound the session ends by itself', async () => {
  const camera = await start('PCMU')
  const channel = await openTo(camera, { silenceMs: 200 })
  expect((await channel.ended).detail).toBe('no sound came')
  await expect.poll(() => camera.openConnections).toBe(0)
})

test('a camera that goes away ends the session, and no one waits', async () => {
  const camera = await start('PCMU')
  await using channel = await openTo(camera)
  const pushed = channel.push(tone(60_000))
  await camera.fault({ kind: 'reset' })
  await channel.ended
  await pushed
})

test.each(['none', 'refused'] as const)(
  'a camera without a back channel (%s) says so, and still plays',
  async (kind) => {
    const camera = await start(kind)
    expect(await open(camera)).toEqual({ kind: 'unsupported', codecs: [] })
    const stop = new AbortController()
    const counters = newCounters()
    const publish = () => stop.abort()
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)])
    await playRtsp({ address: addressOf(camera), connect, credentials, signal, counters, publish })
    expect(stop.signal.aborted).toBe(true)
  },
)

test('with a wrong password it is not known whether the camera has a back channel', async () => {
  const camera = await start('PCMU')
  const opened = await open(camera, { credentials: { username: 'viewer', password: 'wrong' } })
  expect(opened).toMatchObject({ kind: 'failed', fault: { kind: 'credentialsIncorrect' } })
})

test('a camera that sends its clients to another port of its own is followed, with the password', async () => {
  const camera = await start('PCMU')
  const moved = { status: '302 Moved Temporarily', headers: { Location: rtspUrl(addressOf(camera)) } }
  await using gate = await scriptedCamera(() => moved)
  const address = parseRtspAddress(gate.url)
  if (!address.ok) throw new Error(address.failure.detail)
  await using channel = await openTo(camera, { address: address.value })
  await channel.push(tone(160))
})

test('a channel that is not wanted any more closes', async () => {
  const camera = await start('PCMU')
  const stop = new AbortController()
  const channel = await openTo(camera, { signal: stop.signal })
  stop.abort()
  expect(await channel.ended).toMatchObject({ kind: 'closed' })
  await channel.push(tone(160))
})
