import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraClock } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer<'setClock'>
const asked: number[] = []
beforeAll(async () => {
  const command = answeringCameras(({ cameraId }) => {
    asked.push(cameraId)
    return answer
  })
  api = await testApi({ slices: [cameraClock], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  return { accountId, cameraId, set: () => api.call(token, `POST cameras/${cameraId}/clock`) }
}

test('a clock that was set is in the audit log, with how wrong it was', async () => {
  const { accountId, cameraId, set } = await oneCamera()
  answer = { kind: 'done', output: { kind: 'set', aheadBeforeMs: 180_240, aheadMs: -310 } }
  const clock = { secondsAheadBefore: 180.2, secondsAhead: -0.3 }
  expect(await set()).toMatchObject({ status: 200, body: clock })
  const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
  expect(await log.execute()).toMatchObject([
    {
      action: 'setCameraClock',
      target_id: cameraId,
      before: { secondsAhead: clock.secondsAheadBefore },
      after: { secondsAhead: clock.secondsAhead },
    },
  ])
})

test.each([
  ['usesNtp', 409, 6],
  ['unsupported', 422, 11],
  ['noOnvif', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)('a clock that was not set (%s) is an error, and not in the audit log', async (kind, status, code) => {
  const { accountId, set } = await oneCamera()
  answer = kind === 'usesNtp' ? { kind: 'done', output: { kind } } : { kind }
  expect(await set()).toMatchObject({ status, body: { code } })
  const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
  expect(await log.execute()).toEqual([])
})

test('nothing is asked of a camera of another account, nor by a user who may not edit cameras', async () => {
  const { accountId, cameraId } = await oneCamera()
  const other = await api.addAccount()
  const user = await api.addSubUser(accountId, { rights: ['CameraView'], allCameras: true })
  asked.length = 0
  const path = `POST cameras/${cameraId}/clock`
  expect(await api.call(other.token, path)).toMatchObject({ status: 404 })
  expect(await api.call(user.token, path)).toMatchObject({ status: 403 })
  expect(asked).toEqual([])
})
