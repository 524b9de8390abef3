import { type Db, idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditWriter } from './index.ts'

let database: TestDatabase
let owner: Db

beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  const { plain } = owner
  await plain.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  await plain.insertInto('accounts').values({ account_id: 1001, reseller_id: 255, name: 'A' }).execute()
  const person = {
    email: 'ada@demo.example',
    email_folded: 'ada@demo.example',
    first_name: 'Ada',
    last_name: 'Lovelace',
  }
  await plain
    .insertInto('users')
    .values({ account_id: 1001, user_id: 1001, reseller_id: 255, ...person })
    .execute()
  const dealer = { level: 'reseller', organisation_id: 255, distributor_id: 1, reseller_id: 255 } as const
  const name = { email: 'dee@demo.example', email_folded: 'dee@demo.example', first_name: 'Dee', last_name: 'Dealer' }
  await plain
    .insertInto('staff')
    .values({ user_id: 77, ...dealer, ...name })
    .execute()
})
afterAll(() => database[Symbol.asyncDispose]())

type SignIn = Parameters<ReturnType<typeof auditWriter>>[0]

async function written(record: Pick<SignIn, 'accountId' | 'userId'> & Partial<SignIn>) {
  await owner.plain.deleteFrom('audit_log').execute()
  const auth = database.db('auth')
  await auditWriter(auth, idSource(auth))({ action: 'login', clientId: 'camera-app', address: '::1', ...record })
  return owner.plain.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow()
}

test('sign-ins of users and staff are logged with their name', async () => {
  expect(await written({ accountId: 1001, userId: 1001 })).toMatchObject({ actor_name: 'Ada Lovelace', staff_id: null })
  expect(await written({ accountId: 255, userId: 77 })).toMatchObject({
    account_id: 255,
    actor_name: 'Dee Dealer',
    staff_id: 77,
  })
})

test('an entry from a support session names the staff member, and one from an API key names the key', async () => {
  const support = { staffId: 77, staffName: 'Dee Dealer' }
  expect(await written({ accountId: 1001, userId: 1001, support, apiKeyId: 5 })).toMatchObject({
    user_id: 1001,
    actor_name: 'Dee Dealer',
    staff_id: 77,
    api_key_id: 5,
  })
})

test('an entry of a deleted user has no name', async () => {
  expect(await written({ accountId: 1001, userId: 5 })).toMatchObject({ user_id: 5, actor_name: null })
})
