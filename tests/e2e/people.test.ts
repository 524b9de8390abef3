import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../long-run.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'

let product: RunningProduct
let owner: string
beforeAll(async () => {
  product = await startProduct({ cameras: false })
  owner = await fetchToken(product.origin, 'owner@demo.example')
}, 120_000)
afterAll(() => product[Symbol.asyncDispose]())

interface Person {
  readonly userId: number
  readonly lastLogin: string | null
}
const call = <T>(token: string, request: string, body?: unknown) => callApi<T>(product.origin, token, request, body)
const PASSWORD = 'Correct-horse7'

/** The server may cache a token's state for a second. */
async function statusAfterASecond(token: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1100))
  return (await call(token, 'GET users/self')).status
}

test('a user is added, signs in, is blocked, unblocked and deleted, each with immediate effect', async () => {
  const email = 'grace@people.example'
  const given = { email, firstName: 'Grace', lastName: 'Hopper', password: PASSWORD, permissionProfileId: 12 }
  const added = await call<Person>(owner, 'POST users', given)
  expect(added).toMatchObject({ status: 201, body: { email, lastLogin: null, permissionProfileName: 'Guard' } })
  const { userId } = added.body
  const token = await fetchToken(product.origin, email, PASSWORD)
  const { lastLogin } = (await call<Person>(owner, `GET users/${userId}`)).body
  expect(Math.abs(Date.parse(lastLogin ?? '') - Date.now())).toBeLessThan(60_000)
  const told = await call(owner, `GET users/${userId}/explain?operation=playback`)
  expect(told.body).toMatchObject({
    allowed: true,
    steps: [{ check: 'scope' }, { by: 'profile', via: { name: 'Guard' } }],
  })

  expect((await call(owner, `POST users/${userId}/block`)).status).toBe(204)
  expect(await statusAfterASecond(token)).toBe(401)
  await expect(fetchToken(product.origin, email, PASSWORD)).rejects.toThrow()
  expect((await call(owner, `POST users/${userId}/unblock`)).status).toBe(204)
  // The block ended the user's tokens for good.
  expect(await statusAfterASecond(token)).toBe(401)
  const again = await fetchToken(product.origin, email, PASSWORD)

  expect((await call(owner, `DELETE users/${userId}`)).status).toBe(204)
  expect(await statusAfterASecond(again)).toBe(401)
  await expect(fetchToken(product.origin, email, PASSWORD)).rejects.toThrow()
  const successor = await call<Person>(owner, 'POST users', { ...given, password: 'Another-zebra9' })
  expect(successor.status).toBe(201)
  await expect(fetchToken(product.origin, email, PASSWORD)).rejects.toThrow()
}, 60_000)

longTest(
  'a common password is refused, and simultaneous invitations never exceed the limit',
  async () => {
    const person = { firstName: 'Grace', lastName: 'Hopper' }
    const common = await call(owner, 'POST users', { ...person, email: 'common@people.example', password: 'password1' })
    expect(common).toMatchObject({ status: 400, body: { code: 3 } })
    const before = (await call<Person[]>(owner, 'GET users')).body.length - 1
    const room = 100 - before
    const invitations = Array.from({ length: room + 20 }, (_, n) =>
      call(owner, 'POST users', { ...person, email: `person-${n}@people.example` }),
    )
    const statuses = (await Promise.all(invitations)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(room)
    expect(statuses.filter((status) => status === 409)).toHaveLength(20)
    expect((await call<Person[]>(owner, 'GET users')).body).toHaveLength(101)
  },
  60_000,
)
