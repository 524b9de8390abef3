import { type SimulatedCamera, startCameras } from '@sightline/camera-simulator'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterEach, expect, test } from 'vitest'
import { checkedConnect } from '../camera-address.ts'
import { type EventsState, type FollowEventsOptions, followEvents } from './follow-events.ts'

const DAY_MINUTES = 1440
const DAY_MS = DAY_MINUTES * 60_000
const soon = { timeout: 10_000 }

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

/** A camera whose events are followed, and each reading of its clock. */
async function followed(timing: FollowEventsOptions['timing'] = {}) {
  const credentials = { username: 'viewer', password: 'right' }
  const clips = await sceneClips('car-park')
  const settings = { name: 'Door', mac: '02:00:00:00:00:21', ...credentials, clips }
  const [camera] = stack.use(await startCameras({ cameras: [settings] })).cameras
  if (camera === undefined) throw new Error('no camera')
  const stop = new AbortController()
  const states: EventsState['kind'][] = []
  const clocks: number[] = []
  const done = followEvents({
    address: { host: '127.0.0.1', port: camera.address.onvifPort, path: '/onvif/device_service', isSecure: false },
    credentials,
    connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
    signal: stop.signal,
    onState: ({ kind }) => states.push(kind),
    onMotion: () => undefined,
    onClock: (aheadMs) => clocks.push(aheadMs),
    timing: { pauseMs: 10, pullSeconds: 1, graceMs: 500, retryMs: 200, ...timing },
  })
  stack.defer(async () => {
    stop.abort()
    await done
  })
  await expect.poll(() => states, soon).toEqual(['following'])
  // Never -0, which is another number to a test.
  const minutesAhead = () => Math.round((clocks.at(-1) ?? 0) / 60_000) + 0
  return { camera, states, clocks, minutesAhead }
}

const jump = (camera: SimulatedCamera, byMs: number) => camera.fault({ kind: 'clock-jump', byMs })

test('the clock of a camera whose events are followed is read again, so that a jump and its end are known', async () => {
  const { camera, states, minutesAhead } = await followed({ clockEveryMs: 100 })
  await jump(camera, -DAY_MS)
  await expect.poll(minutesAhead, soon).toBe(-DAY_MINUTES)
  await jump(camera, 1)
  await expect.poll(minutesAhead, soon).toBe(0)
  expect(states).toEqual(['following'])
})

test('it is read once an hour, and not with every reply', async () => {
  const { camera, clocks } = await followed()
  const pulls = () => camera.onvifRequests.filter(({ operation }) => operation === 'PullMessages').length
  await expect.poll(pulls, soon).toBeGreaterThan(3)
  expect(clocks).toHaveLength(1)
})

test('it is read again after a gap of events', async () => {
  const { camera, states, clocks } = await followed()
  await camera.fault({ kind: 'refuse' })
  await expect.poll(() => states.at(-1), soon).toBe('lost')
  const before = clocks.length
  await camera.heal()
  await expect.poll(() => states.at(-1), soon).toBe('following')
  expect(clocks.length).toBeGreaterThan(before)
})
