import { type ManualClock, MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { TooManyMails } from './index.ts'

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

const given = () => ({ userId, accountId: userId, to: email, host: new URL(under.origin).host, by: 'Olivia Owner' })
const reset = () => under.ask({ ...given(), kind: 'reset' })
const invite = () => under.ask({ ...given(), kind: 'invitation' })
const tell = () => under.ask({ ...given(), kind: 'newEmail' })
const ask = () => under.ask({ ...given(), kind: 'emailChange', newEmail: `new${userId}@video.example` })
const mailsTo = async (to: string) => (await under.sentMails()).filter((mail) => mail.to === to)

test('a user gets five emails of all kinds in an hour, and more after that', async () => {
  for (const send of [reset, invite, tell, ask, reset]) await send()
  for (const send of [reset, invite, tell, ask]) {
    await expect(send()).rejects.toThrow(TooManyMails)
    await expect(send()).rejects.toMatchObject({ retryAfterS: 3600 })
  }
  expect(await mailsTo(email)).toHaveLength(5)
  clock.advance(MS_PER_HOUR)
  await reset()
})

test('of many requested at once, five are written', async () => {
  const sent = await Promise.allSettled(Array.from({ length: 10 }, () => reset()))
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await mailsTo(email)).toHaveLength(5)
})

test("a refused request doesn't end the previous link", async () => {
  for (let i = 0; i < 5; i++) await reset()
  const [mail] = (await mailsTo(email)).slice(-1)
  await expect(reset()).rejects.toThrow(TooManyMails)
  const link = new URL(/^https?:\S+$/m.exec(mail?.text ?? '')?.[0] ?? 'no:link')
  expect((await under.browser().request(link.pathname + link.search)).status).toBe(200)
})

test('the reply to a question is emailed, however many emails there were', async () => {
  await ask()
  const [mail] = await mailsTo(email)
  for (let i = 0; i < 4; i++) await reset()
  const link = new URL(/^https?:\S+$/m.exec(mail?.text ?? '')?.[0] ?? 'no:link')
  expect((await under.browser().post(link.pathname + link.search, { decision: 'confirm' })).status).toBe(200)
  expect((await mailsTo(email)).map(({ subject }) => subject)).toContain('Your Sightline email address was changed')
})
