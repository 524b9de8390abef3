/** Our RTSP client against our simulator with faults, and against the third-party gst-rtsp-server. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type SimulatedCamera,
  type Simulator,
  type SimulatorInput,
  startCameras,
} from '../../camera-simulator/src/index.ts'
import type { AccessUnit, StreamMessage, TrackConfig } from '../../server/media/src/frame/index.ts'
import {
  type CameraFault,
  type CameraState,
  checkedConnect,
  keepCameraConnected,
  newCounters,
  type PlayRtspOptions,
  parseRtspAddress,
  playRtsp,
  type StreamCounters,
} from '../../server/media/src/source/index.ts'
import { hasGst, startGstCamera } from './gst-camera.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })

interface Watched {
  readonly messages: StreamMessage[]
  readonly counters: StreamCounters
  readonly ended: Promise<CameraFault>
  readonly tracks: () => readonly TrackConfig[]
  readonly units: (kind: AccessUnit['kind']) => readonly AccessUnit[]
  readonly stop: () => void
}

const watched: Watched[] = []

function watch(url: string, options: Partial<PlayRtspOptions> = {}): Watched {
  const address = parseRtspAddress(url)
  if (!address.ok) throw new Error(address.failure.detail)
  const messages: StreamMessage[] = []
  const counters = newCounters()
  const stop = new AbortController()
  const publish = (message: StreamMessage): void => {
    messages.push(message)
  }
  const ended = playRtsp({ address: address.value, connect, signal: stop.signal, publish, counters, ...options })
  const units = (kind: AccessUnit['kind']): readonly AccessUnit[] =>
    messages.flatMap((message) => (message.kind === 'unit' && message.unit.kind === kind ? [message.unit] : []))
  const tracks = () => messages.findLast((message) => message.kind === 'tracks')?.tracks ?? []
  const one = { messages, counters, ended, tracks, units, stop: () => stop.abort() }
  watched.push(one)
  return one
}

afterEach(async () => {
  for (const one of watched) one.stop()
  await Promise.all(watched.splice(0).map((one) => one.ended))
})

const reach = (watching: Watched, count: number, kind: AccessUnit['kind'] = 'video') =>
  expect.poll(() => watching.units(kind).length, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(count)

const distances = (units: readonly AccessUnit[]): number[] =>
  units.slice(1).map((unit, index) => unit.time - (units[index]?.time ?? 0))

/** Checks what must be true for every stream. */
function expectSoundStream(watching: Watched): void {
  expect(watching.messages[0]?.kind).toBe('tracks')
  expect(watching.messages[1]).toMatchObject({ kind: 'unit', track: 0, unit: { kind: 'video', isKey: true } })
  for (const kind of ['video', 'audio'] as const) {
    for (const distance of distances(watching.units(kind))) expect(distance).toBeGreaterThan(0)
  }
  expect(watching.counters).toMatchObject({ lostPackets: 0, badPackets: 0, droppedPictures: 0, clockJumps: 0 })
}

describe('the simulated camera', () => {
  const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
  const account = { username: 'admin', password: 'correct horse' }
  const settings = {
    name: 'Yard',
    mac: '00:1b:44:11:3a:b7',
    ...account,
    clips: {
      main: { path: clip('main.h264'), framesPerSecond: 25 },
      sub: { path: clip('sub.h264'), framesPerSecond: 10 },
      audio: clip('audio.aac'),
    },
  }
  let simulator: Simulator | undefined

  async function start(more: Partial<SimulatorInput['cameras'][number]> = {}): Promise<SimulatedCamera> {
    simulator = await startCameras({ cameras: [{ ...settings, ...more }] })
    const [camera] = simulator.cameras
    if (camera === undefined) throw new Error('no camera')
    return camera
  }

  afterEach(async () => {
    await simulator?.stop()
  })

  test.each([
    { digestAlgorithms: ['MD5'], digestQop: 'auth' },
    { digestAlgorithms: ['MD5'], digestQop: 'none' },
    { digestAlgorithms: ['SHA-256'], digestQop: 'auth' },
    { digestAlgorithms: ['MD5', 'SHA-256'], digestQop: 'auth' },
  ] as const)(
    'with digest $digestAlgorithms, qop $digestQop: picture and sound arrive complete and in sync',
    async (digest) => {
      const camera = await start({ ...digest, digestAlgorithms: [...digest.digestAlgorithms] })
      const watching = watch(camera.rtspAddress('main'), { credentials: account })
      await reach(watching, 50)
      expectSoundStream(watching)
      expect(watching.tracks().map((track) => track.codec)).toEqual(['h264', 'aac'])
      expect(new Set(distances(watching.units('video')))).toEqual(new Set([3600]))
      const apart = (watching.units('video').at(-1)?.time ?? 0) - (watching.units('audio').at(-1)?.time ?? 0)
      expect(Math.abs(apart)).toBeLessThan(90_000 / 2)
      expect(Math.abs((watching.units('video').at(-1)?.cameraClock ?? 0) - Date.now())).toBeLessThan(1000)
    },
  )

  test('a wrong password is reported', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main'), { credentials: { ...account, password: 'wrong horse' } })
    const ended = await watching.ended
    expect(ended.kind).toBe('credentialsIncorrect')
    expect(JSON.stringify(ended)).not.toContain('wrong horse')
  })

  test('a nonexistent stream is reported', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main').replace('main', 'third'), { credentials: account })
    expect(await watching.ended).toMatchObject({ kind: 'streamNotFound', detail: expect.stringContaining('404') })
  })

  test('a stalled camera counts as silent after the timeout', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main'), { credentials: account, timeouts: { silentMs: 500 } })
    await reach(watching, 1)
    await camera.fault({ kind: 'stall' })
    expect(await watching.ended).toMatchObject({ kind: 'silent' })
  })

  test('garbage between packets is reported as lost framing', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main'), { credentials: account })
    await reach(watching, 1)
    await camera.fault({ kind: 'garbage' })
    expect((await watching.ended).kind).toMatch(/desync|badReply/)
  })

  test('the session is kept alive', async () => {
    const camera = await start({ sessionTimeoutSeconds: 2 })
    const watching = watch(camera.rtspAddress('sub'), { credentials: account })
    await reach(watching, 50)
    expectSoundStream(watching)
  })

  test('lost packets drop the pictures up to the next key picture, and are counted', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main'), { credentials: account })
    await reach(watching, 1)
    await camera.fault({ kind: 'drop-packets', every: 60 })
    await expect.poll(() => watching.counters.lostPackets, { timeout: 20_000 }).toBeGreaterThan(2)
    await camera.heal()
    await reach(watching, watching.units('video').length + 30)
    expect(watching.counters.droppedPictures).toBeGreaterThan(0)
    for (const [index, distance] of distances(watching.units('video')).entries()) {
      expect(distance).toBeGreaterThan(0)
      if (distance > 3600) expect(watching.units('video')[index + 1]?.isKey).toBe(true)
    }
  })

  test('packet numbers that step back cost pictures up to the next key picture, and no more', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main'), { credentials: account })
    // In the middle of ten pictures that depend on each other.
    await reach(watching, 14)
    await camera.fault({ kind: 'sequence-step', by: -10_000 })
    await expect.poll(() => watching.counters.lostPackets, { timeout: 20_000 }).toBeGreaterThan(0)
    await reach(watching, watching.units('video').length + 60)
    const units = watching.units('video')
    const holes = distances(units).flatMap((distance, index) => (distance > 3600 ? [units[index + 1]] : []))
    expect(holes).toMatchObject([{ isKey: true }])
  })

  test('a jump of the RTP clock causes no jump in the run', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main'), { credentials: account })
    await reach(watching, 10)
    await camera.fault({ kind: 'timestamp-jump', bySeconds: 5000 })
    await expect.poll(() => watching.counters.clockJumps, { timeout: 20_000 }).toBeGreaterThan(0)
    await reach(watching, watching.units('video').length + 10)
    for (const distance of distances(watching.units('video'))) {
      expect(distance).toBeGreaterThan(0)
      expect(distance).toBeLessThan(90_000)
    }
  })

  test('new parameter sets announce new tracks, followed by a key picture', async () => {
    const camera = await start()
    const watching = watch(camera.rtspAddress('main'), { credentials: account })
    await reach(watching, 5)
    await camera.fault({ kind: 'change-resolution' })
    const announcements = () => watching.messages.filter((message) => message.kind === 'tracks')
    await expect.poll(() => announcements().length, { timeout: 20_000 }).toBe(2)
    const [before, after] = announcements().map(({ tracks }) => tracks[0])
    expect(before).not.toEqual(after)
    const second = watching.messages.findLastIndex((message) => message.kind === 'tracks')
    await expect.poll(() => watching.messages[second + 1]).toMatchObject({ kind: 'unit', unit: { isKey: true } })
  })

  test('a camera that disappears and returns is online within three seconds, with a new run', async () => {
    const camera = await start()
    const address = parseRtspAddress(camera.rtspAddress('main'))
    if (!address.ok) throw new Error(address.failure.detail)
    const states: CameraState[] = []
    const messages: StreamMessage[] = []
    const stop = new AbortController()
    const kept = keepCameraConnected({
      play: (publish, signal) =>
        playRtsp({ address: address.value, credentials: account, connect, signal, publish, counters: newCounters() }),
      publish: (message) => messages.push(message),
      onState: (state) => states.push(state),
      signal: stop.signal,
    })
    const last = () => states.at(-1)?.kind
    await expect.poll(last, { timeout: 10_000 }).toBe('online')
    await camera.fault({ kind: 'refuse' })
    await expect
      .poll(() => states.filter((state) => state.kind === 'offline').length, { timeout: 10_000 })
      .toBeGreaterThan(2)
    await camera.heal()
    await expect.poll(last, { timeout: 4000, interval: 20 }).toBe('online')
    await expect.poll(() => messages.at(-1)?.kind).toBe('unit')
    stop.abort()
    await kept
    expect(messages.filter((message) => message.kind !== 'unit').map((message) => message.kind)).toEqual([
      'tracks',
      'ended',
      'tracks',
      'ended',
    ])
  })
})

describe.runIf(hasGst)('gst-rtsp-server', () => {
  const account = { username: 'admin', password: 'correct horse' }
  const servers = new AsyncDisposableStack()
  let open = ''
  let locked = ''

  beforeAll(async () => {
    open = servers.use(await startGstCamera()).url
    locked = servers.use(await startGstCamera(account)).url
  })

  afterAll(() => servers.disposeAsync())

  test.each([
    ['/h264pcma', ['avc1', 'alaw'], 128],
    ['/h264aac', ['avc1', 'mp4a.40.2'], 64],
    ['/h264opus', ['avc1', 'opus'], 20],
    ['/h265', ['hvc1'], 0],
  ] as const)('%s: picture and sound come whole', async (path, codecs, frameMs) => {
    const watching = watch(`${open}${path}`)
    await reach(watching, 30)
    expectSoundStream(watching)
    expect(watching.tracks()[0]).toMatchObject({ kind: 'video', width: 640, height: 360 })
    for (const [index, codec] of codecs.entries()) {
      expect(watching.tracks()[index]?.codecString.startsWith(codec), codec).toBe(true)
    }
    // There is a key picture every second.
    const keys = watching.units('video').filter((unit) => unit.isKey)
    for (const distance of distances(keys)) expect(Math.abs(distance - 90_000)).toBeLessThan(900)
    // Sound is aligned to its picture once, when both have reported the camera's clock, so one interval may differ.
    const uneven = distances(watching.units('audio')).filter((distance) => Math.abs(distance - frameMs * 90) >= 90)
    expect(uneven.length, `uneven distances: ${uneven.join()}`).toBeLessThanOrEqual(1)
  })

  test('pictures of a server that sends over UDP only come whole', async () => {
    const watching = watch(`${open}/h264udp`)
    await reach(watching, 30)
    expectSoundStream(watching)
  })

  test('reordered pictures arrive complete, with increasing times', async () => {
    const watching = watch(`${open}/h264bframes`)
    await reach(watching, 30)
    expectSoundStream(watching)
    expect(watching.counters.reorderedPictures).toBeGreaterThan(0)
  })

  test('digest authentication: the correct password plays, a wrong one is reported', async () => {
    const right = watch(`${locked}/h264pcma`, { credentials: account })
    await reach(right, 5)
    const wrong = watch(`${locked}/h264pcma`, { credentials: { ...account, password: 'wrong horse' } })
    expect((await wrong.ended).kind).toBe('credentialsIncorrect')
    const none = watch(`${locked}/h264pcma`)
    expect((await none.ended).kind).toBe('credentialsIncorrect')
  })
})

test.runIf(!hasGst)('gst-rtsp-server is not installed: only our own simulator was tested', ({ skip }) => {
  skip(
    'install gir1.2-gst-rtsp-server-1.0, python3-gi and gstreamer1.0-plugins-{base,good,bad,ugly}, gstreamer1.0-libav',
  )
})
