/** Each gap in the API's timeline has its cause, start and end. Uses a simulated camera, a media worker and a database. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000
/** R4: exact to a second, the length of one part of footage. */
const EXACT_MS = 1.5 * SECOND

let watched: WatchedCamera
let worker: MediaWorker

beforeAll(async () => {
  watched = await watchedCamera()
  worker = await watched.openWorker()
  await untilRecordedSince(0)
})
afterAll(async () => {
  await worker[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

async function timeline(): Promise<RecordingTimeline> {
  const { api, token, cameraId } = watched
  api.now = Date.now()
  const at = (moment: number) => new Date(moment).toISOString()
  const span = `from=${at(api.now - 600 * SECOND)}&till=${at(api.now + SECOND)}`
  return (await api.call(token, `GET cameras/${cameraId}/recordingTimeline?${span}`)).body
}

const untilRecordedSince = (moment: number) =>
  until('footage continues', async () => Date.parse((await timeline()).segments.at(-1)?.start ?? '') > moment)

interface Gap {
  readonly reason: string
  readonly start: number
  readonly end: number
}

/** The gaps that end after a moment, once footage continues. */
async function gapsSince(moment: number): Promise<readonly Gap[]> {
  await untilRecordedSince(moment)
  const gaps = (await timeline()).gaps.map(({ reason, start, end }) => ({
    reason,
    start: Date.parse(start),
    end: Date.parse(end),
  }))
  return gaps.filter(({ end }) => end > moment)
}

const reasons = (gaps: readonly Pick<Gap, 'reason'>[]) => gaps.map(({ reason }) => reason)
const isAt = (moment: number, expected: number) => expect(Math.abs(moment - expected)).toBeLessThan(EXACT_MS)
const untilOffline = () =>
  until('the camera is shown offline', async () => (await timeline()).gaps.at(-1)?.reason === 'cameraOffline')

test('a broken connection has the reason network, then cameraOffline once the camera is unreachable', async () => {
  const brokenAt = Date.now()
  await watched.camera.fault({ kind: 'refuse' })
  await untilOffline()
  const healedAt = Date.now()
  await watched.camera.heal()
  const gaps = await gapsSince(brokenAt)
  expect(reasons(gaps)).toEqual(['network', 'cameraOffline'])
  isAt(gaps[0]?.start ?? 0, brokenAt)
  expect(gaps[1]?.start).toBe(gaps[0]?.end)
  expect(gaps[1]?.end).toBeGreaterThan(healedAt - EXACT_MS)
})

test('a connection that breaks once and recovers has the reason network', async () => {
  const brokenAt = Date.now()
  await watched.camera.fault({ kind: 'reset' })
  const gaps = await gapsSince(brokenAt)
  expect(reasons(gaps)).toEqual(['network'])
  isAt(gaps[0]?.start ?? 0, brokenAt)
})

test('a camera that fails while the worker is stopped has the reason stopped, then cameraOffline from the worker’s start', async () => {
  const stoppedAt = Date.now()
  await worker[Symbol.asyncDispose]()
  await watched.camera.fault({ kind: 'refuse' })
  await sleep(2 * SECOND)
  worker = await watched.openWorker()
  const startedAt = Date.now()
  await untilOffline()
  const healedAt = Date.now()
  await watched.camera.heal()
  const gaps = await gapsSince(stoppedAt)
  expect(reasons(gaps)).toEqual(['stopped', 'cameraOffline'])
  isAt(gaps[0]?.start ?? 0, stoppedAt)
  expect(gaps[1]?.start).toBe(gaps[0]?.end)
  expect(gaps[1]?.start).toBeGreaterThanOrEqual(startedAt - SECOND)
  expect(gaps[1]?.end).toBeGreaterThan(healedAt - EXACT_MS)
})

/** A lease expires after ten seconds. */
const LONGER_THAN_A_LEASE_MS = 13 * SECOND

test('a lease that expires because the database does not answer costs no footage', async () => {
  await untilRecordedSince(0)
  const heldAt = Date.now()
  await using held = await hold(
    { owner: watched.database.db('owner').plain },
    'lock table camera_leases in access exclusive mode',
  )
  await sleep(LONGER_THAN_A_LEASE_MS)
  expect(worker.problems()).toEqual([])
  const releasedAt = Date.now()
  await held.release()
  await until('footage continues', async () => {
    const { segments } = await timeline()
    return Date.parse(segments.at(-1)?.end ?? '') > releasedAt + SECOND
  })
  const gaps = (await timeline()).gaps.filter(({ end }) => Date.parse(end) > heldAt)
  expect(gaps).toEqual([])
  expect(worker.problems()).toEqual([])
})
