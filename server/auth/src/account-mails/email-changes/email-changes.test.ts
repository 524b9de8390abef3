import { randomBytes } from 'node:crypto'
import { foldEmail } from '@sightline/contract/user-details'
import { type ManualClock, MS_PER_DAY, manualClock } from '@sightline/platform/clock'
import { idSource, instant } from '@sightline/platform/db'
import { untilWaiting } from '@sightline/platform/db-testing'
import { smtpDelivery } from '@sightline/platform/mail'
import { type SmtpReceiver, startSmtpReceiver } from '@sightline/platform/mail/testing'
import { requestMail } from '@sightline/platform/mail-requests'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { SignInTestPage } from '../../browser-testing.ts'
import { LIMITS } from '../../factors/failures/index.ts'
import { sessions } from '../../sessions/index.ts'
import { endLinksOfSignIns } from '../action-links/index.ts'

const PASSWORD = 'Correct-horse7'
const DEALER = 'Dee Dealer'

let under: AuthUnderTest
let clock: ManualClock
let receiver: SmtpReceiver
let userId = 1000
let old = ''
let wanted = ''

beforeAll(async () => {
  clock = manualClock(Date.now())
  under = await openAuthUnderTest({ clock })
  receiver = await startSmtpReceiver()
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  await under[Symbol.asyncDispose]()
})
beforeEach(async () => {
  userId += 1
  old = `person${userId}@video.example`
  wanted = `New${userId}@video.example`
  await under.owner.deleteFrom('auth.failures').execute()
  await under.addUser({ userId, email: old, password: PASSWORD })
})

const host = () => new URL(under.origin).host
const asked = () => ({ userId, accountId: userId, to: old, host: host(), by: DEALER })
const ask = (over: { readonly newEmail?: string; readonly userId?: number; readonly to?: string } = {}) =>
  under.ask({ ...asked(), newEmail: wanted, ...over, kind: 'emailChange' })

/** The emails that arrived by SMTP at that address, in order, as readable text. */
async function received(to: string): Promise<readonly string[]> {
  const server = { host: '127.0.0.1', port: receiver.port, security: 'off' as const, login: undefined }
  await under.sendMails(smtpDelivery({ server, from: 'no-reply@sender.example' }))
  return receiver.mails.filter((mail) => mail.to.includes(to)).map(({ raw }) => decoded(raw))
}

/** The plain text part, decoded. */
function decoded(raw: string): string {
  const [, head = '', body = ''] = /(content-type: text\/plain[\s\S]*?)\n\n([\s\S]*?)\n--/i.exec(raw) ?? []
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  const bytes = body.replaceAll(/=\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex) => `%${hex}`)
  return decodeURIComponent(bytes)
}

async function linkOf(to = old): Promise<string> {
  const url = new URL(/^https?:\S+$/m.exec((await received(to)).at(-1) ?? '')?.[0] ?? 'no:link')
  return url.pathname + url.search
}
const browse = (link: string) => under.browser().request(link)
const answer = (link: string, decision: string): Promise<SignInTestPage> => under.browser().post(link, { decision })
const isOver = (reply: SignInTestPage): void => {
  expect(reply).toMatchObject({ status: 404, text: '<h1>error emailLink</h1>' })
}
const emailOf = async (id = userId) =>
  (await under.owner.selectFrom('users').select('email').where('user_id', '=', id).executeTakeFirstOrThrow()).email
const pending = () =>
  under.owner.selectFrom('email_changes').selectAll().where('user_id', '=', userId).executeTakeFirst()
const lines = () =>
  under.owner
    .selectFrom('audit_log')
    .select(['action', 'actor_name', 'user_id', 'before', 'after', 'address'])
    .where('account_id', '=', userId)
    .where('action', 'like', 'emailChange%')
    .execute()
const setEmail = (email: string) =>
  under.owner
    .updateTable('users')
    .set({ email, email_folded: foldEmail(email) })
    .where('user_id', '=', userId)
    .execute()

describe('an address change that a dealer requests', () => {
  test('asks only the current address, with a link to a page that shows both', async () => {
    await ask()
    const link = await linkOf()
    expect(link).toMatch(/^\/sign-in\/email\/[A-Za-z0-9_-]{43}\?lang=en$/)
    expect((await received(old)).at(-1)).toContain('Dee Dealer asked to change your email address')
    expect(await received(wanted)).toEqual([])
    const page = await browse(link)
    expect(page.status).toBe(200)
    expect(page.text).toContain(JSON.stringify([old, wanted, 'Dee Dealer', false]))
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  test('changes nothing when the link is only opened', async () => {
    await ask()
    const link = await linkOf()
    for (let i = 0; i < 3; i++) expect((await browse(link)).status).toBe(200)
    expect((await under.browser().request(link, { method: 'HEAD' })).status).toBe(200)
    expect(await emailOf()).toBe(old)
    expect(await pending()).toBeDefined()
  })

  test('takes effect once confirmed, and both addresses are notified', async () => {
    await ask()
    const link = await linkOf()
    const reply = await answer(link, 'confirm')
    expect(reply).toMatchObject({ status: 200, text: expect.stringContaining(`<h1>email confirmed</h1><p>${wanted}`) })
    expect(await emailOf()).toBe(wanted)
    expect((await received(old)).at(-1)).toContain('Dee Dealer changed your email address')
    expect((await received(wanted)).join()).toContain('sign in with this email address')
    await under.browser().token(wanted, PASSWORD)
    isOver(await answer(link, 'confirm'))
    isOver(await browse(link))
  })

  test('writes an audit entry with the user who confirmed and the dealer who asked', async () => {
    await ask()
    await answer(await linkOf(), 'confirm')
    expect(await lines()).toEqual([
      {
        action: 'emailChangeConfirmed',
        actor_name: 'Ada Lovelace',
        user_id: userId,
        before: { email: old, pendingEmail: wanted, askedBy: 'Dee Dealer' },
        after: { email: wanted, pendingEmail: null },
        address: '127.0.0.1',
      },
    ])
  })

  test('is rejected for good by the other button, with an audit entry', async () => {
    await ask()
    const link = await linkOf()
    expect(await answer(link, 'refuse')).toMatchObject({ status: 200, text: expect.stringContaining('email refused') })
    isOver(await answer(link, 'confirm'))
    expect(await emailOf()).toBe(old)
    expect(await lines()).toMatchObject([{ action: 'emailChangeRefused', after: { email: old, pendingEmail: null } }])
  })

  test('is confirmed once, however many answers arrive at the same time', async () => {
    await ask()
    const link = await linkOf()
    const replies = await Promise.all(['confirm', 'refuse', 'confirm', 'refuse'].map((each) => answer(link, each)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
    expect(await lines()).toHaveLength(1)
  })

  test('can be confirmed for seven days', async () => {
    await ask()
    const link = await linkOf()
    clock.advance(7 * MS_PER_DAY - 1000)
    expect((await browse(link)).status).toBe(200)
    clock.advance(1000)
    isOver(await browse(link))
    isOver(await answer(link, 'confirm'))
    expect(await emailOf()).toBe(old)
  })

  test('is deleted with its link after it expires', async () => {
    await ask()
    const over = { expires_at: instant(0) }
    const link = { user_id: userId, account_id: userId, email_folded: old, created_at: instant(0), ...over }
    await under.owner.updateTable('email_changes').set(over).where('user_id', '=', userId).execute()
    await under.owner
      .insertInto('auth.action_links')
      .values({ ...link, kind: 'emailChange', token_sha256: randomBytes(32) })
      .execute()
    const ended = { onRevoked: () => undefined, endLinks: endLinksOfSignIns }
    await sessions({ db: under.database.db('auth'), ...ended }).sweep()
    expect(await pending()).toBeUndefined()
    const links = under.owner.selectFrom('auth.action_links').select('kind').where('user_id', '=', userId)
    expect(await links.execute()).toEqual([])
  })

  test('is replaced by the next one', async () => {
    await ask()
    const first = await linkOf()
    await ask({ newEmail: `other${userId}@video.example` })
    const second = await linkOf()
    isOver(await answer(first, 'confirm'))
    expect((await answer(second, 'confirm')).status).toBe(200)
    expect(await emailOf()).toBe(`other${userId}@video.example`)
  })

  test('can’t be confirmed with the previous link, even while the next request is being made', async () => {
    await ask()
    const first = await linkOf()
    const app = under.database.db('app')
    const mailId = await idSource(app).next()
    const request = {
      kind: 'emailChange',
      accountId: userId,
      userId,
      to: old,
      newEmail: `other${userId}@video.example`,
    } as const
    const by = { userId: 900, name: DEALER, host: host() }
    const replies = await app.inTenant({ accountId: userId, userId }, async (tx) => {
      await requestMail(tx, { mailId, request, by, at: clock.now() })
      const answered = [answer(first, 'confirm'), answer(first, 'refuse')]
      await untilWaiting(under.owner, 2)
      return answered
    })
    for (const reply of await Promise.all(replies)) isOver(reply)
    expect(await emailOf()).toBe(old)
    expect(await pending()).toMatchObject({ email: `other${userId}@video.example` })
  })

  test('ends for good when the user gets another address, even if that is reverted', async () => {
    await ask()
    const link = await linkOf()
    await setEmail(`own${userId}@video.example`)
    await setEmail(old)
    isOver(await answer(link, 'confirm'))
  })

  test.each([{ blocked: true }, { blocked: true, again: { blocked: false } }])(
    'ends when the user is blocked: %j',
    async ({ again, ...blocked }: { blocked: boolean; again?: { blocked: boolean } }) => {
      await ask()
      const link = await linkOf()
      for (const set of again === undefined ? [blocked] : [blocked, again]) {
        await under.owner.updateTable('users').set(set).where('user_id', '=', userId).execute()
      }
      isOver(await answer(link, 'confirm'))
      expect(await pending()).toBeUndefined()
    },
  )

  test('is deleted with the user', async () => {
    await ask()
    const link = await linkOf()
    await under.owner.deleteFrom('users').where('user_id', '=', userId).execute()
    expect(await pending()).toBeUndefined()
    isOver(await answer(link, 'confirm'))
  })

  test('waits while the account is suspended', async () => {
    await ask()
    const link = await linkOf()
    const suspend = (status: 'suspended' | 'active') =>
      under.owner.updateTable('accounts').set({ status }).where('account_id', '=', userId).execute()
    await suspend('suspended')
    isOver(await answer(link, 'confirm'))
    await suspend('active')
    expect((await answer(link, 'confirm')).status).toBe(200)
  })

  test('fails if the address is taken: the page says so, and nothing changes', async () => {
    await ask()
    const link = await linkOf()
    await under.addUser({ userId: userId + 50_000, email: wanted.toUpperCase(), password: PASSWORD })
    const reply = await answer(link, 'confirm')
    expect(reply.status).toBe(409)
    expect(reply.text).toContain(JSON.stringify([old, wanted, 'Dee Dealer', true]))
    expect(await emailOf()).toBe(old)
    expect(await received(wanted)).toEqual([])
    expect(await lines()).toEqual([])
  })

  test('ends password links that were sent to the old address', async () => {
    await ask()
    const link = await linkOf()
    await under.ask({ ...asked(), kind: 'reset' })
    const password = await linkOf()
    expect(password).toMatch(/^\/sign-in\/password\//)
    expect((await browse(password)).status).toBe(200)
    await answer(link, 'confirm')
    expect(await browse(password)).toMatchObject({ status: 404 })
    const links = under.owner.selectFrom('auth.action_links').selectAll().where('user_id', '=', userId)
    expect(await links.execute()).toEqual([])
  })

  test('needs one of the two buttons on our own page', async () => {
    await ask()
    const link = await linkOf()
    expect((await answer(link, 'perhaps')).status).toBe(400)
    const foreign = await under.browser().request(link, {
      method: 'POST',
      body: 'decision=confirm',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.status).toBe(403)
    expect(await emailOf()).toBe(old)
  })

  test('notifies the account’s owner when it is for another user', async () => {
    const sub = userId + 60_000
    const person = { userId: sub, accountId: userId, email: `sub${sub}@video.example` }
    await under.addUser({ ...person, password: PASSWORD })
    await ask({ userId: sub, to: person.email })
    await under.ask({ ...asked(), userId: sub, kind: 'emailChangeNote' })
    const note = (await received(old)).at(-1)
    expect(note).toContain('Dee Dealer asked to change the email address of Ada Lovelace')
    expect(note).not.toMatch(/sign-in\/email/)
    expect((await answer(await linkOf(person.email), 'confirm')).status).toBe(200)
    expect(await emailOf(sub)).toBe(wanted)
  })

  test('is stored without its token, which is in no log either', async () => {
    await ask()
    const token = /email\/([^?]+)/.exec(await linkOf())?.[1] ?? 'none'
    await browse(`/sign-in/email/${token}`)
    await answer(`/sign-in/email/${token}?lang=en`, 'confirm')
    expect(JSON.stringify(await under.owner.selectFrom('email_changes').selectAll().execute())).not.toContain(token)
    expect(under.logged.join()).not.toContain(token)
  })

  test('can’t be confirmed or deleted by the API role, which can’t read the token', async () => {
    await ask()
    const { plain } = under.database.db('app')
    await expect(plain.selectFrom('email_changes').selectAll().execute()).rejects.toThrow(/permission denied/)
    await expect(plain.deleteFrom('email_changes').execute()).rejects.toThrow(/permission denied/)
    const seen = (accountId: number) =>
      under.database
        .db('app')
        .inTenant({ accountId, userId }, (tx) => tx.selectFrom('email_changes').select('email').execute())
    expect(await seen(userId)).toEqual([{ email: wanted }])
    expect(await seen(userId - 1)).toEqual([])
  })
})

test('invented links don’t lock anyone out at that network address', async () => {
  const guess = () => browse(`/sign-in/email/${randomBytes(32).toString('base64url')}`)
  for (let i = 0; i <= LIMITS.address; i++) isOver(await guess())
  expect(await under.owner.selectFrom('auth.failures').selectAll().execute()).toEqual([])
})
