import type { CameraCommandAnswer, CameraCommandQuestion } from '@sightline/contract/media-plane'
import { allRights } from '@sightline/contract/rights'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answeringCameras, obedientOutputs } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraFocus } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer | undefined
const asked: CameraCommandQuestion[] = []
beforeAll(async () => {
  const command = answeringCameras((question) => {
    asked.push(question)
    const output = obedientOutputs[question.name]
    return answer ?? (output === undefined ? { kind: 'unsupported' } : { kind: 'done', output })
  })
  api = await testApi({ slices: [cameraFocus], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  answer = undefined
  asked.length = 0
})

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  const path = `cameras/${cameraId}/focus`
  return { accountId, cameraId, token, path, act: (body: object, by = token) => api.call(by, `POST ${path}`, body) }
}

test('a move lasts for a second unless another time is asked for', async () => {
  const { cameraId, act } = await oneCamera()
  expect(await act({ action: 'move', speed: -0.5 })).toMatchObject({ status: 204 })
  await act({ action: 'move', speed: 1, duration: 2 })
  expect(asked).toEqual([
    { cameraId, name: 'focus', input: { kind: 'move', speed: -0.5, holdMs: 1000 } },
    { cameraId, name: 'focus', input: { kind: 'move', speed: 1, holdMs: 2000 } },
  ])
})

test.each([{ action: 'move', speed: 2 }, { action: 'move', speed: 1, duration: 60 }, { action: 'blur' }])(
  '%j is refused before the camera hears of it',
  async (body) => {
    const { act } = await oneCamera()
    expect(await act(body)).toMatchObject({ status: 400, body: { code: 3 } })
    expect(asked).toEqual([])
  },
)

test('the lens is moved with the right ptz, and not with every other right', async () => {
  const { accountId, cameraId, act, path } = await oneCamera()
  const others = allRights.filter((right) => right !== 'ptz' && right !== 'demoUser')
  const without = await api.addSubUser(accountId, { rights: others, cameraIds: [cameraId] })
  const having = await api.addSubUser(accountId, { rights: ['ptz'], cameraIds: [cameraId] })
  expect(await act({ action: 'auto' }, without.token)).toMatchObject({ status: 403, body: { code: 9 } })
  expect(asked).toEqual([])
  expect((await api.call(without.token, `GET ${path}`)).status).toBe(200)
  expect(await act({ action: 'auto' }, having.token)).toMatchObject({ status: 204 })
})

test('a span of focusing is one entry in the audit log', async () => {
  const { accountId, act } = await oneCamera()
  for (let step = 0; step < 4; step++) await act({ action: 'move', speed: 1 })
  await act({ action: 'stop' })
  const log = api.owner.plain.selectFrom('audit_log').select('action').where('account_id', '=', accountId)
  expect(await log.execute()).toEqual([{ action: 'moveFocus' }])
})

test.each([
  ['noOnvif', 422, 11],
  ['unsupported', 422, 11],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
  ['credentialsIncorrect', 424, 12],
] as const)('a camera that answers %s is code %i, %i', async (kind, status, code) => {
  const { token, path, act } = await oneCamera()
  answer = { kind }
  expect(await act({ action: 'step', distance: 1 })).toMatchObject({ status, body: { code } })
  const read = await api.call(token, `GET ${path}`)
  if (code === 11) expect(read.body).toMatchObject({ focus: false })
  else expect(read).toMatchObject({ status, body: { code } })
})
