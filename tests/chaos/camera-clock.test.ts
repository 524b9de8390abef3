/** The clock of a camera is set from the API's answer down to the camera's own clock, by the worker that owns the camera. */
import type { CameraLogEntry } from '@sightline/contract/camera-logs'
import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker
const MINUTES_3 = 180_000

beforeAll(async () => {
  watched = await watchedCamera()
  await connectedBy(watched.camera.address.onvifPort)
  await watched.camera.fault({ kind: 'clock-jump', byMs: -MINUTES_3 })
  worker = await watched.openWorker()
  await until('the wrong clock is in the log', async () => (await linesOf('clockWrong')).length === 1)
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})
beforeEach(() => watched.camera.heal())

/** The message has whole seconds, and a busy camera carries it out later. */
const PRECISE_MS = 2000

const connectedBy = (onvifPort: number | null) =>
  watched.database
    .db('owner')
    .plain.updateTable('cameras')
    .set({ onvif_port: onvifPort })
    .where('camera_id', '=', watched.cameraId)
    .execute()
const linesOf = async (event: CameraLogEntry['event']): Promise<readonly CameraLogEntry[]> => {
  const log: readonly CameraLogEntry[] = (await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/logs`))
    .body
  return log.filter((line) => line.event === event)
}
const setClock = (): Promise<CameraCommandAnswer<'setClock'>> =>
  worker.command({ cameraId: watched.cameraId, name: 'setClock', input: null })
const aheadMs = (): number => watched.camera.describe().now - Date.now()
const bad = (
  ...quirks: ('time-by-ntp' | 'no-administrator' | 'no-set-clock' | 'no-set-time-zone' | 'clock-not-set')[]
) => watched.camera.fault({ kind: 'onvif-quirks', quirks })
const wrong = () => watched.camera.fault({ kind: 'clock-jump', byMs: -MINUTES_3 })

const warnings = async (): Promise<readonly string[]> =>
  (await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/status`)).body.warnings

test('a clock three minutes behind is set to the second that the message names, and the log says so', async () => {
  await until('its status warns of it', async () => (await warnings()).includes('clockWrong'))
  await wrong()
  const answer = await setClock()
  if (answer.kind !== 'done' || answer.output.kind !== 'set') throw new Error(`not set: ${JSON.stringify(answer)}`)
  expect(Math.abs(answer.output.aheadBeforeMs + MINUTES_3)).toBeLessThan(1500)
  expect(Math.abs(answer.output.aheadMs)).toBeLessThan(PRECISE_MS)
  expect(Math.abs(aheadMs())).toBeLessThan(PRECISE_MS)
  await until('the log has it', async () => (await linesOf('clockSet')).length === 1)
  expect((await linesOf('clockSet'))[0]?.detail).toBe("the camera's clock was set; it was 180 s behind")
  await until('the warning is over', async () => !(await warnings()).includes('clockWrong'))
})

test('a camera that refuses its own time zone keeps it and is set without', async () => {
  await wrong()
  await bad('no-set-time-zone')
  expect(await setClock()).toMatchObject({ kind: 'done', output: { kind: 'set' } })
  expect(Math.abs(aheadMs())).toBeLessThan(PRECISE_MS)
})

test.each([
  ['gets its time by NTP', 'time-by-ntp', { kind: 'done', output: { kind: 'usesNtp' } }],
  ['has a user who is no administrator', 'no-administrator', { kind: 'credentialsIncorrect' }],
  ["doesn't know the operation", 'no-set-clock', { kind: 'unsupported' }],
  ['accepts a time and ignores it', 'clock-not-set', { kind: 'rejected' }],
] as const)('a camera that %s is not reported as set', async (_, quirk, answer) => {
  await wrong()
  await bad(quirk)
  expect(await setClock()).toMatchObject(answer)
  expect(aheadMs()).toBeLessThan(-100_000)
})

test('a camera that is off is offline', async () => {
  await watched.camera.fault({ kind: 'refuse' })
  expect(await setClock()).toMatchObject({ kind: 'cameraOffline' })
})

test('a camera that is connected by RTSP only, and one of another worker, have no clock to set', async () => {
  await connectedBy(null)
  await worker.camerasChanged()
  expect(await setClock()).toEqual({ kind: 'noOnvif' })
  const another = { cameraId: watched.cameraId + 1, name: 'setClock', input: null } as const
  expect(await worker.command(another)).toEqual({ kind: 'cameraOffline' })
})
