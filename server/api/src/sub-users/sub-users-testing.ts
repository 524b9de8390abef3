import type { Right } from '@sightline/contract/rights'
import type { TestApi } from '../slice-testing.ts'

/** Every right that a call about users needs. */
export const PEOPLE_RIGHTS: readonly Right[] = ['viewUserSettings', 'addUser', 'editUser', 'deleteUser', 'blockUser']

/** An account with its owner, an editor with the rights about users, and a sub-user with the given access. */
export async function addTestUsers(api: TestApi, given: Parameters<TestApi['addSubUser']>[1] = { rights: [] }) {
  const account = await api.addAccount()
  const editor = await api.addSubUser(account.accountId, { rights: PEOPLE_RIGHTS })
  const sub = await api.addSubUser(account.accountId, given)
  return { ...account, editor, sub }
}

/** Every call that changes a user, with a valid body. */
export const listUserChanges = (userId: number): readonly (readonly [request: string, body: object | undefined])[] => [
  [`PATCH users/${userId}`, { firstName: 'Grace' }],
  [`PATCH users/${userId}/details`, { city: 'Delft' }],
  [`PATCH users/${userId}/credentials`, { sendLink: true }],
  [`PATCH users/${userId}/rights`, { addUser: true }],
  [`PATCH users/${userId}/access`, { cameraIds: [] }],
  [`POST users/${userId}/block`, undefined],
  [`POST users/${userId}/unblock`, undefined],
  [`POST users/${userId}/invitation`, undefined],
  [`DELETE users/${userId}`, undefined],
]
