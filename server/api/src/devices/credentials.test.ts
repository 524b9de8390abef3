import type { CameraCommandAnswer } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reportDevice } from '../devices-testing-store.ts'
import { answeringCameras } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { devices } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer<'trySignIn'>
const asked: unknown[] = []
beforeAll(async () => {
  const command = answeringCameras(({ name, input }) => {
    asked.push({ name, input })
    return answer
  })
  api = await testApi({ slices: [devices], media: { command } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  asked.length = 0
  answer = { kind: 'done', output: { kind: 'accepted' } }
})

async function oneRecorder() {
  const { accountId, token, zoneId } = await api.addAccount()
  const given = { name: 'Attic', zoneId, address: '192.0.2.61', username: 'admin', password: 'topsecret' }
  const deviceId: number = (await api.call(token, 'POST devices', given)).body.deviceId
  await reportDevice(api, { accountId, deviceId })
  const path = `devices/${deviceId}/connection/credentials`
  const patch = (body: object) => api.call(token, `PATCH ${path}`, body)
  const shown = async () => (await api.call(token, `GET ${path}`)).body
  const sealed = async () => {
    const row = api.owner.plain.selectFrom('devices').select('password_sealed').where('device_id', '=', deviceId)
    return (await row.executeTakeFirstOrThrow()).password_sealed?.toString('base64')
  }
  const actions = async () => {
    const log = api.owner.plain.selectFrom('audit_log').select('action').where('account_id', '=', accountId)
    return (await log.execute()).map(({ action }) => action)
  }
  return { deviceId, patch, shown, sealed, actions }
}

describe('other credentials of a recorder', () => {
  test.each([
    ['credentialsIncorrect', 424, 12],
    ['needsBasic', 422, 11],
    ['deviceOffline', 424, 14],
    ['unusable', 424, 13],
    ['timedOut', 504, 19],
  ] as const)('aren’t saved if it doesn’t accept them: %s', async (reason, status, code) => {
    const { patch, shown, sealed, actions } = await oneRecorder()
    answer = { kind: 'done', output: { kind: 'failed', reason } }
    const before = await sealed()
    expect(await patch({ username: 'operator', password: 'mistyped' })).toMatchObject({ status, body: { code } })
    expect([await shown(), await sealed()]).toEqual([
      { username: 'admin', passwordKnown: true, allowBasic: false },
      before,
    ])
    expect(await actions()).toEqual(['postDevice'])
  })

  test.each([
    ['cameraOffline', 424, 14],
    ['timedOut', 504, 19],
  ] as const)('aren’t saved if it can’t be asked: %s', async (kind, status, code) => {
    const { patch } = await oneRecorder()
    answer = { kind }
    expect(await patch({ password: 'other' })).toMatchObject({ status, body: { code } })
  })

  test('with an empty user name are refused, and the recorder isn’t asked', async () => {
    const { patch, shown } = await oneRecorder()
    expect(await patch({ username: '' })).toMatchObject({ status: 400, body: { code: 3 } })
    expect(asked).toEqual([])
    expect(await shown()).toMatchObject({ username: 'admin' })
  })

  test('are tried with the stored password if only the user name is another, and nothing is asked without any', async () => {
    const { patch, sealed } = await oneRecorder()
    expect((await patch({})).status).toBe(200)
    expect(asked).toEqual([])
    const passwordSealed = await sealed()
    await patch({ username: 'operator' })
    expect(asked).toEqual([{ name: 'trySignIn', input: { username: 'operator', passwordSealed } }])
  })
})

describe('other credentials of a recorder that is offline', () => {
  const offline = async (result: string) => {
    const recorder = await oneRecorder()
    const status = { online: false, last_connection_result: result }
    const rows = api.owner.plain.updateTable('device_status').set(status)
    await rows.where('device_id', '=', recorder.deviceId).execute()
    return recorder
  }

  test.each(['timeout', 'unreachable'])('are code 14 and change nothing, without a question (%s)', async (result) => {
    const { patch, shown } = await offline(result)
    expect(await patch({ username: 'operator', password: 'other' })).toMatchObject({ status: 424, body: { code: 14 } })
    expect([await shown(), asked]).toEqual([{ username: 'admin', passwordKnown: true, allowBasic: false }, []])
  })

  test('are saved if it rejects those that are stored, and accepts these', async () => {
    const { patch, shown } = await offline('credentialsIncorrect')
    expect((await patch({ username: 'operator', password: 'right' })).status).toBe(200)
    expect(await shown()).toEqual({ username: 'operator', passwordKnown: true, allowBasic: false })
  })
})
