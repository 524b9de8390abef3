/** Our ONVIF client against the simulated camera. */
import { afterEach, expect, test } from 'vitest'
import { type SimulatedCamera, type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import { askOnvif, checkedConnect, newCounters, playRtsp } from '../../server/media/src/source/index.ts'

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const account = { username: 'admin', password: 'correct <horse> & "co"' }
const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })

let simulator: Simulator | undefined

async function start(): Promise<SimulatedCamera> {
  simulator = await startCameras({
    cameras: [
      {
        name: 'Yard',
        mac: '00:1b:44:11:3a:b7',
        ...account,
        clips: {
          main: { path: clip('main.h264'), framesPerSecond: 25 },
          sub: { path: clip('sub.h264'), framesPerSecond: 10 },
          audio: clip('audio.aac'),
        },
      },
    ],
  })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  return camera
}

const ask = (camera: SimulatedCamera, credentials = account) =>
  askOnvif({
    address: { host: '127.0.0.1', port: camera.address.onvifPort, path: '/onvif/device_service' },
    credentials,
    connect,
    signal: AbortSignal.timeout(10_000),
  })

afterEach(async () => {
  await simulator?.stop()
})

test('the client lists the streams, and the first one plays', async () => {
  const camera = await start()
  const asked = await ask(camera)
  if (!asked.ok) throw new Error(asked.failure.detail)
  expect(asked.value).toMatchObject({ manufacturer: 'Sightline', model: 'Simulated Camera' })
  expect(asked.value.profiles.map(({ token, encoding, hasAudio }) => [token, encoding, hasAudio])).toEqual([
    ['main', 'H264', true],
    ['sub', 'H264', true],
  ])
  const [main] = asked.value.profiles
  if (main === undefined) throw new Error('no profile')
  const stop = new AbortController()
  const seen: string[] = []
  await playRtsp({
    address: main.stream,
    credentials: account,
    connect,
    counters: newCounters(),
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]),
    publish: (message) => {
      seen.push(message.kind)
      if (message.kind === 'unit') stop.abort()
    },
  })
  expect(seen.slice(0, 2)).toEqual(['tracks', 'unit'])
})

test('a camera accepts the client although its clock is an hour ahead, but rejects a wrong password', async () => {
  const camera = await start()
  await camera.fault({ kind: 'clock-jump', byMs: 3_600_000 })
  const asked = await ask(camera)
  expect(asked).toMatchObject({ ok: true })
  if (asked.ok) expect(Math.abs(asked.value.clockAheadMs - 3_600_000)).toBeLessThan(2000)
  expect(await ask(camera, { ...account, password: 'wrong horse' })).toMatchObject({
    ok: false,
    failure: { kind: 'credentialsIncorrect' },
  })
})
