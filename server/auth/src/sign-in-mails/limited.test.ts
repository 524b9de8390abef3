import { TooManyMails } from '@sightline/contract/auth-plane'
import { type ManualClock, MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'

const PASSWORD = 'Correct-horse7'

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
  await under.addUser({ userId, email, password: PASSWORD })
})

const given = () => ({
  userId,
  accountId: userId,
  resellerId: 255,
  email,
  language: 'en',
  host: new URL(under.origin).host,
})
const reset = () => under.auth.plane.sendPasswordReset(given())
const invite = () => under.auth.plane.invite({ ...given(), invitedBy: 'Olivia Owner' })
const tell = () => under.auth.plane.tellOfNewEmail({ ...given(), changedBy: 'Olivia Owner' })
const ask = (over: object = {}) =>
  under.auth.plane.askForNewEmail({
    ...given(),
    newEmail: `new${userId}@video.example`,
    askedBy: { staffId: 900, name: 'Dee Dealer' },
    ...over,
  })
const mailsTo = async (to: string) => (await under.sentMails()).filter((mail) => mail.to === to)

test('of all kinds together, one person gets five mails in an hour, and then another', async () => {
  for (const send of [reset, invite, tell, ask, reset]) await send()
  for (const send of [reset, invite, tell, ask]) {
    await expect(send()).rejects.toThrow(TooManyMails)
    await expect(send()).rejects.toMatchObject({ retryAfterS: 3600 })
  }
  expect(await mailsTo(email)).toHaveLength(5)
  clock.advance(MS_PER_HOUR)
  await reset()
})

test('of many that are asked for at once, five are written', async () => {
  const sent = await Promise.allSettled(Array.from({ length: 10 }, () => reset()))
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await mailsTo(email)).toHaveLength(5)
})

test('what is refused leaves the link before it as it was', async () => {
  for (let i = 0; i < 5; i++) await reset()
  const [mail] = (await mailsTo(email)).slice(-1)
  await expect(reset()).rejects.toThrow(TooManyMails)
  const link = new URL(/^https?:\S+$/m.exec(mail?.text ?? '')?.[0] ?? 'no:link')
  expect((await under.browser().request(link.pathname + link.search)).status).toBe(200)
})

test('nobody is asked for another address where the owner could not be told', async () => {
  const sub = { userId: userId + 50_000, accountId: userId, email: `sub${userId}@video.example` }
  await under.addUser({ ...sub, password: PASSWORD })
  for (let i = 0; i < 5; i++) await reset()
  await expect(ask(sub)).rejects.toThrow(TooManyMails)
  expect(await mailsTo(sub.email)).toEqual([])
  expect(await under.owner.selectFrom('email_changes').selectAll().where('user_id', '=', sub.userId).execute()).toEqual(
    [],
  )
})

test('the answer to a question is told, however many mails there were', async () => {
  await ask()
  const [mail] = await mailsTo(email)
  for (let i = 0; i < 4; i++) await reset()
  const link = new URL(/^https?:\S+$/m.exec(mail?.text ?? '')?.[0] ?? 'no:link')
  expect((await under.browser().post(link.pathname + link.search, { decision: 'confirm' })).status).toBe(200)
  expect((await mailsTo(email)).map(({ subject }) => subject)).toContain('Your email address at Sightline was changed')
})
