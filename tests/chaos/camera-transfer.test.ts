/** A camera that changes accounts, from the camera through the worker to the footage of both accounts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker | undefined

beforeAll(async () => {
  watched = await watchedCamera({
    media: {
      command: async (question) => (await worker?.command(question)) ?? { kind: 'cameraOffline' },
      camerasChanged: () => void worker?.camerasChanged(),
    },
  })
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})

const runsOf = (cameraId: number) =>
  watched.api.owner.plain
    .selectFrom('recording_runs')
    .select(['account_id', 'started_at', 'ended_at', 'is_open'])
    .where('camera_id', '=', cameraId)
    .orderBy('started_at')
    .execute()
const statusOf = (cameraId: number) =>
  watched.api.owner.plain.selectFrom('camera_status').selectAll().where('camera_id', '=', cameraId).executeTakeFirst()
const rowOf = (cameraId: number) =>
  watched.api.owner.plain.selectFrom('cameras').selectAll().where('camera_id', '=', cameraId).executeTakeFirstOrThrow()
const keysOf = async (accountId: number) => {
  const keys = watched.api.owner.plain.selectFrom('footage_day_keys').select('camera_id')
  return (await keys.where('account_id', '=', accountId).execute()).map((row) => row.camera_id)
}

test('is recorded in the new account before it stops in the old one, under keys of its own', async () => {
  const { api, cameraId: oldId, token } = watched
  await until('the camera is recorded', async () => (await statusOf(oldId))?.recording === true)
  const { account_id: from } = await rowOf(oldId)
  const to = await api.addAccount()
  const offered = await api.call(token, 'POST cameras/transfer', { cameraIds: [oldId], targetAccountId: to.accountId })
  expect(offered.status).toBe(202)
  const accept = `POST cameraTransfers/${offered.body.cameraTransferId}/accept`
  const accepted = await api.call(to.token, accept, { zoneId: to.zoneId })
  expect(accepted.status).toBe(200)
  const [newId] = accepted.body.cameraIds

  await until('the old account has forgotten the camera', async () => (await rowOf(oldId)).rtsp_port === 0)
  await until('the old recording has ended', async () => (await runsOf(oldId)).every((run) => !run.is_open))
  expect((await statusOf(newId))?.recording).toBe(true)
  expect(await statusOf(oldId)).toMatchObject({ online: false, recording: false, offline_since: null })
  const [first] = await runsOf(newId)
  const last = (await runsOf(oldId)).at(-1)
  if (first === undefined || last === undefined) throw new Error('an account has no footage')
  expect([last.account_id, first.account_id]).toEqual([from, to.accountId])
  // No hole between the footage of the two.
  expect(first.started_at).toBeLessThanOrEqual(last.ended_at)
  expect(await keysOf(from)).not.toContain(newId)
  expect(await keysOf(to.accountId)).not.toContain(oldId)
  expect(await keysOf(to.accountId)).toContain(newId)

  // The old account plays what it recorded, and commands nothing.
  const today = `from=${new Date(Date.now() - 60_000).toISOString()}&till=${new Date().toISOString()}`
  const at = last.started_at + 200
  const picture = { cameraId: oldId, at, format: 'mp4' } as const
  expect(await worker?.recordedPicture({ ...picture, accountId: from })).toMatchObject({ kind: 'picture' })
  expect(await worker?.recordedPicture({ ...picture, accountId: to.accountId })).toMatchObject({ kind: 'noFootage' })
  const played = await api.call(token, `GET cameras/${oldId}/recordingTimeline?${today}`)
  expect(played.body.segments.length).toBeGreaterThan(0)
  expect(await api.call(token, `GET cameras/${newId}/recordingTimeline?${today}`)).toMatchObject({ status: 404 })
  expect(await api.call(to.token, `GET cameras/${oldId}/recordingTimeline?${today}`)).toMatchObject({ status: 404 })
  expect(await api.call(token, `POST cameras/${oldId}/ptz`, { action: 'home' })).toMatchObject({ status: 424 })
}, 60_000)
