/** No one can bypass the guard rails of api.md §6 and §7: the owner, yourself, users with more rights, rights you lack. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFixture, type TenancyFixture } from './fixture.ts'
import type { Who } from './principals.ts'
import type { WorldAccount } from './world.ts'

let fixture: TenancyFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => fixture?.[Symbol.asyncDispose]())

const whoIs = (name: string): Who => {
  const found = fixture.everybody.find((who) => who.name === name)
  if (found === undefined) throw new Error(`no caller is named ${name}`)
  return found
}
const userIdOf = ({ is }: Who): number => (is.kind === 'nobody' ? 0 : is.userId)
const account = (): WorldAccount => fixture.world.own.accounts[0]

/** Returns the status, checks that a refused call wrote nothing, and undoes all changes. */
async function statusOf(who: Who, request: string, body?: object): Promise<number> {
  const [method = '', path = ''] = request.split(' ', 2)
  const { status } = await fixture.frame.call({
    method,
    path,
    token: who.token,
    ...(body === undefined ? {} : { body }),
  })
  const written = await fixture.journal.read()
  await fixture.journal.undo()
  if (status >= 400) expect(written).toEqual([])
  return status
}

/** Every change to a user, by the path after `users/{userId}`, and the right it needs. */
const changes: readonly (readonly [request: string, body: object | undefined, right: string])[] = [
  ['PATCH', { firstName: 'Changed' }, 'editUser'],
  ['PATCH /details', { city: 'Changed' }, 'editUser'],
  ['PATCH /credentials', { sendLink: true }, 'editUser'],
  ['PATCH /rights', { editUser: true }, 'editUser'],
  ['PATCH /access', { cameraIds: [] }, 'editUser'],
  ['POST /block', undefined, 'blockUser'],
  ['POST /unblock', undefined, 'blockUser'],
  ['DELETE', undefined, 'deleteUser'],
]
const onPerson = (change: string, userId: number): string => {
  const [method, tail = ''] = change.split(' ', 2)
  return `${method} users/${userId}${tail}`
}
const REFUSED = [403, 409]

describe.each(changes)('%s of a user', (change, body, right) => {
  test('no one changes the owner, not even the owner', async () => {
    for (const name of ['owner', 'sub-user with every right']) {
      expect(REFUSED).toContain(await statusOf(whoIs(name), onPerson(change, account().accountId), body))
    }
  })

  test('no one changes themselves', async () => {
    const who = whoIs('sub-user with every right')
    expect(REFUSED).toContain(await statusOf(who, onPerson(change, userIdOf(who)), body))
  })

  test('no one changes a user who has a right that they lack', async () => {
    const who = whoIs(`sub-user with ${right}`)
    expect(REFUSED).toContain(await statusOf(who, onPerson(change, account().strong), body))
    expect(await statusOf(who, onPerson(change, account().weak), body)).toBeLessThan(300)
  })

  test('no one changes a user with access to a camera or zone that they lack', async () => {
    const who = whoIs('viewer of one camera')
    expect(REFUSED).toContain(await statusOf(who, onPerson(change, account().strong), body))
    expect(await statusOf(who, onPerson(change, account().weak), body)).toBeLessThan(300)
  })

  test('the owner changes any other user', async () => {
    expect(await statusOf(whoIs('owner'), onPerson(change, account().strong), body)).toBeLessThan(300)
  })
})

describe('no one grants what they lack', () => {
  const weak = () => `users/${account().weak}`
  const editor = () => whoIs('sub-user with editUser')
  const viewer = () => whoIs('viewer of one camera')

  test('a right', async () => {
    expect(await statusOf(editor(), `PATCH ${weak()}/rights`, { playback: true })).toBe(403)
    expect(await statusOf(editor(), `PATCH ${weak()}/rights`, { editUser: true })).toBe(200)
  })

  test('a right in a profile', async () => {
    const PROFILE_WITH_PLAYBACK = 12
    expect(await statusOf(editor(), `PATCH ${weak()}/rights`, { permissionProfileId: PROFILE_WITH_PLAYBACK })).toBe(403)
    const PROFILE_OF_MANDATORY_RIGHTS = 11
    expect(
      await statusOf(editor(), `PATCH ${weak()}/rights`, { permissionProfileId: PROFILE_OF_MANDATORY_RIGHTS }),
    ).toBe(200)
  })

  test('all rights together grant only the caller’s own rights, and never demoUser', async () => {
    const { frame, journal } = fixture
    const path = `${weak()}/rights`
    const answer = await frame.call({ method: 'PATCH', path, token: editor().token, body: { grantAll: true } })
    await journal.undo()
    const on = Object.entries(JSON.parse(answer.text)).flatMap(([right, isOn]) => (isOn === true ? [right] : []))
    expect(on.toSorted()).toEqual(['CameraView', 'LiveCamera', 'ZonesView', 'editUser'])
  })

  test('a camera, a zone, or all of them', async () => {
    const { cameras, zones } = account()
    const path = `PATCH ${weak()}/access`
    expect([403, 404]).toContain(await statusOf(viewer(), path, { cameraIds: [cameras.second] }))
    expect([403, 404]).toContain(await statusOf(viewer(), path, { zoneIds: [zones.second] }))
    expect([403, 404]).toContain(await statusOf(viewer(), path, { zoneIds: [zones.first] }))
    expect(await statusOf(viewer(), path, { allCameras: true })).toBe(403)
    expect(await statusOf(viewer(), path, { cameraIds: [cameras.first] })).toBe(200)
  })

  test('not to a new user either', async () => {
    const adder = whoIs('sub-user with addUser')
    const person = { email: 'new@tenancy.example', firstName: 'New', lastName: 'Person' }
    expect(await statusOf(adder, 'POST users', { ...person, rights: { playback: true } })).toBe(403)
    expect(await statusOf(adder, 'POST users', { ...person, rights: { addUser: true } })).toBe(201)
    const { cameras } = account()
    expect([403, 404]).toContain(await statusOf(viewer(), 'POST users', { ...person, cameraIds: [cameras.second] }))
    expect(await statusOf(viewer(), 'POST users', { ...person, allCameras: true })).toBe(403)
  })

  test('staff: a permission, or an account they have no access to', async () => {
    const { own } = fixture.world
    const manager = whoIs('dealer with manageUsers')
    const path = `resellers/${own.resellerId}/users`
    const person = { email: 'new@tenancy.example', firstName: 'New', lastName: 'Dealer' }
    expect(await statusOf(manager, `POST ${path}`, { ...person, permissions: { viewAccounts: true } })).toBe(403)
    expect(await statusOf(manager, `POST ${path}`, { ...person, permissions: { manageUsers: true } })).toBe(201)
    expect(await statusOf(manager, `PATCH ${path}/${own.weakStaffId}`, { permissions: { viewAccounts: true } })).toBe(
      403,
    )
    const ofOne = whoIs('dealer of one account')
    expect(await statusOf(ofOne, `POST ${path}`, { ...person, allAccounts: true })).toBe(403)
    expect([403, 404]).toContain(
      await statusOf(ofOne, `POST ${path}`, { ...person, accountIds: [own.accounts[1].accountId] }),
    )
    expect(await statusOf(ofOne, `POST ${path}`, { ...person, accountIds: [own.accounts[0].accountId] })).toBe(201)
  })
})

describe('staff', () => {
  const ways = [
    ['PATCH', { firstName: 'Changed' }],
    ['PATCH', { blocked: true }],
    ['DELETE', undefined],
  ] as const

  test.each(ways)('%s: no one changes themselves or staff with more permissions', async (method, body) => {
    const { own } = fixture.world
    const manager = whoIs('dealer with manageUsers')
    const path = `resellers/${own.resellerId}/users`
    expect(REFUSED).toContain(await statusOf(manager, `${method} ${path}/${userIdOf(manager)}`, body))
    expect(REFUSED).toContain(await statusOf(manager, `${method} ${path}/${userIdOf(whoIs('dealer'))}`, body))
    expect(await statusOf(manager, `${method} ${path}/${own.weakStaffId}`, body)).toBeLessThan(300)
  })
})
