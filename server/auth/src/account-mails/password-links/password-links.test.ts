import { randomBytes } from 'node:crypto'
import { type ManualClock, MS_PER_DAY, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MailRequestCall } from '../../asked-mails-testing.ts'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { SignInTestPage } from '../../browser-testing.ts'
import { LIMITS } from '../../factors/failures/index.ts'
import { sweepLinks } from '../action-links/index.ts'

const OLD = 'Correct-horse7'
const NEW = 'Another-zebra9'
const both = (password: string) => ({ password, confirmation: password })

let under: AuthUnderTest
let clock: ManualClock
let userId = 1000
let email = ''

beforeAll(async () => {
  clock = manualClock(Date.now())
  under = await openAuthUnderTest({ clock })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  under.revoked.length = 0
  await under.owner.deleteFrom('auth.failures').execute()
})

/** A user without a password, as the API creates whom it invites. */
async function addInvited(): Promise<void> {
  await under.addUser({ userId, email, password: OLD })
  await under.owner.deleteFrom('auth.credentials').where('user_id', '=', userId).execute()
}
const addUser = () => under.addUser({ userId, email, password: OLD })

const host = () => new URL(under.origin).host
const invite = (over: Partial<MailRequestCall> = {}) => under.ask({ ...mailTo(), ...over, kind: 'invitation' })

const mailTo = () => ({ userId, accountId: userId, to: email, host: host(), by: 'Olivia Owner' })
const reset = () => under.ask({ ...mailTo(), kind: 'reset' })

/** The address in the newest email to that recipient. */
async function linkOf(to = email): Promise<string> {
  const mail = (await under.sentMails()).findLast((each) => each.to === to)
  const address = /^https?:\S+$/m.exec(mail?.text ?? '')?.[0] ?? ''
  const url = new URL(address)
  return url.pathname + url.search
}
const browse = (link: string) => under.browser().request(link)
const choose = (link: string, password = NEW): Promise<SignInTestPage> => under.browser().post(link, both(password))
const signsIn = async (password: string): Promise<boolean> => {
  const question = { userId, password, address: '192.0.2.9' }
  return (await under.auth.plane.verifyPassword(question)) === 'right'
}
const isOver = (answer: SignInTestPage): void => {
  expect(answer).toMatchObject({ status: 404, text: '<h1>error passwordLink</h1>' })
}

describe('an invitation', () => {
  test('is an email in the user’s language from the brand, with a link to the brand’s host', async () => {
    await addInvited()
    await invite({ language: 'nl' })
    const [mail] = (await under.sentMails()).filter(({ to }) => to === email)
    expect(mail).toMatchObject({ language: 'nl', senderName: 'Sightline' })
    expect(mail?.text).toContain('Olivia Owner heeft u als gebruiker toegevoegd')
    expect(mail?.text).toMatch(new RegExp(`\n${under.origin}/sign-in/password/[A-Za-z0-9_-]{43}\\?lang=nl\n`))
    expect(mail?.html).toContain('lang="nl"')
  })

  test('sets the first password, once, and links to the sign-in page', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    expect(await browse(link)).toMatchObject({ status: 200, text: expect.stringContaining(`["invitation","${email}"`) })
    const answer = await choose(link)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('href="/app/"')
    expect(await signsIn(NEW)).toBe(true)
    await under.browser().token(email, NEW)
    isOver(await choose(link, OLD))
    isOver(await browse(link))
    expect(await signsIn(NEW)).toBe(true)
  })

  test('can be opened many times, because email programs open links too', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    for (let i = 0; i < 3; i++) expect((await browse(link)).status).toBe(200)
    expect((await under.browser().request(link, { method: 'HEAD' })).status).toBe(200)
    expect((await choose(link)).status).toBe(200)
  })

  test('isn’t sent to a user who doesn’t exist or whose transaction failed', async () => {
    await invite()
    expect((await under.sentMails()).filter(({ to }) => to === email)).toEqual([])
  })

  test('works for seven days', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    clock.advance(7 * MS_PER_DAY - 1000)
    expect((await browse(link)).status).toBe(200)
    clock.advance(1000)
    isOver(await browse(link))
    isOver(await choose(link))
    expect(await signsIn(NEW)).toBe(false)
  })

  test('ends an earlier invitation', async () => {
    await addInvited()
    await invite()
    const first = await linkOf()
    await invite()
    const second = await linkOf()
    isOver(await choose(first))
    expect((await choose(second)).status).toBe(200)
  })

  test('shows the user’s own brand: the requested host, one of the reseller’s, or the provider’s', async () => {
    const other = { userId: userId + 70_000, email: `other${userId}@video.example` }
    await under.addUser({ userId, email, password: OLD, resellerId: 300 })
    await under.addUser({ ...other, password: OLD })
    await invite({ host: under.brandHost })
    await invite({ host: host() })
    await invite({ userId: other.userId, accountId: other.userId, to: other.email, host: under.brandHost })
    await invite({ host: 'nobody.example' })
    const origins = (await under.sentMails())
      .filter(({ to }) => to === email || to === other.email)
      .map(({ text }) => new URL(/^https?:\S+$/m.exec(text)?.[0] ?? '').host)
    expect(origins).toEqual([under.brandHost, host(), host(), host()])
  })

  test('in an unsupported language is in English', async () => {
    await addInvited()
    await invite({ language: 'xx' })
    expect(await under.sentMails()).toMatchObject([{ language: 'en', subject: "You're invited to Sightline" }])
  })
})

describe('a link ends when', () => {
  const ends = async (end: () => Promise<unknown>, link: string): Promise<void> => {
    expect((await browse(link)).status).toBe(200)
    await end()
    isOver(await browse(link))
    isOver(await choose(link))
    expect(await signsIn(NEW)).toBe(false)
  }
  const users = () => under.owner.updateTable('users').where('user_id', '=', userId)

  test('the user gets another address', async () => {
    await addInvited()
    await invite()
    const changed = { email: `new-${email}`, email_folded: `new-${email}` }
    await ends(() => users().set(changed).execute(), await linkOf())
  })
  test('the user is blocked, for good, even if they never signed in', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    await ends(async () => {
      await users().set({ blocked: true }).execute()
      await under.auth.plane.revokeSessions({ userId })
    }, link)
    await users().set({ blocked: false }).execute()
    isOver(await choose(link))
  })
  test('the account is suspended', async () => {
    await addInvited()
    await invite()
    const accounts = under.owner.updateTable('accounts').where('account_id', '=', userId)
    await ends(() => accounts.set({ status: 'suspended' }).execute(), await linkOf())
  })
  test('the user is deleted', async () => {
    await addInvited()
    await invite()
    await ends(() => under.owner.deleteFrom('users').where('user_id', '=', userId).execute(), await linkOf())
  })
  test('the password is set in another way', async () => {
    await addInvited()
    await invite()
    const given = { userId, accountId: userId, password: OLD }
    await ends(() => under.auth.plane.createCredentials(given), await linkOf())
  })
  test('the user signs out everywhere', async () => {
    await addUser()
    await reset()
    await ends(() => under.auth.plane.revokeSessions({ userId }), await linkOf())
  })
  test('another link of its kind is sent', async () => {
    await addUser()
    await reset()
    await ends(reset, await linkOf())
  })
  test('a link of the other kind is used', async () => {
    await addInvited()
    await invite()
    const invitation = await linkOf()
    await reset()
    expect((await choose(await linkOf())).status).toBe(200)
    isOver(await choose(invitation, OLD))
  })
  test('half an hour has passed, for a forgotten password', async () => {
    await addUser()
    await reset()
    const link = await linkOf()
    clock.advance(30 * MS_PER_MINUTE - 1000)
    expect((await browse(link)).text).toContain('["reset"')
    await ends(async () => clock.advance(1000), link)
  })
})

describe('setting a password', () => {
  test('succeeds once of twenty times at the same moment', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    const passwords = Array.from({ length: 20 }, (_, i) => `Zebra-number-${i}`)
    const answers = await Promise.all(passwords.map((password) => choose(link, password)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) isOver(answer)
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await signsIn(passwords[winner] ?? '')).toBe(true)
  })

  test('ends every sign-in and token of the user, and a sign-in in progress', async () => {
    await addUser()
    const token = await under.browser().token(email, OLD)
    const halfway = under.browser()
    const started = await halfway.authorize()
    const posted = await halfway.post(started.location?.pathname ?? '', { email, password: OLD })
    await reset()
    expect((await choose(await linkOf())).status).toBe(200)
    expect(under.revoked).toEqual([{ userId }])
    const asked = await under.browser().request('/rest/v2.4/users/self/credentials', {
      headers: { authorization: `Bearer ${token}`, 'x-password': Buffer.from(NEW).toString('base64url') },
    })
    expect(asked.status).toBe(401)
    const resumed = await halfway.request(posted.location?.pathname ?? '')
    expect(resumed.location?.searchParams.get('code') ?? null).toBeNull()
    expect(await signsIn(OLD)).toBe(false)
    expect(await signsIn(NEW)).toBe(true)
  })

  test.each([
    ['invitation', 'invitationAccepted'],
    ['reset', 'passwordReset'],
  ])('with %s is in the audit log', async (kind, action) => {
    await addUser()
    await (kind === 'reset' ? reset() : invite())
    await choose(await linkOf())
    const lines = await under.owner
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'account_id', 'address'])
      .where('user_id', '=', userId)
      .execute()
    expect(lines).toEqual([{ action, user_id: userId, account_id: userId, address: '127.0.0.1' }])
  })

  test.each([
    ['short', both('Zebra-9'), { password: 'Password should be 8-32 characters' }],
    [
      'with characters that are not allowed',
      both('Zebra number 9'),
      { password: 'Password contains invalid characters' },
    ],
    ['one of the most common', both('password1'), { password: 'This password is too common' }],
    ['mistyped', { password: NEW, confirmation: OLD }, { confirmation: 'Password does not match' }],
    ['missing', {}, { password: 'Password should be 8-32 characters' }],
  ])('that is %s is refused with a message, and the link still works', async (_, fields, problems) => {
    await addInvited()
    await invite()
    const link = await linkOf()
    const answer = await under.browser().post(link, { ...fields })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(JSON.stringify(problems))
    expect((await choose(link)).status).toBe(200)
  })

  test('is refused from another site; a browser that doesn’t say is accepted', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    const refused = await under.browser().post(link, both(NEW), { 'sec-fetch-site': 'cross-site' })
    expect(refused).toMatchObject({ status: 403, text: '<h1>error refused</h1>' })
    const body = new URLSearchParams(both(NEW))
    const taken = await under.browser().request(link, { method: 'POST', body, headers: { origin: 'null' } })
    expect(taken.status).toBe(200)
  })
})

describe('the page', () => {
  test('keeps the address private: no referrer, no store, no cookie, no script, no frame', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    for (const answer of [await browse(link), await choose(link)]) {
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    }
  })

  test.each([
    ['invented', () => randomBytes(32).toString('base64url')],
    ['empty', () => ''],
    ['long', () => 'a'.repeat(3000)],
    ['made of other characters', () => '%C3%A9%2F..%2F'],
  ])('a token that is %s gives the same page as an expired one', async (_, token) => {
    const link = `/sign-in/password/${token()}`
    isOver(await browse(link))
    isOver(await choose(link))
  })

  test('invented links don’t block sign-ins or real links from that network address', async () => {
    await addInvited()
    await invite()
    const link = await linkOf()
    const madeUp = () => `/sign-in/password/${randomBytes(32).toString('base64url')}`
    for (let i = 0; i < LIMITS.address; i++) isOver(await browse(madeUp()))
    for (let i = 0; i < LIMITS.address; i++) isOver(await choose(madeUp()))
    expect(await under.owner.selectFrom('auth.failures').selectAll().execute()).toEqual([])
    expect((await choose(link)).status).toBe(200)
  })
})

test('tokens, passwords and email addresses are not in the log or stored with the link', async () => {
  await addInvited()
  under.logged.length = 0
  await invite()
  const link = await linkOf()
  const token = link.slice('/sign-in/password/'.length).split('?', 1)[0] ?? ''
  const stored = await under.owner.selectFrom('auth.action_links').selectAll().execute()
  expect(token).toHaveLength(43)
  expect(JSON.stringify(stored)).not.toContain(token)
  await choose(link)
  const said = under.logged.join('')
  for (const secret of [token, NEW, email]) expect(said).not.toContain(secret)
})

test('a forgotten user has no password, token or link', async () => {
  await addUser()
  await under.browser().token(email, OLD)
  await reset()
  const link = await linkOf()
  await under.auth.plane.forgetUser({ userId })
  isOver(await choose(link))
  expect(await signsIn(OLD)).toBe(false)
  expect(under.revoked).toEqual([{ userId }])
  for (const table of ['auth.credentials', 'auth.access_sessions', 'auth.action_links'] as const) {
    expect(await under.owner.selectFrom(table).selectAll().where('user_id', '=', userId).execute()).toEqual([])
  }
})

test("the user's old address is notified of the new one, without naming it", async () => {
  await addUser()
  await under.ask({ ...mailTo(), kind: 'newEmail', language: 'de' })
  const [mail] = (await under.sentMails()).filter(({ to }) => to === email)
  expect(mail).toMatchObject({ language: 'de', subject: 'Ihre E-Mail-Adresse bei Sightline wurde geändert' })
  expect(mail?.text).toContain('Olivia Owner hat Ihre E-Mail-Adresse geändert')
})

test('expired links are deleted', async () => {
  await addInvited()
  await invite()
  await under.owner
    .updateTable('auth.action_links')
    .set({ expires_at: new Date(0) as never })
    .execute()
  await sweepLinks(under.database.db('auth').plain)
  expect(await under.owner.selectFrom('auth.action_links').selectAll().execute()).toEqual([])
})
