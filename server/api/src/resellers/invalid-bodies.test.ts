import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { distributors } from '../distributors/index.ts'
import { insights } from '../insights/index.ts'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { staff } from '../staff/index.ts'
import { subscriptions } from '../subscriptions/index.ts'
import { resellers } from './index.ts'

let api: TestApi
let admin: string
beforeAll(async () => {
  api = await testApi({ slices: [distributors, insights, resellerAccounts, resellers, staff, subscriptions] })
  admin = (await api.addStaff({ level: 'admin' })).token
  await api.addPackage(1)
})
afterAll(() => api[Symbol.asyncDispose]())

test.each([
  ['PATCH distributors/1', { country: 'Holland' }],
  ['PATCH resellers/255', { maxSubUsers: -1 }],
  ['PATCH resellers/255', { timeZone: 'Mars/Olympus' }],
  ['PUT resellers/255/subscriptionPackages/9', { name: '' }],
  [
    'PUT resellers/255/subscriptionPackages/9',
    { name: 'P', sku: 'P', quality: '4K', retention: 1, maxAmountOfCameras: 1 },
  ],
  ['PATCH resellers/255/accounts/ACCOUNT', { status: 'gone' }],
  ['PUT resellers/255/accounts/ACCOUNT/reseller', { resellerId: 'self' }],
  ['PUT resellers/255/accounts/ACCOUNT/zoho', {}],
  ['POST resellers/255/users', { email: 'new@demo.example', firstName: '', lastName: 'Person' }],
  ['POST distributors/1/users', { email: 'nobody', firstName: 'New', lastName: 'Person' }],
  ['PATCH distributors/1/users/1', { permissions: { everything: true } }],
  ['PATCH provider/users/1', { language: 'xx' }],
])('%s with %j is refused with code 3', async (request, body) => {
  const { accountId } = await api.addAccount()
  const answer = await api.call(admin, request.replace('ACCOUNT', String(accountId)), body)
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
})

test.each([
  'GET resellers/255/accounts?status=gone',
  'GET resellers/255/accountUsers',
  'GET resellers/255/insights?period=5',
])('%s is refused with code 3', async (request) => {
  expect(await api.call(admin, request)).toMatchObject({ status: 400, body: { code: 3 } })
})

test.each([
  ['PATCH distributors/5', {}],
  ['DELETE distributors/5', undefined],
  ['GET distributors/5/resellers', undefined],
  ['GET distributors/self', undefined],
  ['GET resellers/self', undefined],
])('%s: something missing returns code 4, even for a caller without such an organization', async (request, body) => {
  expect(await api.call(admin, request, body)).toMatchObject({ status: 404, body: { code: 4 } })
})

test('renaming to a name already in use is refused with code 5', async () => {
  const [one, other] = [await api.addDistributor('Taken here'), await api.addDistributor()]
  const renamed = await api.call(admin, `PATCH distributors/${other}`, { name: 'TAKEN here' })
  expect(renamed).toMatchObject({ status: 409, body: { code: 5 } })
  const listed = await api.call(admin, 'GET distributors?sort=name')
  expect(listed.body.map((each: { distributorId: number }) => each.distributorId)).toEqual(
    expect.arrayContaining([1, one, other]),
  )
  await api.addReseller({ name: 'Taken reseller' })
  const resellerId = await api.addReseller()
  const again = await api.call(admin, `PATCH resellers/${resellerId}`, { name: 'taken RESELLER' })
  expect(again).toMatchObject({ status: 409, body: { code: 5 } })
})

test('of twenty accounts added at once with the same address, one is created', async () => {
  const { token } = await api.addStaff()
  const given = {
    contactDetails: { firstName: 'Tina', lastName: 'Twenty' },
    email: 'tina@demo.example',
    subscriptionId: 1,
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.call(token, 'POST resellers/self/accounts', given)),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
})

test('an account can’t read another account’s packages', async () => {
  const [mine, other] = [await api.addAccount(), await api.addAccount()]
  const answer = await api.call(mine.token, `GET accounts/${other.accountId}/subscriptions`)
  expect(answer).toMatchObject({ status: 404, body: { code: 4 } })
})

describe.each(['resellers/255', 'distributors/1', 'provider'])('staff of %s', (organisation) => {
  const level = () =>
    ({ resellers: 'reseller', distributors: 'distributor', provider: 'admin' })[organisation.split('/')[0] ?? ''] as
      | 'reseller'
      | 'distributor'
      | 'admin'
  const person = (email: string) => ({ email, firstName: 'Nina', lastName: 'New' })

  test('can be listed, read and changed, and each address is unique (code 5)', async () => {
    const path = `${organisation}/users`
    const email = `nina@${organisation.replace('/', '')}.example`
    const added = await api.call(admin, `POST ${path}`, person(email))
    expect(added.status).toBe(201)
    expect(await api.call(admin, `POST ${path}`, person(email))).toMatchObject({ status: 409, body: { code: 5 } })
    const one = `${path}/${added.body.userId}`
    const changed = await api.call(admin, `PATCH ${one}`, { firstName: 'Nora', permissions: { viewInsights: true } })
    expect(changed).toMatchObject({ status: 200, body: { firstName: 'Nora', permissions: { viewInsights: true } } })
    expect((await api.call(admin, `GET ${one}`)).body).toEqual(changed.body)
    expect((await api.call(admin, `GET ${path}`)).body).toContainEqual(changed.body)
  })

  test('an unknown profile or user returns code 4, and changing oneself code 6', async () => {
    const path = `${organisation}/users`
    const profile = { ...person('profile@demo.example'), permissionProfileId: 5 }
    expect(await api.call(admin, `POST ${path}`, profile)).toMatchObject({ status: 404, body: { code: 4 } })
    for (const [verb, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      expect(await api.call(admin, `${verb} ${path}/5`, body)).toMatchObject({ status: 404, body: { code: 4 } })
    }
    const { token, userId } = await api.addStaff({ level: level() })
    for (const [verb, body] of [['PATCH', {}], ['DELETE']] as const) {
      const answer = await api.call(token, `${verb} ${path}/${userId}`, body)
      expect(answer).toMatchObject({ status: 409, body: { code: 6 } })
    }
  })
})
