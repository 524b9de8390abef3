/**
 * For every call that writes: a caller who loses what the call needs while it waits for the database changes nothing.
 */
import { mandatoryRights, type Right } from '@sightline/contract/rights'
import type { Route } from '@sightline/contract/wire'
import { hold } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import type { PushReceiver } from '@sightline/platform/web-push/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SliceReply, TestApi } from '../api-testing.ts'
import { byOwners } from './owner-calls-testing.ts'
import {
  arrange,
  byMembers,
  byStaff,
  everyRight,
  holdsItsCaller,
  openWritingApi,
  span,
  writtenRows,
} from './writing-calls-testing-store.ts'

let under: Awaited<ReturnType<typeof openWritingApi>>
let api: TestApi
let receiver: PushReceiver
beforeAll(async () => {
  under = await openWritingApi()
  ;({ api, receiver } = under)
})
afterAll(() => under.close())

/** Somewhere in each of them, once its rows are locked and written, a call adds a row to one of these. */
const ADDED_TO = 'lock table audit_log, stream_tickets, export_links in share mode'

/** The reply of the call if its caller lost something while it waited; it must not have written anything. */
async function afterWaiting(send: () => Promise<SliceReply>, take: () => Promise<unknown>): Promise<SliceReply> {
  await using held = await hold({ owner: api.owner.plain }, ADDED_TO)
  const calls = api.asked.filter(({ call }) => call !== 'createCredentials' && call !== 'forgetUser').length
  const sent = send()
  const early = await Promise.race([sent, held.waiting(1)])
  if (early !== undefined) throw new Error(`answered without waiting: ${early.status} ${JSON.stringify(early.body)}`)
  await take()
  const before = await writtenRows(api)
  await held.release()
  const answer = await sent
  expect(await writtenRows(api)).toEqual(before)
  expect(api.asked.filter(({ call }) => call !== 'createCredentials' && call !== 'forgetUser')).toHaveLength(calls)
  return answer
}

test('the tests below cover every call that writes', () => {
  // A message to a browser of one's own is no change; what apps remember is not in the audit log, on which the others wait.
  // Body-worn cameras and those who open a public link have no caller who could lose something.
  const ofCameras = ['registerBodyCamera', 'postBodyCameraPositions']
  // Anyone may check a hash, which changes nothing.
  const doNotWait = ['testPushDevice', 'patchPreferences', 'verifyExportHash', 'openPublicShare', ...ofCameras]
  const isWriting = ({ method, name }: Route) => method !== 'GET' && !doNotWait.includes(name)
  const writing = api.routes.filter(isWriting).map(({ name }) => name)
  const tried = [byMembers, byOwners, byStaff].flatMap(Object.keys)
  expect(tried.toSorted()).toEqual(writing.toSorted())
})

const askForAgreement = (asksForAgreement: boolean) =>
  api.owner.plain
    .updateTable('resellers')
    .set({ theme: JSON.stringify({ asksForAgreement }) })
    .where('reseller_id', '=', 255)
    .execute()
const setUser = (userId: number, columns: { readonly blocked?: boolean; readonly rights?: readonly Right[] }) =>
  api.owner.plain.updateTable('users').set(columns).where('user_id', '=', userId).execute()
const revoke = (token: string) =>
  api.owner.plain.deleteFrom('auth.access_sessions').where('token_sha256', '=', tokenSha256(token)).execute()
const setStaff = (userId: number, columns: { readonly blocked?: boolean; readonly permissions?: readonly string[] }) =>
  api.owner.plain.updateTable('staff').set(columns).where('user_id', '=', userId).execute()

describe.each(Object.entries(byMembers))('%s', (name, requestOf) => {
  const asked = async () => {
    await askForAgreement(false)
    const world = await arrange(api, receiver)
    const caller = await api.addSubUser(world.account.accountId, { rights: everyRight, allCameras: true })
    // A user who owes the agreement can do nothing else.
    await askForAgreement(name === 'acceptAgreement')
    return { caller, send: () => api.call(caller.token, ...requestOf(world)) }
  }

  test('is refused and writes nothing if its token is revoked while it waits', async () => {
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => revoke(caller.token))).toMatchObject({ status: 401 })
  })

  test('is refused and writes nothing if its caller loses the right while it waits', async () => {
    const right = api.routes.find((route) => route.name === name)?.right
    if (right === undefined || mandatoryRights.includes(right) || holdsItsCaller.has(name)) return
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => setUser(caller.userId, { rights: [] }))).toMatchObject({ status: 403 })
  })
})

describe.each(Object.entries(byOwners))('%s', (_name, requestOf) => {
  test('is refused and writes nothing if its token is revoked while it waits', async () => {
    const world = await arrange(api, receiver)
    const { token } = world.account
    const send = () => api.call(token, ...requestOf(world))
    expect(await afterWaiting(send, () => revoke(token))).toMatchObject({ status: 401 })
  })
})

describe.each(Object.entries(byStaff))('%s', (name, requestOf) => {
  const asked = async () => {
    const world = await arrange(api, receiver)
    const caller = await api.addStaff({ level: 'admin' })
    return { caller, send: () => api.call(caller.token, ...requestOf(world)) }
  }

  test('is refused and writes nothing if its token is revoked while it waits', async () => {
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => revoke(caller.token))).toMatchObject({ status: 401 })
  })

  test('is refused and writes nothing if its staff member loses the permission while it waits', async () => {
    const route = api.routes.find((each) => each.name === name)
    // Administrators are changed one after another, so a loss of rights is known before the call continues.
    if (route?.permission === undefined || route.path.startsWith('provider/')) return
    const { caller, send } = await asked()
    expect(await afterWaiting(send, () => setStaff(caller.userId, { permissions: [] }))).toMatchObject({ status: 403 })
  })
})

describe('a call that has waited checks its caller again', () => {
  test('staff who are limited to other accounts during the wait lose access to the account', async () => {
    const world = await arrange(api, receiver)
    const caller = await api.addStaff()
    const [request, body, headers] = byStaff.patchResellerAccount?.(world) ?? ['']
    const send = () => api.call(caller.token, request, body, headers)
    const limit = () =>
      api.owner.plain.updateTable('staff').set({ all_accounts: false }).where('user_id', '=', caller.userId).execute()
    expect(await afterWaiting(send, limit)).toMatchObject({ status: 404, body: { code: 4 } })
  })

  test('an administrator who is blocked during the wait changes no module', async () => {
    const world = await arrange(api, receiver)
    const caller = await api.addStaff({ level: 'admin' })
    const send = () => api.call(caller.token, `PATCH resellers/${world.other.resellerId}/modules`, { reports: false })
    expect(await afterWaiting(send, () => setStaff(caller.userId, { blocked: true }))).toMatchObject({ status: 401 })
  })

  test('a brand that loses the module reports during the wait gets no report', async () => {
    const resellerId = await api.addReseller()
    const { token } = await api.addStaff({ resellerId })
    const send = () => api.call(token, `POST resellers/${resellerId}/reports`, { type: 'billing', ...span })
    const off = () =>
      api.owner.plain.updateTable('resellers').set({ modules: '{}' }).where('reseller_id', '=', resellerId).execute()
    expect(await afterWaiting(send, off)).toMatchObject({ status: 403, body: { code: 9 } })
  })

  test('a user who is blocked, or whose account is suspended, during the wait gets no stream ticket', async () => {
    const { account, cameraId } = await arrange(api, receiver)
    const { accountId } = account
    const ticketOf = (token: string) => () => api.call(token, `POST cameras/${cameraId}/streamTickets`, { use: 'live' })
    const caller = await api.addSubUser(accountId, { rights: [], allCameras: true })
    const block = () => setUser(caller.userId, { blocked: true })
    expect(await afterWaiting(ticketOf(caller.token), block)).toMatchObject({ status: 401 })
    const suspend = () =>
      api.owner.plain.updateTable('accounts').set({ status: 'suspended' }).where('account_id', '=', accountId).execute()
    expect(await afterWaiting(ticketOf(account.token), suspend)).toMatchObject({ status: 401 })
  })

  test('a caller who gains rights during the wait gets one normal reply', async () => {
    const world = await arrange(api, receiver)
    const { accountId } = world.account
    const caller = await api.addSubUser(accountId, { rights: ['addZone'] })
    await using held = await hold({ owner: api.owner.plain }, ADDED_TO)
    const sent = api.call(caller.token, 'POST zones', { name: 'Yard' })
    await held.waiting(1)
    await setUser(caller.userId, { rights: ['addZone', 'editZone'] })
    await held.release()
    expect(await sent).toMatchObject({ status: 201 })
    const zones = await api.owner.plain.selectFrom('zones').select('name').where('account_id', '=', accountId).execute()
    expect(zones.filter(({ name }) => name === 'Yard')).toHaveLength(1)
  })
})
