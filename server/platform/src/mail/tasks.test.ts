import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, manualClock, systemClock } from '../clock/index.ts'
import type { DatabaseConnection } from '../db/index.ts'
import { engines, type TestDatabase } from '../db-testing/index.ts'
import { envelopeEncryption } from '../envelope-encryption/index.ts'
import { startJobWorker } from '../jobs/index.ts'
import { bringForward, listJobs, runJobs } from '../jobs/testing/index.ts'
import { createLogger } from '../log/index.ts'
import { type Deliver, type MailTaskDeps, mailOutbox, mailTasks, type NewMail, smtpDelivery } from './index.ts'
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
  const seals = envelopeEncryption(key)
  const logged: string[] = []
  const log = createLogger({ level: 'debug', format: 'json', name: 'mail' }, { write: (line) => logged.push(line) })
  const rows = () => database.db('owner').plain.selectFrom('mail_outbox').selectAll().orderBy('mail_id').execute()
  const row = async (mailId: number) => (await rows()).find((each) => each.mail_id === mailId)
  const db = () => database.db('auth')
  const put = (mail: NewMail, clock = systemClock) => db().transaction((tx) => mailOutbox(seals, clock).add(tx, mail))
  const tasksOf = (given: Pick<MailTaskDeps, 'deliver'> & Partial<MailTaskDeps>) =>
    mailTasks({ db: db(), encryption: seals, clock: systemClock, log, ...given })
  const sendDue = (given: Pick<MailTaskDeps, 'deliver'> & Partial<MailTaskDeps>) =>
    runJobs(database.connection, tasksOf(given), log)
  const jobs = () => listJobs(database.db('owner'), 'sendMail')
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
    await sql`delete from graphile_worker._private_jobs`.execute(database.db('owner').plain)
    logged.length = 0
  })

  test('an email is written in the same transaction as what it reports, or not at all', async () => {
    const failing = db().transaction(async (tx) => {
      await mailOutbox(seals, systemClock).add(tx, newMail(1))
      throw new Error('the change failed')
    })
    await expect(failing).rejects.toThrow('the change failed')
    expect(await rows()).toEqual([])
    expect(await jobs()).toEqual([])
  })

  test("an email can't be read in the database, and its content is deleted once it is sent", async () => {
    await using receiver = await startSmtpReceiver()
    await put(newMail(1))
    expect(JSON.stringify((await row(1))?.content_sealed?.toString('latin1'))).not.toMatch(/s3cret|Mail 1/)
    await sendDue({ deliver: by(receiver.port) })
    expect(receiver.mails.map(({ to }) => to)).toEqual([['ada1@video.example']])
    expect(receiver.mails[0]?.raw).toContain(LINK)
    expect(await row(1)).toMatchObject({ content_sealed: null, given_up_at: null, failure: null })
    expect(await jobs()).toEqual([])
    expect((await row(1))?.sent_at).not.toBeNull()
    expect(logged.join('')).toContain('email sent')
    expect(logged.join('')).not.toMatch(/s3cret|ada1@/)
  })

  test('no other role can read or write emails', async () => {
    await put(newMail(1))
    for (const role of ['app', 'media'] as const) {
      const { plain } = database.db(role)
      await expect(plain.selectFrom('mail_outbox').selectAll().execute()).rejects.toThrow(/permission denied/)
      await expect(plain.deleteFrom('mail_outbox').execute()).rejects.toThrow(/permission denied/)
      await expect(plain.selectFrom('auth.action_links').selectAll().execute()).rejects.toThrow(/permission denied/)
    }
  })

  test('if no server answers, one email is tried per round, and all are sent when it does', async () => {
    const clock = manualClock(Date.now())
    const down = await startSmtpReceiver()
    await down[Symbol.asyncDispose]()
    for (const id of [1, 2, 3]) await put(newMail(id), clock)
    const tasks = tasksOf({ deliver: by(down.port), clock })
    await runJobs(database.connection, tasks, log)
    expect((await jobs()).map(({ attempts }) => attempts)).toEqual([1, 0, 0])
    expect((await row(1))?.failure).toContain('ECONNREFUSED')
    clock.advance(MS_PER_MINUTE)
    await using up = await startSmtpReceiver(down.port)
    await bringForward(database.db('owner'))
    await runJobs(database.connection, tasks, log)
    expect(up.mails.map(({ to }) => to[0]).toSorted()).toEqual([1, 2, 3].map((id) => `ada${id}@video.example`))
  })

  test("a recipient's server that asks for patience gets the same email again, at growing intervals, for a day", async () => {
    const clock = manualClock(Date.now())
    await using receiver = await startSmtpReceiver()
    receiver.answer('RCPT', '451 4.7.1 later')
    await put(newMail(1), clock)
    const waits: number[] = []
    for (;;) {
      await sendDue({ deliver: by(receiver.port), clock })
      const [job] = await jobs()
      if (job === undefined) break
      waits.push(Math.round(Math.log(job.waitS)))
      clock.advance(job.waitS * 1000)
      await bringForward(database.db('owner'))
    }
    // Powers of e seconds: from three seconds to six hours.
    expect(waits).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10])
    expect(await row(1)).toMatchObject({
      content_sealed: null,
      sent_at: null,
      failure: expect.stringContaining('in time'),
    })
    expect(logged.some((line) => line.includes('email not delivered; no more retries'))).toBe(true)
  })

  test("a permanent refusal isn't retried and doesn't delay others; the content stays while it is useful", async () => {
    const clock = manualClock(Date.now())
    await using receiver = await startSmtpReceiver()
    receiver.answer('RCPT', '550 5.1.1 nobody')
    await put(newMail(1), clock)
    await put(newMail(2), clock)
    await sendDue({ deliver: by(receiver.port), clock })
    await bringForward(database.db('owner'))
    await sendDue({ deliver: by(receiver.port), clock })
    const isKept = async () => (await rows()).map((mail) => [mail.given_up_at === null, mail.content_sealed === null])
    expect(await isKept()).toEqual([
      [false, false],
      [false, false],
    ])
    expect((await jobs()).map(({ attempts, maxAttempts }) => attempts === maxAttempts)).toEqual([true, true])
    clock.advance(MS_PER_DAY)
    await sendDue({ deliver: by(receiver.port), clock })
    expect(await isKept()).toEqual([
      [false, true],
      [false, true],
    ])
  })

  test("an email that is no longer useful isn't sent", async () => {
    const clock = manualClock(Date.now())
    await using receiver = await startSmtpReceiver()
    await put(newMail(1, { uselessAt: clock.now() + 30 * MS_PER_MINUTE }), clock)
    clock.advance(30 * MS_PER_MINUTE)
    await sendDue({ deliver: by(receiver.port), clock })
    expect(receiver.mails).toEqual([])
    expect(await row(1)).toMatchObject({ content_sealed: null, failure: 'not sent in time' })
  })

  test("an email that was changed in the database isn't sent, and others are", async () => {
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
    await sendDue({ deliver: by(receiver.port) })
    expect(receiver.mails.map(({ to }) => to[0])).toEqual(['ada2@video.example'])
  })

  test('concurrent senders send each email once', async () => {
    await using receiver = await startSmtpReceiver()
    for (let id = 1; id <= 30; id++) await put(newMail(id))
    await Promise.all([1, 2, 3, 4].map(() => sendDue({ deliver: by(receiver.port) })))
    expect(new Set(receiver.mails.map(({ to }) => to[0])).size).toBe(30)
    expect(receiver.mails).toHaveLength(30)
  })

  test('an email is sent again under the same id if the process was killed before recording it', async () => {
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
    await sendDue({ deliver: by(receiver.port) })
    // It might still be in progress, so no other process takes it yet.
    expect(receiver.mails).toHaveLength(1)
    const lanes = [{ tasks: tasksOf({ deliver: by(receiver.port) }), concurrency: 1 }]
    await using _sender = await startJobWorker({ connection: database.connection, lanes, log, deadAfterMs: 1500 })
    await expect.poll(() => receiver.mails.length, { timeout: 30_000 }).toBe(2)
    const ids = receiver.mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1])
    expect(ids).toEqual(['<7.1@sender.example>', '<7.1@sender.example>'])
    await expect.poll(() => row(1)).toMatchObject({ content_sealed: null, failure: null })
  })

  test('a sender sends new emails immediately until it is disposed, and deletes old ones after thirty days', async () => {
    const clock = manualClock(Date.now())
    const sent: string[] = []
    const deliver: Deliver = async ({ subject }) => {
      sent.push(subject)
      return { ok: true, value: undefined }
    }
    const tasks = tasksOf({ deliver, clock })
    await put(newMail(1), clock)
    {
      const lanes = [{ tasks, concurrency: 1 }]
      await using _sender = await startJobWorker({ connection: database.connection, lanes, log })
      await expect.poll(() => sent, { timeout: 10_000 }).toEqual(['Mail 1'])
      await put(newMail(2), clock)
      await expect.poll(() => sent, { timeout: 10_000 }).toEqual(['Mail 1', 'Mail 2'])
    }
    await put(newMail(3), clock)
    expect(sent).toHaveLength(2)
    clock.advance(31 * MS_PER_DAY + 2 * MS_PER_HOUR)
    await runJobs(database.connection, tasks, log)
    await runJobs(database.connection, tasks, log)
    expect(await rows()).toEqual([])
  })
})

/** Configured by stdin, because everyone on the machine can read arguments. */
function sendingProcess(given: { connection: DatabaseConnection; key: string; port: number }): ChildProcess {
  const script = fileURLToPath(new URL('./testing/sending-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(JSON.stringify(given))
  return child
}
