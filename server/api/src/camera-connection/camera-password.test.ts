import type { CameraCommandAnswer, CameraCommandQuestion, PasswordChange } from '@sightline/contract/media-plane'
import { idSource } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraConnection } from './index.ts'
import { cameraPasswordTasks } from './password-tasks.ts'

/** A camera that takes these passwords, sealed, for its requests and its streams. */
interface Camera {
  onvif: string | null
  streams: string | null
  hasOwnStreamUsers: boolean
  isOnline: boolean
  setAnswer: CameraCommandAnswer<'changePassword'>
  /** What is done before SetUser is answered. */
  beforeAnswer: () => void
}

let api: TestApi
let camera: Camera
const asked: string[] = []
const changed = { kind: 'done', output: { kind: 'changed' } } as const
const found = { rtspPort: 554, mainPath: '/main', subPath: null, isSecure: false, onvif: null, serial: '' }

const command = answeringCameras((question) => {
  asked.push(question.name)
  if (question.name === 'tryConnection') return tryOut(question as CameraCommandQuestion<'tryConnection'>)
  const { fromSealed, toSealed } = question.input as PasswordChange
  if (camera.setAnswer !== changed) return camera.setAnswer
  if (fromSealed !== camera.onvif) return { kind: 'credentialsIncorrect' }
  camera.onvif = toSealed
  if (!camera.hasOwnStreamUsers) camera.streams = toSealed
  camera.beforeAnswer()
  return camera.setAnswer
})

function tryOut({ input }: CameraCommandQuestion<'tryConnection'>): CameraCommandAnswer<'tryConnection'> {
  if (!camera.isOnline) return { kind: 'done', output: { kind: 'failed', reason: 'deviceOffline' } }
  return input.passwordSealed === camera.onvif && input.passwordSealed === camera.streams
    ? { kind: 'done', output: { kind: 'connected', found } }
    : { kind: 'done', output: { kind: 'failed', reason: 'credentialsIncorrect' } }
}

beforeAll(async () => {
  api = await testApi({ slices: [cameraConnection], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  asked.length = 0
  camera = {
    onvif: null,
    streams: null,
    hasOwnStreamUsers: false,
    isOnline: true,
    setAnswer: changed,
    beforeAnswer: () => undefined,
  }
})

async function oneCamera() {
  const account = await api.addAccount()
  const { accountId } = account
  const cameraId = await api.addCamera(accountId, account.zoneId, 'Door')
  const cameras = api.owner.plain.updateTable('cameras').where('camera_id', '=', cameraId)
  await cameras.set({ onvif_port: 80, username: 'admin', password_sealed: Buffer.from('old') }).execute()
  camera.onvif = Buffer.from('old').toString('base64')
  camera.streams = camera.onvif
  const path = `POST cameras/${cameraId}/connection/password`
  const put = (body: object = {}, token = account.token) =>
    api.call(token, path, { password: 'correct horse', allowPlainText: true, ...body })
  const saved = async () => {
    const row = await api.owner.plain
      .selectFrom('cameras')
      .select('password_sealed')
      .where('camera_id', '=', cameraId)
      .executeTakeFirstOrThrow()
    return row.password_sealed?.toString('base64')
  }
  const pending = async () => {
    const rows = api.owner.plain.selectFrom('camera_password_changes').selectAll()
    return (await rows.where('camera_id', '=', cameraId).execute()).length
  }
  const log = () => api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  const settle = () =>
    cameraPasswordTasks({
      db: api.app,
      ids: idSource(api.app),
      media: { command, camerasChanged: () => undefined },
      clock: { now: Date.now },
    }).settleCameraPassword?.run(
      { accountId, cameraId },
      { jobId: '1', attempt: 1, signal: new AbortController().signal },
    )
  return { ...account, cameraId, cameras, put, saved, pending, log, settle }
}

const old = Buffer.from('old').toString('base64')

test('the camera gets the new password, and it is stored once the camera takes it; no log has it', async () => {
  const { put, saved, pending, log } = await oneCamera()
  const reply = await put()
  expect(reply).toMatchObject({ status: 200, body: { username: 'admin', passwordKnown: true } })
  expect(asked).toEqual(['changePassword', 'tryConnection'])
  expect(await saved()).toBe(camera.onvif)
  expect(await saved()).not.toBe(old)
  expect(await pending()).toBe(0)
  expect(await log()).toMatchObject([{ action: 'setCameraPassword', after: { password: 'changed' } }])
  expect(JSON.stringify([await log(), reply.body])).not.toContain('correct horse')
})

test('a password crosses the network in plain text only with consent', async () => {
  const { put, cameras, pending } = await oneCamera()
  expect(await put({ allowPlainText: false })).toMatchObject({ status: 422, body: { code: 11 } })
  expect([asked, await pending()]).toEqual([[], 0])
  await cameras.set({ onvif_secure: true }).execute()
  expect(await put({ allowPlainText: false })).toMatchObject({ status: 200 })
})

test.each([
  ['tooWeak', 400, 3],
  ['tooLong', 400, 3],
  ['userUnknown', 422, 11],
  ['userFixed', 422, 11],
] as const)('what the camera refuses is said, and nothing is kept: %s', async (reason, status, code) => {
  const { put, saved, pending, log } = await oneCamera()
  camera.setAnswer = { kind: 'done', output: { kind: 'refused', reason } }
  expect(await put()).toMatchObject({ status, body: { code } })
  expect([await saved(), await pending(), await log()]).toEqual([old, 0, []])
})

test.each([
  ['noOnvif', 422, 11],
  ['unsupported', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)('a camera that changed nothing keeps its password: %s', async (kind, status, code) => {
  const { put, saved, pending } = await oneCamera()
  camera.setAnswer = { kind }
  expect(await put()).toMatchObject({ status, body: { code } })
  expect([await saved(), await pending()]).toEqual([old, 0])
})

test('a camera without a user is code 6, one without ONVIF code 11, and neither is asked', async () => {
  const { put, cameras } = await oneCamera()
  await cameras.set({ username: null }).execute()
  expect(await put()).toMatchObject({ status: 409, body: { code: 6 } })
  await cameras.set({ username: 'admin', onvif_port: null }).execute()
  expect(await put()).toMatchObject({ status: 422, body: { code: 11 } })
  expect(asked).toEqual([])
})

test('a camera whose streams keep the old password gets the old one back', async () => {
  const { put, saved, pending } = await oneCamera()
  camera.hasOwnStreamUsers = true
  expect(await put()).toMatchObject({ status: 424, body: { code: 13 } })
  expect([camera.onvif, await saved(), await pending()]).toEqual([old, old, 0])
})

test('a camera that answers nothing after it was asked keeps both passwords until it is known which one it took', async () => {
  const { put, saved, pending, settle, log } = await oneCamera()
  camera.beforeAnswer = () => {
    camera.isOnline = false
  }
  expect(await put()).toMatchObject({ status: 504, body: { code: 19 } })
  expect([await saved(), await pending()]).toEqual([old, 1])
  expect(await settle()).toMatchObject({ ok: false, failure: { retry: { kind: 'postponed' } } })
  camera.isOnline = true
  expect(await settle()).toMatchObject({ ok: true })
  expect([await saved(), await pending()]).toEqual([camera.onvif, 0])
  expect(await log()).toMatchObject([{ action: 'setCameraPassword', user_id: null, client_id: 'server' }])
})

test('the next change ends the one that was left open first', async () => {
  const { put, saved, pending } = await oneCamera()
  camera.beforeAnswer = () => {
    camera.isOnline = false
  }
  await put()
  expect(await put({ password: 'second' })).toMatchObject({ status: 504, body: { code: 19 } })
  camera.isOnline = true
  camera.beforeAnswer = () => undefined
  const first = camera.onvif
  expect(await put({ password: 'second' })).toMatchObject({ status: 200 })
  expect([await saved(), await pending()]).toEqual([camera.onvif, 0])
  expect(camera.onvif).not.toBe(first)
})

test('a password that is entered ends a change that was left open', async () => {
  const { put, saved, pending, settle, cameraId, token } = await oneCamera()
  camera.beforeAnswer = () => {
    camera.isOnline = false
  }
  await put()
  camera.isOnline = true
  camera.onvif = null
  camera.streams = null
  expect(await settle()).toMatchObject({ ok: false, failure: { retry: { kind: 'backoff' } } })
  const entered = await api.call(token, `PATCH cameras/${cameraId}/connection/credentials`, { username: null })
  expect(entered).toMatchObject({ status: 200 })
  expect([await saved(), await pending()]).toEqual([undefined, 0])
  expect(await settle()).toMatchObject({ ok: true })
})

test('it takes the right editCamera and the own account', async () => {
  const { put, accountId, cameraId } = await oneCamera()
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView'], cameraIds: [cameraId] })
  const other = await api.addAccount()
  expect((await put({}, viewer.token)).status).toBe(403)
  expect((await put({}, other.token)).status).toBe(404)
  expect(asked).toEqual([])
})
