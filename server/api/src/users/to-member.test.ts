import { getMemberDenyReason, type Rule } from '@sightline/contract/rights'
import { allRoutes } from '@sightline/contract/routes'
import { streamRules } from '@sightline/contract/streams'
import { toMember } from '@sightline/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explanations } from '../explanations/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { users } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [explanations, subUsers, users] })
})
afterAll(() => api[Symbol.asyncDispose]())

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...Object.entries(streamRules),
  ...allRoutes.map((route) => [route.name, route] as const),
])

async function told(token: string) {
  const [user, rights, flags, overview] = await Promise.all(
    ['users/self', 'users/self/rights', 'users/self/featureFlags', 'users/self/explain'].map(
      async (path) => (await api.call(token, `GET ${path}`)).body,
    ),
  )
  const operations: { operation: string; allowed: boolean }[] = overview.operations
  return { member: toMember({ user, rights, flags }), operations }
}

const changeAccount = (accountId: number, values: object) =>
  api.owner.plain.updateTable('accounts').set(values).where('account_id', '=', accountId).execute()

const principals: readonly (readonly [string, () => Promise<string>])[] = [
  ['the owner', async () => (await api.addAccount()).token],
  [
    'a sub-user with some rights',
    async () => {
      const { accountId } = await api.addAccount()
      return (await api.addSubUser(accountId, { rights: ['viewUserSettings', 'playback', 'deviceIORead'] })).token
    },
  ],
  [
    'a demo user',
    async () => {
      const { accountId } = await api.addAccount()
      return (await api.addSubUser(accountId, { rights: ['viewUserSettings', 'demoUser'] })).token
    },
  ],
  ['the owner who is a demo user', async () => (await api.addAccount({ rights: ['demoUser'] })).token],
  [
    'the owner of an account that is a demonstration',
    async () => {
      const { accountId, token } = await api.addAccount()
      await changeAccount(accountId, { user_type: 'demo' })
      return token
    },
  ],
  [
    'the owner of an inactive account',
    async () => {
      const { accountId, token } = await api.addAccount()
      await changeAccount(accountId, { status: 'inactive' })
      return token
    },
  ],
  [
    'a sub-user whose Web App is disabled',
    async () => {
      const { accountId } = await api.addAccount()
      await changeAccount(accountId, { sub_users_barred: true })
      return (await api.addSubUser(accountId, { rights: ['viewUserSettings'] })).token
    },
  ],
  [
    'support while video is hidden',
    async () => {
      const { accountId } = await api.addAccount()
      return api.addToken({ accountId, userId: accountId }, 'support')
    },
  ],
  [
    'support while video is shown',
    async () => {
      const { accountId } = await api.addAccount()
      const token = await api.addToken({ accountId, userId: accountId }, 'support')
      await changeAccount(accountId, { helpdesk_show_video: true })
      return token
    },
  ],
]

test.each(principals)('the app decides for %s as the server does, call by call', async (_, open) => {
  const { member, operations } = await told(await open())
  const differing = operations.filter(({ operation, allowed }) => {
    const rule = rules.get(operation)
    return rule === undefined || (getMemberDenyReason(rule, member) === undefined) !== allowed
  })
  expect(differing).toEqual([])
  expect(operations.length).toBeGreaterThan(50)
})

test('the app hides what depends on a module that the brand lost', async () => {
  const { accountId } = await api.addAccount()
  const { token } = await api.addSubUser(accountId, { rights: ['deviceIORead'] })
  const { member } = await told(token)
  expect([...member.modules]).toContain('deviceIO')
  await api.owner.plain.updateTable('resellers').set({ modules: '{}' }).execute()
  await expect.poll(async () => [...(await told(token)).member.modules]).toEqual([])
})
