import type { Right } from '@sightline/contract/rights'
import { hold } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameras } from '../cameras/index.ts'
import { permissionProfiles } from '../permission-profiles/index.ts'
import { type SliceReply, type TestApi, testApi } from '../slice-testing.ts'
import { zones } from '../zones/index.ts'
import { subUsers } from './index.ts'

let api: TestApi

beforeAll(async () => {
  api = await testApi({ slices: [cameras, permissionProfiles, subUsers, zones] })
})

afterAll(() => api[Symbol.asyncDispose]())

/** The replies of calls that had to wait while the change was made; at most two of an account wait at a time. */
async function afterWaiting(
  of: { readonly accountId: number },
  send: () => readonly Promise<SliceReply>[],
  change: () => Promise<unknown>,
): Promise<readonly number[]> {
  const row = `select 1 from accounts where account_id = ${of.accountId} for no key update`
  await using held = await hold({ owner: api.owner.plain }, row)
  const waiting = send()
  await held.waiting(waiting.length)
  await change()
  await held.release()
  return (await Promise.all(waiting)).map((answer) => answer.status)
}

const setUser = (userId: number, columns: { readonly blocked?: boolean; readonly rights?: readonly Right[] }) =>
  api.owner.plain.updateTable('users').set(columns).where('user_id', '=', userId).execute()

const puppet = { email: 'puppet@demo.example', firstName: 'Puppet', lastName: 'Person', rights: { playback: true } }

async function editorAndPeer() {
  const account = await api.addAccount()
  const editor = await api.addSubUser(account.accountId, { rights: ['addUser', 'deleteUser', 'playback'] })
  const peer = await api.addSubUser(account.accountId, { rights: [] })
  const send = () => [
    api.call(editor.token, 'POST users', puppet),
    api.call(editor.token, `DELETE users/${peer.userId}`),
  ]
  return { account, editor, peer, send }
}

test('a user who is blocked while the call waits for the account changes nothing', async () => {
  const { account, editor, peer, send } = await editorAndPeer()
  expect(await afterWaiting(account, send, () => setUser(editor.userId, { blocked: true }))).toEqual([401, 401])
  const people: readonly { userId: number; email: string }[] = (await api.call(account.token, 'GET users')).body
  expect(people.map((person) => person.userId)).toContain(peer.userId)
  expect(people.map((person) => person.email)).not.toContain(puppet.email)
})

test('a user who loses the right while the call waits is rejected as usual', async () => {
  const { account, editor, send } = await editorAndPeer()
  expect(await afterWaiting(account, send, () => setUser(editor.userId, { rights: ['playback'] }))).toEqual([403, 403])
})

test("a user who loses the right during the wait can't change zones or cameras", async () => {
  const account = await api.addAccount()
  const rights: readonly Right[] = ['addZone', 'editZone', 'deleteZone', 'editCamera']
  const editor = await api.addSubUser(account.accountId, { rights, allCameras: true })
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  const requests = [
    'POST zones',
    `PATCH zones/${account.zoneId}`,
    `DELETE zones/${account.zoneId}`,
    `PATCH cameras/${cameraId}`,
  ]
  for (const request of requests) {
    await setUser(editor.userId, { rights })
    const body = request.startsWith('DELETE') ? undefined : { name: 'Till' }
    const send = () => [api.call(editor.token, request, body)]
    expect(await afterWaiting(account, send, () => setUser(editor.userId, { rights: [] })), request).toEqual([403])
  }
  await setUser(editor.userId, { rights })
  expect((await api.call(editor.token, `PATCH cameras/${cameraId}`, { name: 'Till' })).status).toBe(200)
})

test('a token that is revoked during the wait creates no profile', async () => {
  const account = await api.addAccount()
  const send = () => [api.call(account.token, 'POST permissionProfiles', { name: 'Guards', rights: {} })]
  const revoke = () =>
    api.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256(account.token)).execute()
  expect(await afterWaiting(account, send, revoke)).toEqual([401])
})
