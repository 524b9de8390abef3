import { randomBytes } from 'node:crypto'
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, manualClock } from '@sightline/platform/clock'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { bringForward } from '@sightline/platform/jobs/testing'
import { mailOutbox, smtpDelivery } from '@sightline/platform/mail'
import { sendMails, startSmtpReceiver } from '@sightline/platform/mail/testing'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listMailProblems, mailFigures, registerMailMetrics } from './figures.ts'

let database: TestDatabase
const seals = envelopeEncryption(randomBytes(32))
const clock = manualClock(Date.now())
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => database.db('owner').plain.deleteFrom('mail_outbox').execute())

const db = () => database.db('auth')
const put = (mailId: number) =>
  db().transaction((tx) =>
    mailOutbox(seals, clock).add(tx, {
      accountId: 7,
      mailId,
      kind: 'invitation',
      to: `ada${mailId}@video.example`,
      senderName: 'Blue Eye',
      subject: 'Mail',
      text: 'Mail',
      html: '<p>Mail</p>',
      language: 'en',
      pictures: [],
    }),
  )
const send = async (port: number) => {
  await bringForward(database.db('owner'))
  await sendMails(database, {
    encryption: seals,
    clock,
    deliver: smtpDelivery({
      server: { host: '127.0.0.1', port, security: 'off', login: undefined },
      from: 'no-reply@sender.example',
    }),
  })
}
const problems = () => mailFigures(db(), clock).problems()

describe('operators see', () => {
  test('emails that wait longer than a quarter of an hour, until they are sent', async () => {
    await using receiver = await startSmtpReceiver()
    receiver.answer('MAIL', '451 4.3.0 later')
    await put(1)
    await put(2)
    await send(receiver.port)
    clock.advance(15 * MS_PER_MINUTE)
    expect(await problems()).toEqual([])
    clock.advance(MS_PER_MINUTE)
    await send(receiver.port)
    expect(await problems()).toEqual(['2 emails are waiting to be sent, the oldest for 16 minutes: see the log'])
    receiver.answer('MAIL', undefined)
    clock.advance(2 * MS_PER_HOUR)
    await send(receiver.port)
    expect(receiver.mails).toHaveLength(2)
    expect(await problems()).toEqual([])
  })

  test('undeliverable emails for a day', async () => {
    await using receiver = await startSmtpReceiver()
    receiver.answer('RCPT', '550 5.1.1 no such person')
    await put(3)
    await send(receiver.port)
    expect(await problems()).toEqual(['1 email could not be delivered in the last 24 hours: see the log'])
    clock.advance(MS_PER_DAY)
    expect(await problems()).toEqual([])
  })

  test("nothing if the database doesn't answer, which is reported elsewhere", () => {
    expect(listMailProblems(undefined)).toEqual([])
  })
})

test('metrics show how many emails wait, for how long, and how many failed', async () => {
  await using receiver = await startSmtpReceiver()
  receiver.answer('RCPT', '550 5.1.1 no such person')
  await put(4)
  await send(receiver.port)
  await put(5)
  clock.advance(90_000)
  const registry = new Registry()
  registerMailMetrics(registry, mailFigures(db(), clock))
  const text = await registry.metrics()
  expect(text).toMatch(/^sightline_mails_waiting 1$/m)
  expect(text).toMatch(/^sightline_mails_longest_wait_seconds 90$/m)
  expect(text).toMatch(/^sightline_mails_given_up 1$/m)
})
