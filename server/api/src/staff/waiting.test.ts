import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { staff } from './index.ts'

let api: TestApi

beforeAll(async () => {
  api = await testApi({ slices: [staff] })
})

afterAll(() => api[Symbol.asyncDispose]())

/** Makes every change to the reseller's staff wait. */
const holdStaff = (resellerId: number) =>
  hold({ owner: api.owner.plain }, `select 1 from staff where organisation_id = ${resellerId} for update`)

test('if two block each other at once, only one succeeds', async () => {
  const resellerId = await api.addReseller()
  const [one, two] = [await api.addStaff({ resellerId }), await api.addStaff({ resellerId })]
  await using held = await holdStaff(resellerId)
  const block = (by: string, userId: number) =>
    api.call(by, `PATCH resellers/${resellerId}/users/${userId}`, { blocked: true })
  const both = [block(one.token, two.userId), block(two.token, one.userId)]
  await held.waiting(2)
  await held.release()
  const statuses = (await Promise.all(both)).map((answer) => answer.status)
  expect(statuses.toSorted()).toEqual([200, 401])
})

test('a caller who loses manageUsers while the call waits adds no staff', async () => {
  const resellerId = await api.addReseller()
  const [boss, chief] = [await api.addStaff({ resellerId }), await api.addStaff({ resellerId })]
  await using held = await holdStaff(resellerId)
  const people = `resellers/${resellerId}/users`
  const stripped = api.call(boss.token, `PATCH ${people}/${chief.userId}`, { permissions: { manageUsers: false } })
  await held.waiting(1)
  const added = api.call(chief.token, `POST ${people}`, {
    email: 'puppet@demo.example',
    firstName: 'Puppet',
    lastName: 'Person',
  })
  await held.waiting(2)
  await held.release()
  expect((await stripped).status).toBe(200)
  expect((await added).status).toBe(403)
})
