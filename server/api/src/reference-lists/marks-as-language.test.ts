import { allRoutes } from '@sightline/contract/routes'
import type { Route } from '@sightline/contract/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { staff } from '../staff/index.ts'
import { subUsers } from '../sub-users/index.ts'
import { userDetails } from '../user-details/index.ts'

/** Whether the body has a language. */
const takesLanguage = ({ body }: Route): boolean =>
  body !== undefined &&
  JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes('"language":')

/** Every call that returns a user's language: its caller and body; `self` is the account, `one` the user. */
const calls: Readonly<Record<string, readonly [who: 'owner' | 'admin', request: string, body: object]>> = {
  patchUserDetails: ['owner', 'PATCH users/self/details', {}],
  addUser: ['owner', 'POST users', { email: 'new@customer.example', firstName: 'Nina', lastName: 'New' }],
  patchPersonDetails: ['owner', 'PATCH users/:one/details', {}],
  addAccount: [
    'admin',
    'POST resellers/255/accounts',
    {
      contactDetails: { firstName: 'Carla', lastName: 'Customer' },
      email: 'carla@customer.example',
      subscriptionId: 1,
    },
  ],
  patchResellerAccount: ['admin', 'PATCH resellers/255/accounts/:self', {}],
  patchAccountUser: ['admin', 'PATCH resellers/255/accounts/:self/users/:one', {}],
  ...staffCalls('Reseller', 'resellers/255'),
  ...staffCalls('Distributor', 'distributors/1'),
  ...staffCalls('Provider', 'provider'),
}

function staffCalls(of: string, path: string): Record<string, readonly ['admin', string, object]> {
  const given = { email: `nina@${of.toLowerCase()}.example`, firstName: 'Nina', lastName: 'New' }
  return {
    [`add${of}Staff`]: ['admin', `POST ${path}/users`, given],
    [`patch${of}StaffUser`]: ['admin', `PATCH ${path}/users/:${of}`, {}],
  }
}

describe.each([
  ['off', false],
  ['on', true],
] as const)('when translating in the page is %s', (_, isTranslated) => {
  let api: TestApi
  let ids: Record<string, string | number>
  let tokens: Readonly<Record<'owner' | 'admin', string>>
  beforeAll(async () => {
    api = await testApi({ slices: [resellerAccounts, staff, subUsers, userDetails], isTranslated })
    await api.addPackage(1)
    const owner = await api.addAccount()
    const admin = await api.addStaff({ level: 'admin' })
    const { userId } = await api.addSubUser(owner.accountId, { rights: [] })
    tokens = { owner: owner.token, admin: admin.token }
    ids = {
      self: owner.accountId,
      one: userId,
      Reseller: (await api.addStaff()).userId,
      Distributor: (await api.addStaff({ level: 'distributor' })).userId,
      Provider: (await api.addStaff({ level: 'admin' })).userId,
    }
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const saying = async (name: string, language: string) => {
    const [who, request, body] = calls[name] ?? ['owner', '', {}]
    const path = request.replaceAll(/:(\w+)/g, (_all, one: string) => String(ids[one]))
    return api.call(tokens[who], path, { ...body, language })
  }

  test.each(Object.keys(calls))(`%s ${isTranslated ? 'accepts' : 'refuses'} the marker language`, async (name) => {
    const answer = await saying(name, 'aa')
    if (isTranslated) expect([answer.status < 300, answer.body.language ?? 'aa']).toEqual([true, 'aa'])
    else {
      const field = { field: 'language', message: 'Please choose a language from the list' }
      expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [field] } })
      expect((await saying(name, 'nl')).status).toBeLessThan(300)
    }
  })

  test('no other call takes a language', () => {
    const known = allRoutes.filter((route) => route.plane === 'api' && takesLanguage(route)).map(({ name }) => name)
    expect(known.toSorted()).toEqual(Object.keys(calls).toSorted())
  })
})
