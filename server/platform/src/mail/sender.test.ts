import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, manualClock, systemClock } from '../clock/index.ts'
import type { DatabaseConnection } from '../db/index.ts'
import { engines, type TestDatabase } from '../db-testing/index.ts'
import { createLogger } from '../log/index.ts'
import { sealing } from '../sealing/index.ts'
import { type Deliver, mailOutbox, type NewMail, sendDue, smtpDelivery, startMailSender } from './index.ts'
import { CLAIM_MS } from './sender.ts'
import { startSmtpReceiver } from './testing/index.ts'

const LINK = 'https://video.example/sign-in/password/s3cret'
const newMail = (mailId: number, over: Partial<NewMail> = {}): NewMail => ({
  accountId: 7,
  mailId,
  kind: 'invitation',
  to: `ada${mailId}@video.example`,
  senderName: 'Blue Eye',
  subject: `Mail ${mailId}`,
  text: `${LINK}\n`,
  html: `<p>${LINK}</p>`,
  language: 'en',
  pictures: [],
  ...over,
})

describe.each(engines)('%s: the outbox', (_, open) => {
  let database: TestDatabase
  const key = randomBytes(32)
  const seals = sealing(key)
  const logged: string[] = []
  const log = createLogger({ level: 'debug', format: 'json', name: 'mail' }, { write: (line) => logged.push(line) })
  const rows = () => database.db('owner').plain.selectFrom('mail_outbox').selectAll().orderBy('mail_id').execute()
  const row = async (mailId: number) => (await rows()).find((each) => each.mail_id === mailId)
  const db = () => database.db('auth')
  const put = (mail: NewMail, clock = systemClock) => db().transaction((tx) => mailOutbox(seals, clock).add(tx, mail))
  const by = (port: number) =>
    smtpDelivery({
      server: { host: '127.0.0.1', port, security: 'off', login: undefined },
      from: 'no-reply@sender.example',
    })

  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database[Symbol.asyncDispose]())
  beforeEach(async () => {
    await database.db('owner').plain.deleteFrom('mail_outbox').execute()
    logged.length = 0
  })

  test('a mail is there together with what it tells, or not at all', async () => {
    const failing = db().transaction(async (tx) => {
      await mailOutbox(seals, systemClock).add(tx, newMail(1))
      throw new Error('the change failed')
    })
    await expect(failing).rejects.toThrow('the change failed')
    expect(await rows()).toEqual([])
  })

  test('it cannot be read in the database, and what was sent holds nothing any more', async () => {
    await using receiver = await startSmtpReceiver()
    await put(newMail(1))
    expect(JSON.stringify((await row(1))?.content_sealed?.toString('latin1'))).not.toMatch(/s3cret|Mail 1/)
    await sendDue({ db: db(), sealing: seals, deliver: by(receiver.port), clock: systemClock, log })
    expect(receiver.mails.map(({ to }) => to)).toEqual([['ada1@video.example']])
    expect(receiver.mails[0]?.raw).toContain(LINK)
    expect(await row(1)).toMatchObject({ content_sealed: null, next_try_at: null, tries: 1, failure: null })
    expect((await row(1))?.sent_at).not.toBeNull()
    expect(logged.join('')).toContain('a mail was handed over')
    expect(logged.join('')).not.toMatch(/s3cret|ada1@/)
  })

  test('no other role may see or write it', async () => {
    await put(newMail(1))
    for (const role of ['app', 'media'] as const) {
      const { plain } = database.db(role)
      await expect(plain.selectFrom('mail_outbox').selectAll().execute()).rejects.toThrow(/permission denied/)
      await expect(plain.deleteFrom('mail_outbox').execute()).rejects.toThrow(/permission denied/)
      await expect(plain.selectFrom('auth.password_links').selectAll().execute()).rejects.toThrow(/permission denied/)
    }
  })

  test('while no server answers one mail a round is tried, and all go once it does', async () => {
    const clock = manualClock(Date.now())
    const down = await startSmtpReceiver()
    await down[Symbol.asyncDispose]()
    for (const id of [1, 2, 3]) await put(newMail(id), clock)
    const parts = { db: db(), sealing: seals, clock, log }
    await sendDue({ ...parts, deliver: by(down.port) })
    expect((await rows()).map(({ tries }) => tries)).toEqual([1, 0, 0])
    expect((await row(1))?.failure).toContain('ECONNREFUSED')
    clock.advance(MS_PER_MINUTE)
    await using up = await startSmtpReceiver(down.port)
    await sendDue({ ...parts, deliver: by(up.port) })
    expect(up.mails.map(({ to }) => to[0]).toSorted()).toEqual([1, 2, 3].map((id) => `ada${id}@video.example`))
  })

  test('a receiver that asks for patience gets the same mail again, later and later, for a day', async () => {
    const clock = manualClock(Date.now())
    await using receiver = await startSmtpReceiver()
    receiver.answer('RCPT', '451 4.7.1 later')
    await put(newMail(1), clock)
    const parts = { db: db(), sealing: seals, deliver: by(receiver.port), clock, log }
    const waits: number[] = []
    for (;;) {
      await sendDue(parts)
      const next = (await row(1))?.next_try_at
      if (next === null || next === undefined) break
      waits.push((next - clock.now()) / 1000)
      clock.advance(next - clock.now())
    }
    expect(waits.slice(0, 7)).toEqual([10, 30, 120, 300, 900, 1800, 3600])
    expect(waits.reduce((sum, s) => sum + s, 0)).toBeLessThanOrEqual(MS_PER_DAY / 1000)
    expect(waits.length).toBe(29)
    expect(await row(1)).toMatchObject({ content_sealed: null, sent_at: null, failure: expect.stringContaining('451') })
    expect(logged.at(-1)).toContain('a mail is given up')
  })

  test('one refusal for good is enough, and does not hold up the others', async () => {
    await using receiver = await startSmtpReceiver()
    receiver.answer('RCPT', '550 5.1.1 nobody')
    await put(newMail(1))
    await put(newMail(2))
    await sendDue({ db: db(), sealing: seals, deliver: by(receiver.port), clock: systemClock, log })
    expect((await rows()).map(({ tries, content_sealed }) => [tries, content_sealed])).toEqual([
      [1, null],
      [1, null],
    ])
  })

  test('what is of no use any more is not sent', async () => {
    const clock = manualClock(Date.now())
    await using receiver = await startSmtpReceiver()
    await put(newMail(1, { uselessAt: clock.now() + 30 * MS_PER_MINUTE }), clock)
    clock.advance(30 * MS_PER_MINUTE)
    await sendDue({ db: db(), sealing: seals, deliver: by(receiver.port), clock, log })
    expect(receiver.mails).toEqual([])
    expect(await row(1)).toMatchObject({ content_sealed: null, failure: 'it was not sent in time' })
  })

  test('a mail that was changed in the database is not sent, and the others are', async () => {
    await using receiver = await startSmtpReceiver()
    await put(newMail(1))
    await put(newMail(2))
    const { plain } = database.db('owner')
    const { content_sealed } = await plain
      .selectFrom('mail_outbox')
      .select('content_sealed')
      .where('mail_id', '=', 2)
      .executeTakeFirstOrThrow()
    await plain.updateTable('mail_outbox').set({ content_sealed }).where('mail_id', '=', 1).execute()
    await sendDue({ db: db(), sealing: seals, deliver: by(receiver.port), clock: systemClock, log })
    expect(receiver.mails.map(({ to }) => to[0])).toEqual(['ada2@video.example'])
  })

  test('several senders at once send each mail once', async () => {
    await using receiver = await startSmtpReceiver()
    for (let id = 1; id <= 30; id++) await put(newMail(id))
    const parts = { db: db(), sealing: seals, deliver: by(receiver.port), clock: systemClock, log }
    await Promise.all([1, 2, 3, 4].map(() => sendDue(parts)))
    expect(new Set(receiver.mails.map(({ to }) => to[0])).size).toBe(30)
    expect(receiver.mails).toHaveLength(30)
  })

  test('a process killed between handing over and writing that down: the mail comes again, under the same id', async () => {
    await using receiver = await startSmtpReceiver()
    receiver.answer('MESSAGE', 'hold')
    await put(newMail(1))
    const child = sendingProcess({ connection: database.connection, key: key.toString('base64'), port: receiver.port })
    await using _killed = { [Symbol.asyncDispose]: async () => void child.kill('SIGKILL') }
    await expect.poll(() => receiver.mails.length, { timeout: 15_000 }).toBe(1)
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    receiver.answer('MESSAGE', undefined)
    const clock = manualClock(Date.now())
    const parts = { db: db(), sealing: seals, deliver: by(receiver.port), clock, log }
    await sendDue(parts)
    // It might still be on its way, so nobody else takes it yet.
    expect(receiver.mails).toHaveLength(1)
    clock.advance(CLAIM_MS)
    await sendDue(parts)
    expect(receiver.mails).toHaveLength(2)
    const ids = receiver.mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1])
    expect(ids).toEqual(['<7.1@sender.example>', '<7.1@sender.example>'])
    expect(await row(1)).toMatchObject({ content_sealed: null, tries: 2 })
  })

  test('a sender sends by itself until it is disposed, and forgets after thirty days', async () => {
    const clock = manualClock(Date.now())
    const sent: string[] = []
    const deliver: Deliver = async ({ subject }) => {
      sent.push(subject)
      return { ok: true, value: undefined }
    }
    await put(newMail(1), clock)
    {
      await using _sender = startMailSender({ db: db(), sealing: seals, deliver, clock, log, everyMs: 5 })
      await expect.poll(() => sent).toEqual(['Mail 1'])
      await put(newMail(2), clock)
      await expect.poll(() => sent).toEqual(['Mail 1', 'Mail 2'])
      clock.advance(31 * MS_PER_DAY + 2 * MS_PER_HOUR)
      await expect.poll(rows).toEqual([])
    }
    await put(newMail(3), clock)
    expect(sent).toHaveLength(2)
  })
})

/** Told by its input, because arguments are there for everybody on the machine to read. */
function sendingProcess(given: { connection: DatabaseConnection; key: string; port: number }): ChildProcess {
  const script = fileURLToPath(new URL('./testing/sending-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(JSON.stringify(given))
  return child
}
