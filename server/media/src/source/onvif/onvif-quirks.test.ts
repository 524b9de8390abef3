import { type SimulatedCamera, startCameras } from '@sightline/camera-simulator'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { selfSignedPair } from '@sightline/platform/certificate'
import { afterEach, describe, expect, test } from 'vitest'
import { checkedConnect } from '../camera-address.ts'
import type { CameraHabits } from '../camera-habits.ts'
import { type EventsState, type FollowEventsOptions, followEvents } from './follow-events.ts'
import type { ReportedChange } from './motion-spans.ts'
import { askOnvif } from './onvif-camera.ts'
import { OnvifClient, type OnvifOptions } from './onvif-client.ts'
import { onReachedHost } from './onvif-services.ts'
import { anything } from './shapes.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const credentials = { username: 'viewer', password: 'right' }
type Settings = Parameters<typeof startCameras>[0]['cameras'][number]
type Quirks = Extract<Parameters<SimulatedCamera['fault']>[0], { kind: 'onvif-quirks' }>['quirks']

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

async function start(settings: Partial<Settings> = {}): Promise<SimulatedCamera> {
  const clips = await sceneClips('car-park')
  const account = { username: 'viewer', password: 'right' }
  const simulator = stack.use(
    await startCameras({ cameras: [{ name: 'Door', mac: '02:00:00:00:00:21', ...account, clips, ...settings }] }),
  )
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  return camera
}

const optionsOf = (camera: SimulatedCamera, isSecure = false): OnvifOptions => ({
  address: { host: '127.0.0.1', port: camera.address.onvifPort, path: '/onvif/device_service', isSecure },
  credentials,
  connect,
  signal: AbortSignal.timeout(15_000),
})
const ask = (camera: SimulatedCamera) => askOnvif(optionsOf(camera))
const bad = (camera: SimulatedCamera, ...quirks: Quirks) => camera.fault({ kind: 'onvif-quirks', quirks })
const streams = (camera: SimulatedCamera) => [
  { token: 'main', encoding: 'H264', width: 1920, stream: { port: camera.address.rtspPort, path: '/main' } },
  { token: 'sub', encoding: 'H264', width: 640, stream: { port: camera.address.rtspPort, path: '/sub' } },
]

describe('a camera is understood', () => {
  test.each<readonly [Quirks[number], ...Quirks]>([
    ['byte-order-mark'],
    ['leading-blank'],
    ['bad-utf8'],
    ['other-prefixes'],
    ['zero-date'],
    ['no-get-services'],
    ['media2-only'],
    ['media2-empty'],
    ['inner-addresses'],
    ['byte-order-mark', 'leading-blank', 'bad-utf8', 'other-prefixes', 'inner-addresses'],
  ])('with %s', async (...quirks) => {
    const camera = await start()
    await bad(camera, ...quirks)
    expect(await ask(camera)).toMatchObject({ ok: true, value: { profiles: streams(camera) } })
  })

  test('with a profile whose stream address fails: the others are there', async () => {
    const camera = await start()
    await bad(camera, 'sub-stream-address-fails')
    const asked = await ask(camera)
    expect(asked.ok && asked.value.profiles.map(({ token }) => token)).toEqual(['main'])
  })

  test('whose clock is hours off: tokens carry its time', async () => {
    const camera = await start({ onvifAuthentication: 'token' })
    await camera.fault({ kind: 'clock-jump', byMs: -7_200_000 })
    const asked = await ask(camera)
    expect(asked.ok && Math.abs(asked.value.clockAheadMs + 7_200_000)).toBeLessThan(2000)
  })

  test('whose clock was set meanwhile: it is read once more before the password is called wrong', async () => {
    const camera = await start({ onvifAuthentication: 'token' })
    const client = new OnvifClient(optionsOf(camera))
    const service = { address: client.address, named: '' }
    const call = { service, namespace: 'http://www.onvif.org/ver10/device/wsdl', operation: 'GetScopes' } as const
    expect(await client.call({ ...call, shape: anything })).toMatchObject({ ok: true })
    await camera.fault({ kind: 'clock-jump', byMs: 3_600_000 })
    expect(await client.call({ ...call, shape: anything })).toMatchObject({ ok: true })
  })
})

describe('credentials', () => {
  test.each(['either', 'token', 'digest'] as const)('are given as the camera takes them: %s', async (way) => {
    expect(await ask(await start({ onvifAuthentication: way }))).toMatchObject({ ok: true })
  })

  test('are sent in plain text only with consent', async () => {
    const camera = await start({ onvifAuthentication: 'basic' })
    expect(await ask(camera)).toMatchObject({ failure: { kind: 'authenticationUnsupported' } })
    expect(camera.onvifRequests.map(({ scheme }) => scheme)).not.toContain('Basic')
    expect(await askOnvif({ ...optionsOf(camera), allowBasic: true })).toMatchObject({ ok: true })
  })

  test.each(['token', 'digest', 'basic'] as const)(
    'in a way that it took before, and now takes only %s',
    async (way) => {
      const camera = await start({ onvifAuthentication: way })
      for (const remembered of ['digest', 'basic'] as const) {
        const habits: CameraHabits = { onvifAuthentication: remembered }
        expect(await askOnvif({ ...optionsOf(camera), allowBasic: true, habits })).toMatchObject({ ok: true })
        expect(habits.onvifAuthentication).toBe(way === 'token' ? undefined : way)
      }
    },
  )

  test.each(['either', 'token', 'digest'] as const)('that are wrong are tried twice at most: %s', async (way) => {
    const camera = await start({ onvifAuthentication: way })
    await camera.fault({ kind: 'wrong-password' })
    expect(await ask(camera)).toMatchObject({ failure: { kind: 'credentialsIncorrect' } })
    const tries = camera.onvifRequests.filter(({ hasToken, scheme }) => hasToken || scheme !== undefined)
    expect(tries.length).toBeLessThanOrEqual(2)
  })
})

describe('a camera over TLS', () => {
  const pair = () =>
    selfSignedPair({ names: ['127.0.0.1'], notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000 })

  test('is taken with the certificate that it has, and later with no other', async () => {
    const camera = await start({ onvifTls: pair() })
    const asked = await askOnvif(optionsOf(camera, true))
    if (!asked.ok) throw new Error(asked.failure.detail)
    expect(asked.value.certificate?.length).toBe(32)
    const pinned = { ...optionsOf(camera, true), certificate: asked.value.certificate }
    expect(await askOnvif(pinned)).toMatchObject({ ok: true })
    const other = await start({ onvifTls: pair(), mac: '02:00:00:00:00:22' })
    expect(await askOnvif({ ...pinned, address: optionsOf(other, true).address })).toMatchObject({
      failure: { kind: 'certificateChanged' },
    })
    expect(other.onvifRequests).toEqual([])
  })

  test('is asked over TLS whatever it names', () => {
    const reached = { host: '192.0.2.9', port: 8443, path: '/onvif/device_service', isSecure: true }
    for (const host of ['192.0.2.9', '192.0.2.9:8443', '192.0.2.9:80', '10.0.0.1'])
      for (const device of [undefined, 'http://192.0.2.9/onvif/device_service', 'http://10.0.0.1/'])
        expect(onReachedHost(reached, `http://${host}/onvif/media`, device)).toEqual({
          ...reached,
          path: '/onvif/media',
        })
  })

  test('gets the password in plain text, and its services without TLS do not', async () => {
    const [secure, plain] = [
      await start({ onvifTls: pair(), onvifAuthentication: 'basic' }),
      await start({ onvifAuthentication: 'basic', mac: '02:00:00:00:00:22' }),
    ]
    const client = new OnvifClient(optionsOf(plain))
    const call = { namespace: 'http://www.onvif.org/ver10/device/wsdl', operation: 'GetScopes', shape: anything }
    const service = (camera: SimulatedCamera, isSecure: boolean) => ({ ...optionsOf(camera, isSecure), named: '' })
    expect(await client.call({ ...call, service: service(secure, true) })).toMatchObject({ ok: true })
    expect(await client.call({ ...call, service: service(plain, false) })).toMatchObject({
      failure: { kind: 'authenticationUnsupported' },
    })
    expect(plain.onvifRequests.map(({ scheme }) => scheme)).not.toContain('Basic')
  })

  test('may ask for the password in plain text', async () => {
    const camera = await start({ onvifTls: pair(), onvifAuthentication: 'basic' })
    expect(await askOnvif(optionsOf(camera, true))).toMatchObject({ ok: true })
  })
})

describe('events', () => {
  function follow(
    camera: SimulatedCamera,
    timing: FollowEventsOptions['timing'] = {},
    sources: FollowEventsOptions['sources'] = null,
    pirInputs: FollowEventsOptions['pirInputs'] = undefined,
  ) {
    const stop = new AbortController()
    const states: EventsState[] = []
    const motion: ReportedChange[] = []
    const clocks: number[] = []
    const done = followEvents({
      ...optionsOf(camera),
      signal: stop.signal,
      sources,
      pirInputs,
      onState: (state) => states.push(state),
      onMotion: (change) => motion.push(change),
      onClock: (aheadMs) => clocks.push(aheadMs),
      timing: { pauseMs: 10, pullSeconds: 2, graceMs: 500, retryMs: 200, ...timing },
    })
    const end = async () => {
      stop.abort()
      await done
    }
    stack.defer(end)
    return { states, motion, clocks, end }
  }

  test.each<readonly [string, Quirks]>([
    ['nothing special', []],
    ['a topic that ends in slashes', ['topic-slashes']],
    ['no topic', ['missing-topic']],
    ['inner addresses', ['inner-addresses']],
    ['no synchronization', ['no-synchronization']],
    ['dates that are no dates', ['zero-date']],
    ['unusual prefixes', ['other-prefixes', 'byte-order-mark']],
    ['no durations', ['absolute-termination']],
  ])('of motion begin and end, of a camera with %s', async (_, quirks) => {
    const camera = await start()
    await bad(camera, ...quirks)
    const { states, motion } = follow(camera)
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
    const before = Date.now()
    camera.events.move(true)
    await expect.poll(() => motion.length).toBe(1)
    expect(Math.abs((motion[0]?.at ?? 0) - before)).toBeLessThan(2000)
    camera.events.move(false)
    await expect.poll(() => motion.map(({ kind }) => kind)).toEqual(['begin', 'end'])
  })

  test.each([
    ['intrusion', 'RuleEngine/FieldDetector/ObjectsInside', 'IsInside'],
    ['pir', 'Device/Sensor/PIR', 'state'],
    ['pir', 'Device/Trigger/PIR', 'State'],
    ['audio', 'AudioAnalytics/Audio/DetectedSound', 'IsSoundDetected'],
    ['audio', 'AudioSource/AudioAlarm', 'State'],
  ] as const)('of the type %s begin and end by %s', async (type, topic, name) => {
    const camera = await start()
    const { states, motion } = follow(camera)
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
    camera.events.detect(topic, { name, value: true })
    await expect.poll(() => motion).toMatchObject([{ kind: 'begin', type }])
    camera.events.detect(topic, { name, value: false })
    await expect
      .poll(() => motion.map((change) => [change.kind, change.type]))
      .toEqual([
        ['begin', type],
        ['end', type],
      ])
  })

  test('of a tripwire that is crossed are moments that end without a report', async () => {
    const camera = await start()
    const { states, motion } = follow(camera)
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
    camera.events.detect('RuleEngine/LineDetector/Crossed')
    await expect.poll(() => motion.map(({ kind }) => kind), { timeout: 8000 }).toEqual(['begin', 'end'])
    const [begin, end] = motion
    expect(begin?.type).toBe('tripwire')
    expect((end?.at ?? 0) - (begin?.at ?? 0)).toBeLessThanOrEqual(4000)
  })

  test('of a digital input are a PIR sensor’s only where a user said that one is wired to it', async () => {
    const camera = await start()
    const [wired, other] = [['input-DoorInput'], ['input-Another']].map((inputs) =>
      follow(camera, {}, null, () => inputs),
    )
    await expect.poll(() => [wired, other].map((one) => one?.states.at(-1)?.kind)).toEqual(['following', 'following'])
    const report = (state: boolean) =>
      camera.events.port({
        topic: 'Device/Trigger/DigitalInput',
        item: 'InputToken',
        token: 'DoorInput',
        state: String(state),
      })
    report(true)
    await expect.poll(() => wired?.motion).toMatchObject([{ kind: 'begin', type: 'pir' }])
    report(false)
    await expect.poll(() => wired?.motion.map(({ kind }) => kind)).toEqual(['begin', 'end'])
    await other?.end()
    expect(other?.motion).toEqual([])
  })

  test('of the other inputs of a recorder are left out', async () => {
    const camera = await start()
    const [own, other] = [
      ['source', 'source-main'],
      ['source2', 'source-main2'],
    ].map((names) => follow(camera, {}, names))
    await expect.poll(() => [own, other].map((one) => one?.states.at(-1)?.kind)).toEqual(['following', 'following'])
    camera.events.move(true)
    camera.events.move(false)
    await expect.poll(() => own?.motion.map(({ kind }) => kind)).toEqual(['begin', 'end'])
    await other?.end()
    expect(other?.motion).toEqual([])
  })

  test('carry the time of the camera, less its offset; both are known', async () => {
    const camera = await start()
    await camera.fault({ kind: 'clock-jump', byMs: 3_600_000 })
    const { states, motion, clocks } = follow(camera)
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
    expect(Math.abs((clocks[0] ?? 0) - 3_600_000)).toBeLessThan(2000)
    camera.events.move(true, Date.now() + 3_600_000 - 3000)
    await expect.poll(() => motion.length).toBe(1)
    const [begin] = motion
    const offset = Date.now() - (begin?.at ?? 0)
    expect(offset).toBeGreaterThan(1500)
    expect(begin).toMatchObject({ cameraTime: expect.any(Number) })
  })

  test('have one subscription, which is given back at the end', async () => {
    const camera = await start()
    const { states, end } = follow(camera)
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
    expect(camera.events.subscriptions).toBe(1)
    await end()
    expect(camera.events.subscriptions).toBe(0)
  })

  test('are renewed at 80 % of their life', async () => {
    const camera = await start()
    const { states } = follow(camera, { terminationSeconds: 3, shortestRenewalMs: 500, pullSeconds: 1 })
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
    await expect
      .poll(() => camera.onvifRequests.filter(({ operation }) => operation === 'Renew').length)
      .toBeGreaterThan(1)
    expect(camera.onvifRequests.filter(({ operation }) => operation === 'CreatePullPointSubscription').length).toBe(1)
  })

  test('that a camera forgot, as after its restart, are subscribed to again at once', async () => {
    const camera = await start()
    const { states, motion } = follow(camera)
    await expect.poll(() => states.length).toBe(1)
    camera.events.forget()
    await expect.poll(() => states.length).toBe(2)
    expect(states.map(({ kind }) => kind)).toEqual(['following', 'following'])
    camera.events.move(true)
    await expect.poll(() => motion.length).toBe(1)
  })

  test('that a camera forgets again and again are subscribed to once a minute', async () => {
    const camera = await start()
    const { states } = follow(camera, { retryMs: 60_000 })
    await expect.poll(() => states.length).toBe(1)
    camera.events.forget()
    await expect.poll(() => states.length).toBe(2)
    camera.events.forget()
    await expect.poll(() => states.at(-1)).toMatchObject({ kind: 'lost', retryInMs: 60_000 })
  })

  test('that no longer come are lost, and come back with the camera', async () => {
    const camera = await start()
    const { states } = follow(camera, { pullSeconds: 1 })
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
    await bad(camera, 'events-silent')
    await expect.poll(() => states.at(-1)?.kind).toBe('lost')
    await camera.heal()
    await expect.poll(() => states.at(-1)?.kind).toBe('following')
  })

  test('are not supported by a camera that refuses them', async () => {
    const camera = await start()
    await bad(camera, 'no-events')
    const { states } = follow(camera)
    await expect.poll(() => states.at(-1)).toMatchObject({ kind: 'unsupported' })
  })

  test('with a wrong password are asked for as seldom as a stream', async () => {
    const camera = await start()
    await camera.fault({ kind: 'wrong-password' })
    const { states } = follow(camera, { retryMs: 1 })
    await expect.poll(() => states.length, { timeout: 5000 }).toBe(3)
    expect(states.at(-1)).toMatchObject({ kind: 'lost', cause: { kind: 'credentialsIncorrect' } })
    const last = states.at(-1)
    expect(last?.kind === 'lost' ? last.retryInMs : 0).toBeGreaterThan(200_000)
  })
})

test('a host that may not be reached is not connected to, whatever address the camera names', async () => {
  const camera = await start()
  await bad(camera, 'inner-addresses')
  const hosts: string[] = []
  const watched: typeof connect = (target) => {
    hosts.push(target.host)
    return connect(target)
  }
  await askOnvif({ ...optionsOf(camera), connect: watched })
  expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']))
})
