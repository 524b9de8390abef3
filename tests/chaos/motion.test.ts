/** Motion is found by a decoder of its own, becomes an event, and is recorded; a burnt-in clock is no motion. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedEvent } from '@sightline/contract/events'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { findFfmpeg, startGreyDecoder } from '../../server/media/src/decoder/index.ts'
import { makeMotionClip } from '../fixtures/motion-clip.ts'
import { isLongRun } from '../long-run.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000
const ffmpeg = findFfmpeg(process.env.PATH ?? '') ?? ''
const path = join(tmpdir(), `sightline-motion-${process.pid}.h264`)
const [still, moving] = [24, 6]

let watched: WatchedCamera
let worker: MediaWorker | undefined
beforeAll(async () => {
  if (ffmpeg === '') return
  makeMotionClip(path, { still, moving })
  const clip = { path, framesPerSecond: 10 }
  watched = await watchedCamera({
    clips: { main: clip, sub: clip },
    subPath: '/sub',
    motion: { cameras: 1, startDecoder: (options) => startGreyDecoder({ ...options, ffmpeg }) },
  })
  const { api, token, cameraId } = watched
  expect((await api.call(token, `PATCH cameras/${cameraId}/mode`, { recordingMode: 'event' })).status).toBe(200)
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
  await rm(path, { force: true })
})

const call = (request: string, body?: object) => {
  watched.api.now = Date.now()
  return watched.api.call(watched.token, request, body)
}
const motions = async (): Promise<RecordedEvent[]> => (await call(`GET events?types=motion`)).body

async function timeline(): Promise<RecordingTimeline> {
  const at = (moment: number) => new Date(moment).toISOString()
  const span = `from=${at(Date.now() - 600 * SECOND)}&till=${at(Date.now() + SECOND)}`
  return (await call(`GET cameras/${watched.cameraId}/recordingTimeline?${span}`)).body
}

/** Decoders that this process has started, as the system knows them. */
async function decoders(): Promise<readonly number[]> {
  const all = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name)).map(Number)
  const isOurs = async (pid: number) => {
    const [status, command] = await Promise.all(
      ['status', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    const isChild = new RegExp(`^PPid:\\s${process.pid}$`, 'm').test(status ?? '')
    return isChild && (command?.includes('rawvideo') === true || /^State:\sZ/m.test(status ?? ''))
  }
  const found = await Promise.all(all.map(async (pid) => ((await isOurs(pid)) ? [pid] : [])))
  return found.flat()
}

const withDecoder = test.skipIf(ffmpeg === '' || process.platform !== 'linux')

withDecoder(
  'motion is one event from its beginning to its end, and the clock beside it is none',
  { timeout: 120_000 },
  async () => {
    // The first one may have begun before the camera was connected.
    const first = await until('there is motion', async () => (await motions()).find(({ active }) => !active))
    const second = await until('there is motion again', async () => (await motions()).find(({ active }) => active))
    expect(second).toMatchObject({ type: 'motion', source: { kind: 'camera' }, data: { detectedBy: 'server' } })
    const distance = Date.parse(second.timestamp) - Date.parse(first.timestamp) - first.duration * SECOND
    expect(distance).toBeGreaterThan((still - 4) * SECOND)
    expect(distance).toBeLessThan((still + 4) * SECOND)
    const isSecond = ({ eventId, active }: RecordedEvent) => eventId === second.eventId && !active
    const ended = await until('it ended', async () => (await motions()).find(isSecond))
    expect(Math.abs(ended.duration - moving)).toBeLessThan(3)
  },
)

withDecoder('motion is recorded with what came before it', async () => {
  const [motion] = await motions()
  const { segments } = await timeline()
  const clip = segments.find(({ end }) => end > (motion?.timestamp ?? ''))
  expect(clip?.type).toBe('event')
  expect(Date.parse(clip?.start ?? '')).toBeLessThanOrEqual(Date.parse(motion?.timestamp ?? '') - 4900)
})

withDecoder('motion inside of an area is an intrusion', { timeout: 120_000 }, async () => {
  const whole = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ]
  const set = async (areas: object[]) => {
    expect((await call(`PUT cameras/${watched.cameraId}/detectors/video/areas`, areas)).status).toBe(200)
    await worker?.camerasChanged()
  }
  await set([{ areaId: 1, kind: 'intrusion', points: whole, enabled: true }])
  const found = await until('there is an intrusion', async () => {
    const events: RecordedEvent[] = (await call('GET events?types=intrusion')).body
    return events.find(({ active }) => active)
  })
  expect(found).toMatchObject({ type: 'intrusion', data: { detectedBy: 'server' } })
  expect((await motions()).filter(({ active }) => active)).toEqual([])
  await set([])
})

// Nothing can be waited for: a whole round of stillness and motion has to pass.
const longTestWithDecoder = test.runIf(isLongRun && ffmpeg !== '' && process.platform === 'linux')

longTestWithDecoder('motion in an excluded area is none, and the decoder stays', { timeout: 120_000 }, async () => {
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ]
  const setAreas = async (areas: object[]) => {
    expect((await call(`PUT cameras/${watched.cameraId}/detectors/video/areas`, areas)).status).toBe(200)
    await worker?.camerasChanged()
  }
  await until('nothing moves', async () => ((await motions()).some(({ active }) => active) ? undefined : true))
  const [decoder] = await decoders()
  const before = (await motions()).length
  await setAreas([{ areaId: 1, kind: 'exclusion', points: corners, enabled: true }])
  await sleep((still + moving + 6) * SECOND)
  expect(await motions()).toHaveLength(before)
  expect(await decoders()).toEqual([decoder])
  await setAreas([])
  await until('there is motion', async () => (await motions()).find(({ active }) => active))
})

withDecoder('in private mode its process is gone at once, and leaves no zombie', async () => {
  expect(await decoders()).toHaveLength(1)
  await call(`PATCH cameras/${watched.cameraId}/mode`, { mode: 'private' })
  await worker?.camerasChanged()
  expect(await decoders()).toEqual([])
})
