import type { CameraCommandAnswer, CameraCommandQuestion } from '@sightline/contract/media-plane'
import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answeringCameras, obedientOutputs } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraIo } from './index.ts'

let api: TestApi
let answer: CameraCommandAnswer | undefined
let readAnswer: CameraCommandAnswer | undefined
const asked: CameraCommandQuestion[] = []
/** What the audit log said when the camera was asked to switch. */
let entriesAtSwitch: readonly object[] = []
const entriesOf = (cameraId: number) =>
  api.owner.plain
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('target_id', '=', cameraId)
    .orderBy('at')
    .execute()
beforeAll(async () => {
  const command = answeringCameras((question) => {
    asked.push(question)
    if (question.name === 'switchPort' && answer !== undefined) return answer
    if (question.name === 'readPorts' && readAnswer !== undefined) return readAnswer
    const output = obedientOutputs[question.name]
    return output === undefined ? { kind: 'unsupported' } : { kind: 'done', output }
  })
  api = await testApi({
    slices: [cameraIo],
    media: {
      async command(question) {
        if (question.name === 'switchPort') entriesAtSwitch = await entriesOf(question.cameraId)
        return await command(question)
      },
    },
  })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  answer = undefined
  readAnswer = undefined
  asked.length = 0
})

async function oneCamera() {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  return { ...account, cameraId, path: `cameras/${cameraId}/io` }
}
const output = { portId: 'output-1', direction: 'output', state: 'inactive', name: null, pulseSeconds: null }
const input = { portId: 'input-1', direction: 'input', state: null, name: null, pulseSeconds: null }

test('outputs and inputs are listed as the camera says, and each is had alone', async () => {
  const { token, path } = await oneCamera()
  expect((await api.call(token, `GET ${path}`)).body).toEqual([output, input])
  expect((await api.call(token, `GET ${path}/input-1`)).body).toEqual(input)
  expect((await api.call(token, `GET ${path}/output-9`)).status).toBe(404)
})

test('an output is switched, and the audit log says by whom', async () => {
  const { accountId, token, cameraId, path } = await oneCamera()
  const switched = await api.call(token, `PATCH ${path}/output-1`, { state: 'active' })
  expect(switched).toMatchObject({ status: 200, body: { ...output, state: 'active' } })
  expect(asked.at(-1)).toEqual({ cameraId, name: 'switchPort', input: { portId: 'output-1', state: 'active' } })
  const log = await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()
  expect(log.at(-1)).toMatchObject({
    action: 'patchCameraPort',
    target_id: cameraId,
    before: { portId: 'output-1', state: 'inactive' },
    after: { portId: 'output-1', state: 'active' },
  })
})

test('an output is switched only once its entry is in the audit log', async () => {
  const { token, path } = await oneCamera()
  await api.call(token, `PATCH ${path}/output-1`, { state: 'active', name: 'Gate' })
  const after = { portId: 'output-1', state: 'active', name: 'Gate' }
  expect(entriesAtSwitch).toMatchObject([{ action: 'patchCameraPort', after }])
})

test('an output that could not be switched has a second entry that says so, and keeps its name', async () => {
  const { token, cameraId, path } = await oneCamera()
  answer = { kind: 'timedOut' }
  await api.call(token, `PATCH ${path}/output-1`, { state: 'active', name: 'Gate' })
  // Ids of entries don't tell their order.
  const entries = (await entriesOf(cameraId)).map(({ before, after }) => ({ before, after }))
  const failed = entries.find(({ after }) => JSON.stringify(after).includes('in time'))
  expect(entries).toHaveLength(2)
  expect(failed).toMatchObject({ before: { state: 'active' }, after: { state: 'inactive' } })
  expect(entries.find((entry) => entry !== failed)).toMatchObject({
    before: { state: 'inactive' },
    after: { state: 'active' },
  })
  expect((await api.call(token, `GET ${path}/output-1`)).body).toEqual(output)
})

test('who lost the right meanwhile switches nothing', async () => {
  const { accountId, cameraId, path } = await oneCamera()
  const guard = await api.addSubUser(accountId, { rights: ['deviceIOWrite', 'deviceIORead'], cameraIds: [cameraId] })
  const withdraw = api.owner.plain.updateTable('users').set({ rights: ['deviceIORead'] })
  const lock = `select from cameras where camera_id = ${cameraId} for update`
  await using held = await hold({ owner: api.owner.plain }, lock)
  const waiting = api.call(guard.token, `PATCH ${path}/output-1`, { state: 'active' })
  await held.waiting(1)
  await withdraw.where('user_id', '=', guard.userId).execute()
  await held.release()
  expect(await waiting).toMatchObject({ status: 403 })
  expect(asked.filter(({ name }) => name === 'switchPort')).toEqual([])
})

test('a name stays until it is taken away, and the camera hears nothing of it', async () => {
  const { token, path } = await oneCamera()
  await api.call(token, `PATCH ${path}/input-1`, { name: 'Doorbell' })
  expect((await api.call(token, `GET ${path}/input-1`)).body).toEqual({ ...input, name: 'Doorbell' })
  await api.call(token, `PATCH ${path}/input-1`, { name: null })
  expect((await api.call(token, `GET ${path}`)).body).toEqual([output, input])
  expect(asked.filter(({ name }) => name === 'switchPort')).toEqual([])
})

test.each([
  ['an input is not switched', { kind: 'done', output: { kind: 'isInput' } }, 422, 11],
  ['an output that went away is not found', { kind: 'done', output: { kind: 'portNotFound' } }, 404, 4],
  ['a camera that refuses is code 13', { kind: 'rejected' }, 424, 13],
  ['a camera that is off is code 18', { kind: 'cameraOffline' }, 424, 18],
  ['a camera that doesn’t answer is code 19', { kind: 'timedOut' }, 504, 19],
  ['a wrong password is code 12', { kind: 'credentialsIncorrect' }, 424, 12],
] as const)('%s', async (_, given, status, code) => {
  const { token, path } = await oneCamera()
  answer = given
  expect(await api.call(token, `PATCH ${path}/output-1`, { state: 'active' })).toMatchObject({ status, body: { code } })
})

test.each([
  ['has none', { kind: 'unsupported' }, 422, 11],
  ['rejects the password', { kind: 'credentialsIncorrect' }, 424, 12],
  ['refuses', { kind: 'rejected' }, 424, 13],
  ['is off', { kind: 'cameraOffline' }, 424, 18],
  ['doesn’t answer in time', { kind: 'timedOut' }, 504, 19],
] as const)('ports of a camera that %s can’t be read', async (_, given, status, code) => {
  const { token, path } = await oneCamera()
  readAnswer = given
  expect(await api.call(token, `GET ${path}`)).toMatchObject({ status, body: { code } })
  expect(await api.call(token, `GET ${path}/output-1`)).toMatchObject({ status, body: { code } })
})

test('a state that is none is refused', async () => {
  const { token, path } = await oneCamera()
  const refused = await api.call(token, `PATCH ${path}/output-1`, { state: 'maybe' })
  expect(refused).toMatchObject({ status: 400, body: { code: 3 } })
})

test('a change that was made meanwhile is refused', async () => {
  const { token, path } = await oneCamera()
  const stale = { 'if-match': '"old"' }
  expect((await api.call(token, `PATCH ${path}/output-1`, { state: 'active' }, stale)).status).toBe(412)
})

test('who may switch outputs and not view inputs finds the outputs alone', async () => {
  const { accountId, cameraId, path } = await oneCamera()
  const { token } = await api.addSubUser(accountId, { rights: ['deviceIOWrite'], cameraIds: [cameraId] })
  expect((await api.call(token, `GET ${path}`)).body).toEqual([output])
  expect((await api.call(token, `GET ${path}/output-1`)).body).toEqual(output)
  expect((await api.call(token, `GET ${path}/input-1`)).status).toBe(404)
  expect((await api.call(token, `PATCH ${path}/input-1`, { name: 'Doorbell' })).status).toBe(404)
})

test('reading and switching have a right each', async () => {
  const { accountId, cameraId, path } = await oneCamera()
  const reader = await api.addSubUser(accountId, { rights: ['deviceIORead'], cameraIds: [cameraId] })
  const writer = await api.addSubUser(accountId, { rights: ['deviceIOWrite'], cameraIds: [cameraId] })
  const neither = await api.addSubUser(accountId, { rights: ['ptz'], cameraIds: [cameraId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['deviceIORead', 'deviceIOWrite'] })
  const stranger = await api.addAccount()
  const statuses = async (token: string) => [
    (await api.call(token, `GET ${path}`)).status,
    (await api.call(token, `GET ${path}/output-1`)).status,
    (await api.call(token, `PATCH ${path}/output-1`, { state: 'active' })).status,
  ]
  expect(await statuses(reader.token)).toEqual([200, 200, 403])
  expect(await statuses(writer.token)).toEqual([200, 200, 200])
  expect(await statuses(neither.token)).toEqual([403, 403, 403])
  expect(await statuses(elsewhere.token)).toEqual([404, 404, 404])
  expect(await statuses(stranger.token)).toEqual([404, 404, 404])
})
