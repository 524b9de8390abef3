import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MS_PER_DAY, MS_PER_HOUR, manualClock } from '../clock/index.ts'
import { engines, type TestDatabase } from '../db-testing/index.ts'
import { envelopeEncryption } from '../envelope-encryption/index.ts'
import { mailOutbox } from '../mail/index.ts'
import { recipientWaitS } from './index.ts'
import { byRecipient, waitS } from './recipient-limit.ts'

const HOUR = 3600
const KINDS = ['invitation', 'reset']

describe('the time to wait after recent emails', () => {
  const now = 100 * MS_PER_DAY
  const ago = (...hours: number[]) => hours.map((each) => now - each * MS_PER_HOUR)
  test.each([
    ['none', [], undefined],
    ['four in this hour', ago(0, 0, 0, 0), undefined],
    ['five in this hour', ago(0, 0, 0, 0, 0), HOUR],
    ['five, the first half an hour ago', ago(0, 0.1, 0.2, 0.3, 0.5), HOUR / 2],
    ['five, the first an hour ago', ago(0, 0.1, 0.2, 0.3, 1), undefined],
    ['nineteen in a day', Array.from({ length: 19 }, (_, i) => now - i * MS_PER_HOUR), undefined],
    ['twenty in a day', Array.from({ length: 20 }, (_, i) => now - i * MS_PER_HOUR), 5 * HOUR],
  ] as const)('%s', (_, writtenAt, expected) => {
    expect(waitS(writtenAt, now)).toBe(expected)
  })
})

test('callers that need several addresses lock them in one order', () => {
  const order = [{ to: 'B@x.example' }, { to: 'a@x.example' }, { to: 'b@x.example' }].toSorted(byRecipient)
  expect(order.map(({ to }) => to)).toEqual(['a@x.example', 'B@x.example', 'b@x.example'])
})

describe.each(engines)('%s: emails to one address', (_, open) => {
  let database: TestDatabase
  let mailId = 0
  const clock = manualClock(Date.now())
  const seals = envelopeEncryption(randomBytes(32))
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database[Symbol.asyncDispose]())
  beforeEach(() => database.db('owner').plain.deleteFrom('mail_outbox').execute())

  /** Asks like a sender and records the email if it is allowed. Returns the wait. */
  const write = (to: string, { kind = 'invitation', accountId = 7 } = {}): Promise<number | undefined> =>
    database.db('auth').transaction(async (tx) => {
      const wait = await recipientWaitS(tx, { to, now: clock.now() })
      if (wait !== undefined) return wait
      mailId += 1
      const content = { senderName: 'x', subject: 'x', text: 'x', html: 'x', language: 'en', pictures: [] }
      await mailOutbox(seals, clock).add(tx, { ...content, accountId, mailId, kind, to })
      return undefined
    })

  test('are limited to five an hour across accounts and spellings', async () => {
    for (let accountId = 1; accountId <= 5; accountId++) {
      expect(await write('Ada@video.example', { accountId, kind: KINDS[accountId % 2] })).toBeUndefined()
    }
    expect(await write('ada@VIDEO.example')).toBe(HOUR)
    expect(await write('bob@video.example')).toBeUndefined()
    clock.advance(MS_PER_HOUR)
    expect(await write('ada@video.example')).toBeUndefined()
  })

  test('are limited to twenty a day', async () => {
    for (let i = 0; i < 20; i++) {
      expect(await write('cy@video.example')).toBeUndefined()
      clock.advance(MS_PER_HOUR)
    }
    expect(await write('cy@video.example')).toBe(4 * HOUR)
    clock.advance(4 * MS_PER_HOUR)
    expect(await write('cy@video.example')).toBeUndefined()
  })

  test("of other kinds don't count", async () => {
    for (let i = 0; i < 8; i++) await write('dee@video.example', { kind: 'cameraDown' })
    expect(await write('dee@video.example')).toBeUndefined()
  })

  test('stay within the limit when many are written concurrently', async () => {
    const waits = await Promise.all(Array.from({ length: 12 }, () => write('eve@video.example')))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(5)
    expect(waits.filter((wait) => wait === HOUR)).toHaveLength(7)
  })
})
