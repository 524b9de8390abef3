import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMON_PASSWORD, OVERLOADING_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from './index.ts'

let api: TestApi
let nextPerson = 1
beforeAll(async () => {
  api = await testApi({ slices: [subUsers] })
})
afterAll(() => api[Symbol.asyncDispose]())

const GOOD_PASSWORD = 'Correct-horse7'
const PEOPLE_RIGHTS = ['viewUserSettings', 'addUser', 'editUser', 'deleteUser', 'blockUser'] as const

function newPerson(over: object = {}): { email: string; firstName: string; lastName: string } {
  nextPerson += 1
  return { email: `person-${nextPerson}@shop.example`, firstName: 'Grace', lastName: 'Hopper', ...over }
}

const auditOf = async (accountId: number, action: string) =>
  api.owner.plain
    .selectFrom('audit_log')
    .select(['action', 'target_id', 'before', 'after', 'actor_name'])
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .execute()

describe('adding a user', () => {
  test('without a password sends an invitation by email', async () => {
    const { token, accountId } = await api.addAccount()
    const given = newPerson({ rights: { ptz: true }, language: 'nl', phone: '+31 20 123 45 67' })
    const added = await api.call(token, 'POST users', given)
    const { email, firstName, lastName } = given
    expect(added).toMatchObject({
      status: 201,
      body: {
        email,
        firstName,
        lastName,
        name: 'Grace Hopper',
        accountId,
        isSuperUser: false,
        blocked: false,
        lastLogin: null,
        guard: null,
      },
    })
    expect(added.headers.get('location')).toBe(`/rest/v2.4/users/${added.body.userId}`)
    expect(api.asked.filter(({ userId }) => userId === added.body.userId)).toEqual([])
    expect((await api.askedMails()).filter(({ userId }) => userId === added.body.userId)).toEqual([
      { kind: 'invitation', userId: added.body.userId, to: email },
    ])
    const rights = (await api.call(token, `GET users/${added.body.userId}/rights`)).body
    expect(Object.keys(rights).filter((right) => rights[right])).toEqual([
      'ptz',
      'LiveCamera',
      'CameraView',
      'ZonesView',
    ])
    const details = (await api.call(token, `GET users/${added.body.userId}/details`)).body
    expect(details).toMatchObject({ language: 'nl', phone: '+31 20 123 45 67' })
  })

  test('with a password sends no email, and no audit entry contains the password', async () => {
    const { token, accountId } = await api.addAccount()
    const added = await api.call(token, 'POST users', newPerson({ password: GOOD_PASSWORD }))
    expect(added.status).toBe(201)
    const calls = api.asked.filter(({ userId }) => userId === added.body.userId).map(({ call }) => call)
    expect(calls).toEqual(['createCredentials'])
    expect((await api.askedMails()).filter(({ userId }) => userId === added.body.userId)).toEqual([])
    const lines = await auditOf(accountId, 'addUser')
    expect(lines).toMatchObject([{ target_id: added.body.userId, after: { isInvited: false } }])
    expect(JSON.stringify(lines)).not.toContain(GOOD_PASSWORD)
  })

  test.each([
    [{ password: 'short' }, 'Password should be 8-32 characters'],
    [{ password: 'has spaces in it' }, 'Password contains invalid characters'],
    [{ password: COMMON_PASSWORD }, 'This password is too common'],
    [{ email: 'nobody' }, 'Please enter a valid email address'],
    [{ firstName: '' }, 'First name is required'],
    [{ lastName: 'X' }, 'Please enter a valid name'],
    [{ phone: 'call me' }, 'This is not a valid phone number'],
    [{ rights: { LiveCamera: false } }, "This right can't be turned off"],
    [{ rights: { ptz: true }, permissionProfileId: 12 }, 'Choose either individual rights or a profile'],
  ])('with %j is refused with code 3 and the message of the field', async (over, message) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'POST users', newPerson(over))
    expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ message }] } })
  })

  test('fails if no password can be set at the moment', async () => {
    const { token } = await api.addAccount()
    const given = newPerson({ password: OVERLOADING_PASSWORD })
    expect(await api.call(token, 'POST users', given)).toMatchObject({ status: 429, body: { code: 16 } })
    expect((await api.call(token, 'GET users')).body).toHaveLength(1)
  })

  test('needs an email address that no user of the reseller has, in any case (code 5)', async () => {
    const { token } = await api.addAccount({ email: 'first@shop.example' })
    const again = await api.call(token, 'POST users', newPerson({ email: 'FIRST@shop.example' }))
    expect(again).toMatchObject({ status: 409, body: { code: 5 } })
  })

  test('twenty times at once never exceeds the account’s limit (code 6)', async () => {
    const { token, accountId } = await api.addAccount()
    await api.owner.plain
      .updateTable('accounts')
      .set({ max_sub_users: 7 })
      .where('account_id', '=', accountId)
      .execute()
    await api.addSubUser(accountId, { rights: [] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call(token, 'POST users', newPerson())))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(6).fill(201), ...Array(14).fill(409)])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: 6, detail: 'The maximum number of sub-users is reached' })
    expect((await api.call(token, 'GET users')).body).toHaveLength(8)
    const invited = new Set((await api.askedMails()).map(({ userId }) => userId))
    const people = await api.owner.plain
      .selectFrom('users')
      .select('user_id')
      .where('account_id', '=', accountId)
      .execute()
    expect(people.filter(({ user_id }) => invited.has(user_id))).toHaveLength(6)
  })

  test('can’t grant a right, a camera, a zone or all cameras that the caller lacks', async () => {
    const { accountId, zoneId, token } = await api.addAccount()
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    const adder = await api.addSubUser(accountId, { rights: [...PEOPLE_RIGHTS] })
    const add = (over: object) => api.call(adder.token, 'POST users', newPerson(over))
    expect(await add({ rights: { ptz: true } })).toMatchObject({ status: 403, body: { code: 9 } })
    expect(await add({ permissionProfileId: 12 })).toMatchObject({ status: 403, body: { code: 9 } })
    expect(await add({ allCameras: true })).toMatchObject({ status: 403, body: { code: 9 } })
    for (const unknown of [{ cameraIds: [cameraId] }, { zoneIds: [zoneId] }, { cameraIds: [9] }, { zoneIds: [9] }]) {
      expect(await add(unknown)).toMatchObject({ status: 404, body: { code: 4 } })
    }
    expect((await add({ rights: { addUser: true }, userType: 'demo' })).body).toMatchObject({ userType: 'demo' })
    const all = { permissionProfileId: 12, cameraIds: [cameraId], zoneIds: [zoneId] }
    const byOwner = await api.call(token, 'POST users', newPerson(all))
    expect(byOwner.body).toMatchObject({ permissionProfileId: 12, permissionProfileName: 'Guard', cameras: 1 })
    expect((await api.call(token, `GET users/${byOwner.body.userId}/access`)).body).toEqual({
      allCameras: false,
      cameraIds: [cameraId],
      zoneIds: [zoneId],
    })
  })
})

describe('the list of users', () => {
  test('can be searched by name and address, filtered by blocked, sorted and paged', async () => {
    const { accountId, token } = await api.addAccount()
    for (const [firstName, lastName] of [
      ['Ann', 'Zebra'],
      ['Bob', 'Yak'],
      ['Cy', 'Xerus'],
    ]) {
      await api.call(token, 'POST users', newPerson({ firstName, lastName }))
    }
    const names = async (query: string) =>
      (await api.call(token, `GET users?${query}`)).body.map((person: { lastName: string }) => person.lastName)
    expect(await names('sort=name')).toEqual(['Byron', 'Xerus', 'Yak', 'Zebra'])
    expect(await names('sort=-name&limit=2')).toEqual(['Zebra', 'Yak'])
    expect(await names('q=b%20y')).toEqual(['Yak'])
    expect(await names(`q=owner-${accountId}`)).toEqual(['Byron'])
    expect(await names('q=%25')).toEqual([])
    expect(await names('blocked=true')).toEqual([])
    expect((await names('blocked=false')).sort()).toEqual(['Byron', 'Xerus', 'Yak', 'Zebra'])
    const first = await api.call(token, 'GET users?sort=email&limit=3&count=true')
    expect(first.headers.get('x-total-count')).toBe('4')
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
    const rest = await api.call(token, `GET ${next?.replace(/^.*v2.4\//, '')}`)
    expect(rest.body).toHaveLength(1)
    for (const sort of ['lastLogin', '-lastLogin', 'createdAt', 'userId', '-email']) {
      expect(await names(`sort=${sort}&limit=4`)).toHaveLength(4)
    }
    expect(await api.call(token, 'GET users?sort=rights')).toMatchObject({ status: 400, body: { code: 3 } })
  })

  test('shows the last sign-in, not counting support sessions', async () => {
    const { accountId, token } = await api.addAccount()
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    const line = { account_id: accountId, user_id: userId, action: 'login' }
    await api.owner.plain
      .insertInto('audit_log')
      .values({ ...line, audit_log_id: 1, staff_id: 5 })
      .execute()
    expect((await api.call(token, `GET users/${userId}`)).body.lastLogin).toBeNull()
    await api.owner.plain
      .insertInto('audit_log')
      .values({ ...line, audit_log_id: 2 })
      .execute()
    const { lastLogin } = (await api.call(token, `GET users/${userId}`)).body
    expect(Math.abs(Date.parse(lastLogin) - Date.now())).toBeLessThan(60_000)
    const [newest] = (await api.call(token, 'GET users?sort=-lastLogin')).body
    expect(newest.userId).toBe(userId)
  })

  test('needs the right viewUserSettings', async () => {
    const { accountId } = await api.addAccount()
    const { token } = await api.addSubUser(accountId, { rights: ['editUser'] })
    expect(await api.call(token, 'GET users')).toMatchObject({ status: 403, body: { code: 9 } })
  })

  test('counts only cameras in the caller’s scope', async () => {
    const { accountId, zoneId, token } = await api.addAccount()
    const [door] = [await api.addCamera(accountId, zoneId, 'Door'), await api.addCamera(accountId, zoneId, 'Yard')]
    const all = await api.addSubUser(accountId, { rights: [], allCameras: true })
    const viewer = await api.addSubUser(accountId, { rights: ['viewUserSettings'], cameraIds: [door] })
    expect((await api.call(token, `GET users/${all.userId}`)).body.cameras).toBe(2)
    expect((await api.call(viewer.token, `GET users/${all.userId}`)).body.cameras).toBe(1)
  })
})
