import { hold } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addStaff, call } from '../../staff-testing.ts'
import {
  alive,
  begin,
  dealer,
  everythingHolds,
  grant,
  HOUR_MS,
  lines,
  modules,
  OWNER,
  openSupport,
  owner,
  PASSWORD,
  PERMISSIONS,
  staff,
  under,
} from '../../support-testing.ts'

/** The dealer's session as the account's users see it. */
const SHOWN = {
  staffId: 2001,
  staffName: 'Dora Dealer',
  organisation: 'Reseller 255',
  since: expect.any(String),
  until: expect.any(String),
  video: 'hidden',
  readOnly: false,
}

beforeAll(openSupport)
beforeEach(everythingHolds)
afterAll(() => under[Symbol.asyncDispose]())

describe('a support session', () => {
  test('is a token for the user, names the staff member, and can’t be refreshed', async () => {
    const { status, body } = await call(under, dealer, `POST ${OWNER}`)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
    expect(body).toMatchObject({ token_type: 'bearer', scope: 'read write' })
    const token: string = body.access_token
    expect((await call(under, token, 'POST users/self/sessions')).body.session.userId).toBe(1001)
    expect((await call(under, token, 'GET users/self/supportSession')).body).toEqual({ supportSession: SHOWN })
    expect((await call(under, owner, 'GET users/self/supportSession')).body).toEqual({ supportSession: null })
  })

  test('ends with the grant, after at most 12 hours', async () => {
    const { body: hour } = await call(under, dealer, `POST ${OWNER}`)
    expect(hour.expires_in).toBeGreaterThan(3590)
    expect(hour.expires_in).toBeLessThanOrEqual(3600)
    await grant(1001, Date.UTC(9999, 11, 31, 23, 59, 59))
    const { body: long } = await call(under, dealer, `POST ${OWNER}`)
    expect(long.expires_in).toBe(12 * 3600)
  })

  test('that is read-only has only the scope read', async () => {
    const token = await begin(dealer, OWNER, { readOnly: true })
    expect((await call(under, token, 'GET users/self/supportSession')).body.supportSession.readOnly).toBe(true)
  })

  test('that is read-only but requests write is refused with code 3', async () => {
    const reply = await call(under, dealer, `POST ${OWNER}`, { scope: 'read write', readOnly: true })
    expect(reply).toMatchObject({ status: 400, body: { code: 3, fields: [{ field: 'readOnly' }] } })
  })

  test('may also act as a sub-user', async () => {
    const token = await begin(dealer, OWNER.replace('users/1001', 'users/1005'))
    expect((await call(under, token, 'POST users/self/sessions')).body.session.userId).toBe(1005)
  })

  test('is in the log of the account and of the reseller, with the staff member', async () => {
    await begin()
    const common = { user_id: 2001, staff_id: 2001, actor_name: 'Dora Dealer' }
    expect(await lines('postSupportToken')).toMatchObject([
      { account_id: 255, target_kind: 'account', target_id: 1001, ...common },
      {
        account_id: 1001,
        target_kind: 'user',
        target_id: 1001,
        after: { scope: 'read write', video: 'hidden' },
        ...common,
      },
    ])
  })

  test('by a distributor is in the log of the account and of its reseller', async () => {
    await begin(await staff('distributor'))
    expect((await lines('postSupportToken')).map((line) => line.account_id)).toEqual([255, 1001])
  })
})

describe('a session can’t start', () => {
  const refusal = async (token = dealer, path = OWNER) => {
    const { status, body } = await call(under, token, `POST ${path}`)
    return { status, code: body.code, detail: body.detail }
  }
  const denied = (detail: string) => ({ status: 403, code: 9, detail })

  test('without the permission', async () => {
    expect(await refusal(await staff('sales'))).toEqual(denied('this needs the permission generateAccessToken'))
  })
  test.each(['dealer', 'distributor', 'admin'])('without the brand’s module, even for the %s', async (name) => {
    await modules(255, false)
    const token = await staff(name)
    expect(await refusal(token)).toEqual(denied('the brand does not have the module generateAccessToken'))
  })
  test.each([
    ['never existed', null],
    ['has expired', Date.now() - 1000],
  ])('without the owner’s grant, which %s', async (_, until) => {
    await grant(1001, until)
    expect(await refusal()).toEqual(denied("the account owner hasn't allowed support access"))
  })
  test('in a suspended account or as a blocked user', async () => {
    await under.owner.updateTable('accounts').set({ status: 'suspended' }).where('account_id', '=', 1001).execute()
    expect(await refusal()).toEqual(denied('the account is suspended'))
    await under.owner.updateTable('accounts').set({ status: 'active' }).where('account_id', '=', 1001).execute()
    await under.owner.updateTable('users').set({ blocked: true }).where('user_id', '=', 1005).execute()
    expect(await refusal(dealer, OWNER.replace('users/1001', 'users/1005'))).toEqual(denied('the user is blocked'))
  })
  test.each([
    ['an account of another reseller', 'dealer', 'resellers/300/accounts/1003/users/1003/tokens'],
    ['that account under the caller’s own reseller', 'dealer', 'resellers/255/accounts/1003/users/1003/tokens'],
    ['a user of another account', 'dealer', 'resellers/255/accounts/1001/users/1002/tokens'],
    ['an account that the caller doesn’t work with', 'few', OWNER],
    ['staff', 'dealer', 'resellers/255/accounts/255/users/2002/tokens'],
    ['an unknown user', 'dealer', 'resellers/255/accounts/1001/users/77/tokens'],
  ])('as %s, which looks like a nonexistent user', async (_, name, path) => {
    expect(await refusal(await staff(name), path)).toEqual({ status: 404, code: 4, detail: undefined })
  })
  test('for a distributor under another distributor’s reseller, while the provider’s staff access all', async () => {
    await under.addUser({ userId: 1009, email: 'far@demo.example', password: PASSWORD, resellerId: 400 })
    await grant(1009, Date.now() + HOUR_MS)
    const path = 'resellers/400/accounts/1009/users/1009/tokens'
    expect((await refusal(await staff('distributor'), path)).status).toBe(404)
    expect(await alive(await begin(await staff('admin'), path))).toBe(200)
  })
  test('by a member or from a support session', async () => {
    expect(await refusal(owner)).toEqual(denied('this call is for staff'))
    expect(await refusal(await begin())).toEqual(denied('this call is for staff'))
  })
})

describe('calls refused in a support session', () => {
  test.each([
    'GET users/self/tokens',
    'DELETE users/self/tokens/all',
    'GET users/self/credentials',
    'PATCH users/self/credentials',
    'GET accounts/self/supportSessions',
    'DELETE accounts/self/supportSessions',
    'GET apiKeys',
    'POST apiKeys',
  ])('%s', async (what) => {
    const token = await begin()
    const body = what.startsWith('P') ? { name: 'abc', password: PASSWORD, newPassword: 'Battery-staple8' } : undefined
    expect(await call(under, token, what, body)).toMatchObject({
      status: 403,
      body: { code: 9, detail: 'this is not available in support sessions' },
    })
  })
})

test('showing or hiding video takes effect at the next call', async () => {
  const token = await begin()
  for (const shown of [true, false]) {
    await under.owner
      .updateTable('accounts')
      .set({ helpdesk_show_video: shown })
      .where('account_id', '=', 1001)
      .execute()
    const { body } = await call(under, token, 'GET users/self/supportSession')
    expect(body.supportSession.video).toBe(shown ? 'shown' : 'hidden')
  }
})

describe('the owner', () => {
  const inside = async (token = owner) => (await call(under, token, 'GET accounts/self/supportSessions')).body

  test('sees who has access now, but no token', async () => {
    const token = await begin()
    await begin(await staff('few'), 'resellers/255/accounts/1002/users/1002/tokens')
    const list = await inside()
    expect(list).toEqual([
      { ...SHOWN, tokenId: expect.any(Number), userId: 1001, address: expect.stringContaining('127.0.0.1') },
    ])
    expect(JSON.stringify(list)).not.toContain(token)
  })

  test('doesn’t see support sessions among their own sign-ins and can’t end them there', async () => {
    await begin()
    const [{ tokenId }] = await inside()
    const signIns = (await call(under, owner, 'GET users/self/tokens')).body
    expect(signIns.map((signIn: { tokenId: number }) => signIn.tokenId)).not.toContain(tokenId)
    expect((await call(under, owner, `DELETE users/self/tokens/${tokenId}`)).status).toBe(404)
  })

  test('doesn’t see sessions whose preconditions no longer hold', async () => {
    await begin()
    await modules(255, false)
    expect(await inside()).toEqual([])
  })

  test('ends one immediately, including open streams, and the log names its staff member', async () => {
    const [token, other] = [await begin(), await begin()]
    const [{ tokenId }] = await inside()
    under.revoked.length = 0
    expect((await call(under, owner, `DELETE accounts/self/supportSessions/${tokenId}`)).status).toBe(204)
    expect(under.revoked.map((revocation) => revocation.tokenSha256?.equals(tokenSha256(token)))).toEqual([true])
    expect([await alive(token), await alive(other)]).toEqual([401, 200])
    expect(await lines('deleteSupportSession')).toMatchObject([{ account_id: 1001, user_id: 1001, target_id: 2001 }])
    expect((await call(under, owner, `DELETE accounts/self/supportSessions/${tokenId}`)).status).toBe(404)
  })

  test('ends all sessions of the account, and none of another', async () => {
    const elsewhere = await begin(dealer, 'resellers/255/accounts/1002/users/1002/tokens')
    const tokens = [await begin(), await begin()]
    expect((await call(under, owner, 'DELETE accounts/self/supportSessions')).status).toBe(204)
    expect(await Promise.all([...tokens, elsewhere].map(alive))).toEqual([401, 401, 200])
    expect(await call(under, owner, 'DELETE accounts/self/supportSessions')).toMatchObject({ status: 204 })
  })

  test('can’t end another account’s session, which looks like a nonexistent one', async () => {
    await begin(dealer, 'resellers/255/accounts/1002/users/1002/tokens')
    const other = await under.browser().token('other@demo.example', PASSWORD)
    const [{ tokenId }] = await inside(other)
    expect((await call(under, owner, `DELETE accounts/self/supportSessions/${tokenId}`)).status).toBe(404)
  })

  test('is the only user who can see and end them: sub-users can’t', async () => {
    const guard = await under.browser().token('guard@demo.example', PASSWORD)
    expect((await call(under, guard, 'GET accounts/self/supportSessions')).status).toBe(403)
    expect((await call(under, guard, 'DELETE accounts/self/supportSessions')).status).toBe(403)
  })
})

test('the owner of a demonstration can end support sessions', async () => {
  await under.owner.updateTable('accounts').set({ user_type: 'demo' }).where('account_id', '=', 1001).execute()
  await grant(1001, Date.now() + HOUR_MS)
  const [token, other] = [await begin(), await begin()]
  const [{ tokenId }] = (await call(under, owner, 'GET accounts/self/supportSessions')).body
  expect((await call(under, owner, `DELETE accounts/self/supportSessions/${tokenId}`)).status).toBe(204)
  expect([await alive(token), await alive(other)]).toEqual([401, 200])
  expect((await call(under, owner, 'DELETE accounts/self/supportSessions')).status).toBe(204)
  expect(await alive(other)).toBe(401)
  expect((await call(under, owner, 'PATCH users/self/credentials', {})).status).toBe(403)
  await under.owner.updateTable('accounts').set({ user_type: 'regular' }).where('account_id', '=', 1001).execute()
})

test('a staff member has at most 5 sessions in an account, and a sixth ends the oldest; all staff together have 20', async () => {
  const tokens: string[] = []
  for (let count = 0; count < 6; count++) tokens.push(await begin())
  expect(await Promise.all(tokens.map(alive))).toEqual([401, 200, 200, 200, 200, 200])
  const others = [2011, 2012, 2013]
  for (const userId of others) {
    const email = `dealer${userId}@demo.example`
    await addStaff(under, { userId, email, password: PASSWORD, permissions: PERMISSIONS })
    const token = await staff(`dealer${userId}`)
    await Promise.all([1, 2, 3, 4, 5].map(() => begin(token)))
  }
  const { status, body } = await call(under, await staff('admin'), `POST ${OWNER}`)
  expect({ status, code: body.code }).toEqual({ status: 409, code: 6 })
  // A user with sessions always has one to end.
  await begin()
  expect((await call(under, owner, 'GET accounts/self/supportSessions')).body).toHaveLength(20)
})

test('a grant that is being withdrawn starts no more sessions', async () => {
  const withdrawing = await under.owner.startTransaction().execute()
  await withdrawing.updateTable('accounts').set({ helpdesk_expires_at: null }).where('account_id', '=', 1001).execute()
  const asking = call(under, dealer, `POST ${OWNER}`)
  await using locks = await hold(under, 'select')
  await locks.waiting(1)
  await withdrawing.commit().execute()
  expect((await asking).status).toBe(403)
})
