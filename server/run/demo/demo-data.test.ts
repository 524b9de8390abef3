import { randomBytes } from 'node:crypto'
import { allPermissions } from '@sightline/contract/rights'
import { brandTheme } from '@sightline/contract/theme'
import { idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDemonstration } from './demo-data.ts'
import { openDemoHosts } from './demo-hosts.ts'

let database: TestDatabase
let given: { userId: number; accountId: number }[]
beforeEach(async () => {
  database = await testDatabase()
  given = []
})
afterEach(() => database[Symbol.asyncDispose]())

async function create() {
  const db = database.db('owner')
  const createCredentials = async ({ userId, accountId }: { userId: number; accountId: number }) => {
    given.push({ userId, accountId })
    const row = { user_id: userId, account_id: accountId, password_hash: 'hashed' }
    await db.plain.insertInto('auth.credentials').values(row).execute()
  }
  const key = envelopeEncryption(randomBytes(32))
  const deps = { db, ids: idSource(db), encryption: key, auth: { createCredentials }, password: 'pass' }
  const created = await createDemonstration(deps)
  await created.passwords
  return created
}

const rows = (table: 'users' | 'staff' | 'accounts' | 'resellers' | 'subscriptions' | 'subscription_packages') =>
  database.db('owner').plain.selectFrom(table).selectAll().execute()

test('the demo users of both resellers exist, each with a password for the right account', async () => {
  const { isNew, people } = await create()
  expect(isNew).toBe(true)
  expect(people.map((person) => person.email.split('@')[0])).toEqual([
    ...['owner', 'guard', 'other', 'hotel'],
    ...['support', 'dealer', 'distributor', 'admin'],
  ])
  const known = await database.db('owner').plain.selectFrom('auth.people').select(['user_id', 'account_id']).execute()
  const byId = (a: { userId: number }, b: { userId: number }) => a.userId - b.userId
  expect(given.toSorted(byId)).toEqual(
    known.map((row) => ({ userId: row.user_id, accountId: row.account_id })).toSorted(byId),
  )
})

test('support can view and enter accounts, the dealer can do everything, and each level has its own staff', async () => {
  await create()
  const staff = new Map(
    (await database.db('owner').plain.selectFrom('staff').selectAll().execute()).map((row) => [row.email, row]),
  )
  expect(staff.get('support@demo.example')).toMatchObject({
    level: 'reseller',
    reseller_id: 255,
    permissions: ['viewAccounts', 'generateAccessToken'],
  })
  expect(staff.get('dealer@demo.example')).toMatchObject({ reseller_id: 255, permissions: allPermissions })
  expect(staff.get('distributor@demo.example')).toMatchObject({ level: 'distributor', reseller_id: null })
  expect(staff.get('admin@demo.example')).toMatchObject({ level: 'admin', organisation_id: 2 })
})

test('each brand’s stored theme is valid, and its pictures are PNGs', async () => {
  await create()
  const { plain } = database.db('owner')
  const themes = (await plain.selectFrom('resellers').select('theme').execute()).map(({ theme }) => theme)
  expect(themes.length).toBeGreaterThan(1)
  for (const theme of themes) {
    const { logo, logoDark, favicon } = brandTheme.parse(theme)
    for (const picture of [logo, logoDark, favicon]) expect(picture).toMatch(/^data:image\/png;base64,/)
  }
})

test('both resellers have packages, and every account has a subscription with enough camera slots', async () => {
  await create()
  expect(await rows('resellers')).toHaveLength(2)
  const packages = await rows('subscription_packages')
  const own = packages.filter((one) => one.reseller_id === 255)
  expect(packages).toHaveLength(2 * own.length)
  // The chooser begins with SD1, 7 days, 10 cameras, and with live only for 200 (specification §9).
  expect(own).toContainEqual(expect.objectContaining({ quality: 'SD1', retention_hours: 168, max_cameras: 10 }))
  expect(own).toContainEqual(expect.objectContaining({ quality: 'CM10', retention_hours: 0, max_cameras: 200 }))
  expect(own).toContainEqual(expect.objectContaining({ sku: null, quality: null, name: expect.stringMatching(/_10$/) }))
  expect(await rows('subscriptions')).toHaveLength((await rows('accounts')).length)
})

test('an existing demonstration doesn’t change', async () => {
  await create()
  const owner = database.db('owner').plain
  // As one of before there was staff.
  await owner.deleteFrom('staff').execute()
  const before = [await rows('users'), await rows('accounts'), await rows('resellers')]
  const { isNew, people } = await create()
  expect(isNew).toBe(false)
  expect(people.map((person) => person.email.split('@')[0])).toEqual(['owner', 'guard', 'other', 'hotel'])
  expect([await rows('users'), await rows('accounts'), await rows('resellers')]).toEqual(before)
  expect(await rows('staff')).toEqual([])
})

test('passwords missing after an interrupted first start are set by the next', async () => {
  await create()
  await database.db('owner').plain.deleteFrom('auth.credentials').execute()
  given = []
  expect((await create()).isNew).toBe(true)
  expect(given).toHaveLength(8)
})

test.each([
  [{ scheme: 'http', port: 8080 } as const, ['http://demo.localhost:8080', 'http://beacon-hill.localhost:8080']],
  [{ scheme: 'https', port: 443 } as const, ['https://demo.localhost', 'https://beacon-hill.localhost']],
])('each brand has its own host at %j, and none on another port', async (at, origins) => {
  await create()
  const db = database.db('owner')
  await openDemoHosts(db, { scheme: 'http', port: 9999 })
  await db.plain.insertInto('brand_hosts').values({ host: 'cams.example', reseller_id: 255 }).execute()
  const addresses = await openDemoHosts(db, at)
  expect(addresses).toEqual([
    { company: 'Harbour Guard', origin: origins[0] },
    { company: 'Beacon Hill', origin: origins[1] },
  ])
  const hosts = await db.plain.selectFrom('brand_hosts').select('host').execute()
  const expected = [...origins.map((origin) => new URL(origin).host), 'cams.example']
  expect(hosts.map(({ host }) => host).sort()).toEqual(expected.sort())
})
