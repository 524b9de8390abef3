/** What a worker learns of a camera by trying outlives the worker, and is unlearned when it no longer works. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SimulatedCamera, type SimulatorInput, startCameras } from '../../camera-simulator/src/index.ts'
import { testCamera } from '../../camera-simulator/src/testing/clips.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

type Settings = Partial<SimulatorInput['cameras'][number]>
const common = { ...testCamera, username: 'admin', password: 'secret' }
let stack: AsyncDisposableStack
let watched: WatchedCamera

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  watched = stack.use(await watchedCamera())
})
afterEach(() => stack.disposeAsync())

interface StartedCamera extends AsyncDisposable {
  readonly camera: SimulatedCamera
}

/** The watched camera becomes one with these settings; at the ports of `former`, nothing that the server knows changes. */
async function become(settings: Settings, former?: SimulatedCamera): Promise<StartedCamera> {
  const { rtspPort, onvifPort } = former?.address ?? { rtspPort: 0, onvifPort: 0 }
  const simulator = await startCameras({ cameras: [{ ...common, ...settings, rtspPort, onvifPort }] })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('the simulator has no camera')
  if (former === undefined)
    await watched.api.owner.plain
      .updateTable('cameras')
      .set({ rtsp_port: camera.address.rtspPort, onvif_port: camera.address.onvifPort })
      .where('camera_id', '=', watched.cameraId)
      .execute()
  return { camera, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const status = async () => (await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/status`)).body

async function learned(): Promise<Record<string, unknown>> {
  const row = await watched.api.owner.plain
    .selectFrom('camera_habits')
    .select('habits')
    .where('camera_id', '=', watched.cameraId)
    .executeTakeFirst()
  return (row?.habits ?? {}) as Record<string, unknown>
}

/** Records the camera by a worker that starts and ends, and returns what the camera was asked meanwhile. */
async function recordOnce(camera: SimulatedCamera, isDone: () => Promise<boolean> = async () => true) {
  const before = { rtsp: camera.rtspRequests.length, onvif: camera.onvifRequests.length }
  await using _worker = await watched.openWorker()
  await until('the camera is recorded', async () => (await status()).recordingOnCloud === true)
  await until('what was learned is kept', isDone)
  return {
    rtsp: camera.rtspRequests.slice(before.rtsp),
    onvif: camera.onvifRequests.slice(before.onvif),
  }
}

type Asked = Awaited<ReturnType<typeof recordOnce>>
const setUps = ({ rtsp }: Asked) =>
  rtsp.filter(({ method }) => method === 'SETUP').map(({ transport = '' }) => transport)
const overTcp = (asked: Asked) => setUps(asked).filter((transport) => transport.includes('TCP')).length
const notOverHttp = ({ rtsp }: Asked) => rtsp.filter(({ method }) => method === 'none').length
const withToken = ({ onvif }: Asked) => onvif.filter(({ hasToken }) => hasToken).length

interface Kind {
  readonly name: string
  readonly settings: Settings
  readonly habits: Record<string, unknown>
  /** What it becomes, which takes nothing of what was learned. */
  readonly later?: Settings
  /** Requests that the camera doesn't take. */
  readonly detours: (asked: Asked) => number
  /** Whether the camera was asked what shows it. */
  readonly isAsked?: (camera: SimulatedCamera) => boolean
}

const kinds: readonly Kind[] = [
  { name: 'sends over UDP only', settings: { rtspMedia: 'udp' }, habits: { usesUdp: true }, detours: overTcp },
  {
    name: 'speaks RTSP over HTTP only',
    settings: { rtspOverHttp: true },
    habits: { usesHttp: true },
    detours: notOverHttp,
  },
  {
    name: 'takes the password of ONVIF only by HTTP digest',
    settings: { onvifAuthentication: 'digest' },
    habits: { onvifAuthentication: 'digest' },
    later: { onvifAuthentication: 'token' },
    detours: withToken,
    isAsked: ({ onvifRequests }) => onvifRequests.some(({ operation }) => operation === 'CreatePullPointSubscription'),
  },
]

describe.each(kinds)('a camera that $name', ({ settings, habits, later = {}, detours, isAsked = () => true }) => {
  const keptOf = (camera: SimulatedCamera) => async () => {
    const stored = await learned()
    return isAsked(camera) && Object.entries(habits).every(([name, value]) => stored[name] === value)
  }

  test('is asked in the way that worked when its worker starts again, and anew if it is reached otherwise', async () => {
    await using started = await become(settings)
    const { camera } = started
    expect(detours(await recordOnce(camera, keptOf(camera)))).toBeGreaterThan(0)
    const asked = camera.onvifRequests.length
    const again = await recordOnce(camera, async () => isAsked(camera) && camera.onvifRequests.length > asked + 3)
    expect(again.rtsp.length).toBeGreaterThan(0)
    expect(detours(again)).toBe(0)

    await watched.api.owner.plain
      .updateTable('cameras')
      .set({ allow_basic: true })
      .where('camera_id', '=', watched.cameraId)
      .execute()
    const anew = camera.onvifRequests.length
    const other = await recordOnce(camera, async () => camera.onvifRequests.length > anew + 3)
    expect(detours(other)).toBeGreaterThan(0)
  }, 120_000)

  test('that became another kind is recorded all the same, and what was learned is forgotten', async () => {
    const former = await become(settings)
    await recordOnce(former.camera, keptOf(former.camera))
    await former[Symbol.asyncDispose]()
    await using started = await become(later, former.camera)
    await recordOnce(started.camera, async () => {
      const left = await learned()
      return Object.keys(habits).every((name) => left[name] === undefined)
    })
  }, 120_000)
})
