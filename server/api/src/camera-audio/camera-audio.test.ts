import { request as openRequest } from 'node:http'
import type { TalkAnswer, TalkQuestion } from '@sightline/contract/media-plane'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraAudio } from './index.ts'

let api: TestApi
let answers: (question: TalkQuestion) => TalkAnswer
let asked: TalkQuestion[] = []
let onAsked: (() => void) | undefined
beforeAll(async () => {
  const talk = async (question: TalkQuestion) => {
    asked.push(question)
    onAsked?.()
    return answers(question)
  }
  api = await testApi({ slices: [cameraAudio], media: { talk } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  asked = []
  answers = ({ step }) => ({ kind: step === 'close' ? 'ended' : 'open' })
})

const TYPE = { 'content-type': 'audio/basic' }

async function oneCamera() {
  const { accountId, token, zoneId } = await api.addAccount()
  const cameraId = await api.addCamera(accountId, zoneId, 'Door')
  return { accountId, cameraId, token, path: `cameras/${cameraId}/audio` }
}

const auditOf = async (accountId: number) =>
  (await api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute()).map(
    ({ action, target_id }) => [action, target_id],
  )

async function untilAsked(has: () => boolean): Promise<void> {
  while (!has()) {
    await new Promise<void>((resolve) => {
      onAsked = resolve
    })
  }
}

const heard = (): string =>
  asked.map((question) => (question.step === 'sound' ? Buffer.from(question.sound).toString() : '')).join('')

/** A request whose body is still being sent. */
function speakOn(token: string, path: string, type = 'audio/PCMA') {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const outgoing = openRequest(`${api.origin}/rest/v2.4/${path}`, { method: 'POST', headers })
  const status = new Promise<number | undefined>((resolve, reject) => {
    outgoing.once('response', (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
    outgoing.once('error', reject)
  })
  return { write: (text: string) => outgoing.write(text), end: () => outgoing.end(), status }
}

test('sound is passed on while it is spoken, and the audit log has it before the first sound', async () => {
  const { accountId, cameraId, token, path } = await oneCamera()
  let before: unknown
  answers = ({ step }) => {
    if (step === 'sound') before ??= auditOf(accountId)
    return { kind: 'open' }
  }
  const talk = speakOn(token, path)
  talk.write('Hel')
  await untilAsked(() => heard() === 'Hel')
  talk.write('lo')
  await untilAsked(() => heard() === 'Hello')
  talk.end()
  expect(await talk.status).toBe(204)
  expect(await before).toEqual([['sendCameraAudio', cameraId]])
  expect(asked[0]).toMatchObject({ cameraId, step: 'open', coding: 'PCMA' })
  expect(asked[1]).toMatchObject({ cameraId, step: 'sound' })
  expect(asked.at(-1)).toMatchObject({ cameraId, step: 'close' })
  expect(new Set(asked.map(({ talkId }) => talkId)).size).toBe(1)
})

test('a step has half a second of sound at most', async () => {
  const { token, path } = await oneCamera()
  expect(await api.call(token, `POST ${path}`, 'x'.repeat(10_000), TYPE)).toMatchObject({ status: 204 })
  expect(heard()).toHaveLength(10_000)
  for (const question of asked) if (question.step === 'sound') expect(question.sound.length).toBeLessThanOrEqual(4000)
})

test.each([
  ['busy', 409, 6],
  ['noDecoder', 422, 11],
  ['overloaded', 503, 16],
  ['noLoudspeaker', 422, 11],
  ['credentialsIncorrect', 424, 12],
  ['rejected', 424, 13],
  ['cameraOffline', 424, 18],
  ['timedOut', 504, 19],
] as const)(
  'a loudspeaker that does not open (%s) is an error, and not in the audit log',
  async (kind, status, code) => {
    const { accountId, token, path } = await oneCamera()
    answers = () => ({ kind })
    expect(await api.call(token, `POST ${path}`, 'sound', TYPE)).toMatchObject({ status, body: { code } })
    expect(await auditOf(accountId)).toEqual([])
  },
)

test('a camera that ends the connection is an error', async () => {
  const { token, path } = await oneCamera()
  answers = ({ step }) => ({ kind: step === 'sound' ? 'ended' : 'open' })
  expect(await api.call(token, `POST ${path}`, 'sound', TYPE)).toMatchObject({ status: 424, body: { code: 13 } })
})

test('what is no AAC is an error of the request', async () => {
  const { token, path } = await oneCamera()
  answers = ({ step }) => ({ kind: step === 'sound' ? 'notSound' : 'open' })
  const reply = await api.call(token, `POST ${path}`, 'sound', { 'content-type': 'audio/aac' })
  expect(reply).toMatchObject({ status: 400, body: { code: 3 } })
  expect(asked[0]).toMatchObject({ step: 'open', coding: 'AAC' })
})

test.each([
  ['the right', ({ userId }: Talker) => changeUser(userId, { rights: ['LiveCamera'] })],
  ['the camera', ({ userId }: Talker) => changeUser(userId, { all_cameras: false })],
  [
    'the session',
    ({ token }: Talker) =>
      api.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256(token)).execute(),
  ],
] as const)('who loses %s while talking is cut off within two seconds', async (_, revoke) => {
  const { accountId, path } = await oneCamera()
  const user = await api.addSubUser(accountId, { rights: ['LiveCamera', 'microphone'], allCameras: true })
  const talk = speakOn(user.token, path)
  talk.write('sound')
  await untilAsked(() => heard() === 'sound')
  const speaking = setInterval(() => talk.write('more'), 50)
  await revoke(user)
  const revokedAt = performance.now()
  await untilAsked(() => asked.at(-1)?.step === 'close')
  expect(performance.now() - revokedAt).toBeLessThan(2000)
  clearInterval(speaking)
  expect(await talk.status).toBe(403)
  expect(asked.at(-1)?.step).toBe('close')
})

interface Talker {
  readonly userId: number
  readonly token: string
}

const changeUser = (userId: number, to: object) =>
  api.owner.plain.updateTable('users').set(to).where('user_id', '=', userId).execute()

test('a client that disconnects lets go of the camera', async () => {
  const { token, path } = await oneCamera()
  const headers = { authorization: `Bearer ${token}`, ...TYPE }
  const outgoing = openRequest(`${api.origin}/rest/v2.4/${path}`, { method: 'POST', headers })
  outgoing.once('error', () => undefined)
  outgoing.write('sound')
  await untilAsked(() => heard() === 'sound')
  outgoing.destroy()
  await untilAsked(() => asked.at(-1)?.step === 'close')
})

test('nothing is asked of a camera of another account, nor by users without the right', async () => {
  const { accountId, path } = await oneCamera()
  const other = await api.addAccount()
  const deaf = await api.addSubUser(accountId, { rights: ['LiveCamera'], allCameras: true })
  expect(await api.call(other.token, `POST ${path}`, 'sound', TYPE)).toMatchObject({ status: 404 })
  expect(await api.call(deaf.token, `POST ${path}`, 'sound', TYPE)).toMatchObject({ status: 403 })
  expect(asked).toEqual([])
})

test('a body of another type is refused', async () => {
  const { token, path } = await oneCamera()
  for (const type of ['application/json', 'audio/mpeg', 'text/plain']) {
    const reply = await api.call(token, `POST ${path}`, '{}', { 'content-type': type })
    expect(reply).toMatchObject({ status: 400, body: { code: 2 } })
  }
  expect(await api.call(token, `POST ${path}`)).toMatchObject({ status: 400, body: { code: 2 } })
  expect(asked).toEqual([])
})
