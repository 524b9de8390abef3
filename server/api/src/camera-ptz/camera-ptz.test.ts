import type { CameraCommandAnswer, CameraCommandQuestion } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answeringCameras, obedientOutputs } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraPtz } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer | undefined
const asked: CameraCommandQuestion[] = []
beforeAll(async () => {
  const command = answeringCameras((question) => {
    asked.push(question)
    const output = obedientOutputs[question.name]
    return answer ?? (output === undefined ? { kind: 'unsupported' } : { kind: 'done', output })
  })
  api = await testApi({ slices: [cameraPtz], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  answer = undefined
  asked.length = 0
})

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `cameras/${cameraId}/ptz`
  const move = (body: object, by = token) => api.call(by, `POST ${path}`, body)
  return { accountId, cameraId, token, path, move }
}

const auditOf = async (accountId: number) =>
  (
    await api.owner.plain
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('at')
      .execute()
  ).map(({ action, target_id, user_id }) => [action, target_id, user_id])

test('a move goes to the camera with who moves it, and lasts for a second unless another time is asked for', async () => {
  const { accountId, cameraId, move } = await oneCamera()
  expect(await move({ action: 'move', pan: 0.5, mover: 'tab-1', sequence: 3 })).toMatchObject({ status: 204 })
  const moverId = `${accountId}  tab-1`
  const input = { kind: 'move', moverId, sequence: 3, pan: 0.5, tilt: 0, zoom: 0, holdMs: 1000 }
  expect(asked).toEqual([{ cameraId, name: 'ptz', input }])
  await move({ action: 'move', zoom: -1, duration: 2.5 })
  expect(asked[1]?.input).toMatchObject({ sequence: null, zoom: -1, holdMs: 2500 })
})

test.each([
  ['a speed above one', { action: 'move', pan: 1.1 }],
  ['a duration of a minute', { action: 'move', pan: 1, duration: 60 }],
  ['a point beside the picture', { action: 'center', x: 1.2, y: 0.5 }],
  ['an action that nobody knows', { action: 'dance' }],
])('%s is refused before the camera hears of it', async (_, body) => {
  const { move } = await oneCamera()
  expect(await move(body)).toMatchObject({ status: 400, body: { code: 3 } })
  expect(asked).toEqual([])
})

test('a span of moving is one entry in the audit log and one event, however many steps it has', async () => {
  const { accountId, cameraId, token, move } = await oneCamera()
  const user = await api.addSubUser(accountId, { rights: ['CameraView', 'ptz'], allCameras: true })
  for (let step = 0; step < 5; step++) await move({ action: 'move', pan: 1 })
  await move({ action: 'stop' })
  await move({ action: 'goto', presetId: '1' }, user.token)
  await move({ action: 'stop' }, user.token)
  const spans = [
    ['moveCamera', cameraId, accountId],
    ['moveCamera', cameraId, user.userId],
  ]
  expect(await auditOf(accountId)).toEqual(spans)
  api.now += 121_000
  await move({ action: 'home' }, token)
  expect(await auditOf(accountId)).toHaveLength(3)
  const events = api.owner.plain.selectFrom('events').select('data').where('camera_id', '=', cameraId)
  expect(await events.execute()).toHaveLength(3)
})

test('a camera that someone else moves is busy, and says so', async () => {
  const { accountId, move } = await oneCamera()
  answer = { kind: 'done', output: { kind: 'busy' } }
  expect(await move({ action: 'move', pan: 1 })).toMatchObject({
    status: 409,
    body: { code: 6, detail: 'someone else is moving this camera: try again when they are done' },
  })
  expect(await auditOf(accountId)).toEqual([])
})

test.each([
  ['unsupported', 422, 11],
  ['noOnvif', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)('a camera that fails (%s) is an error of each call', async (kind, status, code) => {
  const { token, path, move } = await oneCamera()
  answer = { kind }
  const failed = { status, body: { code } }
  expect(await move({ action: 'home' })).toMatchObject(failed)
  expect(await api.call(token, `GET ${path}/presets`)).toMatchObject(failed)
  expect(await api.call(token, `POST ${path}/presets`, { name: 'Gate' })).toMatchObject(failed)
  expect(await api.call(token, `DELETE ${path}/presets/1`)).toMatchObject(failed)
})

test('what a camera can do is named; one that can’t be moved is no error', async () => {
  const { cameraId, token } = await oneCamera()
  const read = () => api.call(token, `GET cameras/${cameraId}/capabilities/ptz`)
  expect((await read()).body).toEqual({ ptz: true, ...obedientOutputs.ptzAbilities })
  for (const kind of ['noOnvif', 'unsupported'] as const) {
    answer = { kind }
    expect(await read()).toMatchObject({ status: 200, body: { ptz: false, center: false, presets: 0 } })
  }
  for (const [kind, code] of [
    ['credentialsIncorrect', 12],
    ['rejected', 13],
    ['cameraOffline', 18],
    ['timedOut', 19],
  ] as const) {
    answer = { kind }
    expect((await read()).body).toMatchObject({ code })
  }
})

test('presets are listed, saved, saved again and deleted, and the audit log has the changes', async () => {
  const { accountId, cameraId, token, path } = await oneCamera()
  expect((await api.call(token, `GET ${path}/presets`)).body).toEqual([{ presetId: '1', name: 'Door' }])
  const saved = await api.call(token, `POST ${path}/presets`, { name: 'Door', presetId: '1' })
  expect(saved).toMatchObject({ status: 201, body: { presetId: '1', name: 'Door' } })
  expect(saved.headers.get('location')).toMatch(/\/ptz\/presets\/1$/)
  expect(asked.at(-1)?.input).toEqual({ name: 'Door', presetId: '1' })
  expect(await api.call(token, `DELETE ${path}/presets/1`)).toMatchObject({ status: 204 })
  expect(await auditOf(accountId)).toEqual([
    ['postPtzPreset', cameraId, accountId],
    ['deletePtzPreset', cameraId, accountId],
  ])
})

test('a preset needs a name, room, and to be there', async () => {
  const { token, path, move } = await oneCamera()
  const presets = `POST ${path}/presets`
  expect(await api.call(token, presets, { name: '' })).toMatchObject({ status: 400, body: { code: 3 } })
  answer = { kind: 'done', output: { kind: 'full' } }
  expect(await api.call(token, presets, { name: 'Gate' })).toMatchObject({ status: 409, body: { code: 6 } })
  answer = { kind: 'done', output: { kind: 'presetNotFound' } }
  const missing = { status: 404, body: { code: 4 } }
  expect(await api.call(token, presets, { name: 'Gate', presetId: '9' })).toMatchObject(missing)
  expect(await api.call(token, `DELETE ${path}/presets/9`)).toMatchObject(missing)
  expect(await move({ action: 'goto', presetId: '9' })).toMatchObject(missing)
})

test('nothing is asked of a camera of another account, nor moved by a user without the right ptz', async () => {
  const { accountId, cameraId, move, path } = await oneCamera()
  const other = await api.addAccount()
  const user = await api.addSubUser(accountId, { rights: ['CameraView'], allCameras: true })
  const all = (token: string) =>
    Promise.all([
      move({ action: 'home' }, token),
      api.call(token, `GET ${path}/presets`),
      api.call(token, `POST ${path}/presets`, { name: 'Gate' }),
      api.call(token, `DELETE ${path}/presets/1`),
    ])
  expect((await all(other.token)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await all(user.token)).map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect(await api.call(other.token, `GET cameras/${cameraId}/capabilities/ptz`)).toMatchObject({ status: 404 })
  expect(asked).toEqual([])
  expect(await api.call(user.token, `GET cameras/${cameraId}/capabilities/ptz`)).toMatchObject({ status: 200 })
})
