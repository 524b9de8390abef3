import { afterAll, beforeAll, expect, test } from 'vitest'
import { idSource } from '../db/index.ts'
import { type TestDatabase, testDatabase } from '../db-testing/index.ts'
import { type AuditActor, type AuditEntry, type AuditServer, appendAudit } from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const member: AuditActor = { kind: 'member', accountId: 1001, userId: 1002, clientId: 'camera-app', name: 'Gus Guard' }
const staff: AuditActor = { kind: 'staff', accountId: 255, userId: 77, clientId: 'dealer', name: 'Dee Dealer' }

/** The stored audit entry. */
async function appended(caller: AuditActor | AuditServer, entry: Partial<AuditEntry> = {}) {
  const app = database.db('app')
  const owner = database.db('owner').plain
  await owner.deleteFrom('audit_log').execute()
  const given = { ids: idSource(app), caller, address: '192.0.2.1', entry: { action: 'test', ...entry } }
  const accountId = entry.accountId ?? caller.accountId
  await app.inTenant({ accountId, userId: caller.userId ?? accountId }, (tx) => appendAudit(tx, given))
  return owner.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow()
}

test("an entry contains the user's name, so that it remains after the user is deleted", async () => {
  expect(await appended(member)).toMatchObject({
    account_id: 1001,
    user_id: 1002,
    actor_name: 'Gus Guard',
    staff_id: null,
    api_key_id: null,
    client_id: 'camera-app',
    address: '192.0.2.1',
  })
})

test('an entry of a support session names the staff member and the user they acted as', async () => {
  const line = await appended({ ...member, support: { staffId: 77, staffName: 'Dee Dealer' } })
  expect(line).toMatchObject({ account_id: 1001, user_id: 1002, actor_name: 'Dee Dealer', staff_id: 77 })
})

test("an entry about a lower organization is in that organization's log", async () => {
  const line = await appended(staff, { accountId: 1001 })
  expect(line).toMatchObject({ account_id: 1001, actor_name: 'Dee Dealer', staff_id: 77 })
  expect(await appended(staff)).toMatchObject({ account_id: 255, staff_id: 77 })
})

test('an entry of an API key names the key', async () => {
  expect(await appended({ ...member, apiKeyId: 9 })).toMatchObject({ user_id: 1002, api_key_id: 9 })
})

test('an automatic entry names no one', async () => {
  const clock: AuditServer = { accountId: 1001, userId: null, clientId: 'server' }
  expect(await appended(clock)).toMatchObject({ user_id: null, actor_name: null, staff_id: null, client_id: 'server' })
})

test('every entry has its own salt', async () => {
  const salts = [await appended(member), await appended(member)].map(({ salt }) => salt?.toString('hex'))
  expect(salts[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(salts[0]).not.toBe(salts[1])
})
