import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { MS_PER_HOUR, systemClock } from '../clock/index.ts'
import { type Db, migrate, openDatabase, readMigrations, withDatabase } from '../db/index.ts'
import { hold, type TestDatabase, testDatabase } from '../db-testing/index.ts'
import { envelopeEncryption } from '../envelope-encryption/index.ts'
import { silentLogger } from '../log/index.ts'
import { mailTasks } from '../mail/index.ts'
import { ok } from '../result/index.ts'
import { bringForward, listJobs, runJobs } from './testing/index.ts'

const DRAINS = '202611221830-queues-drained'
const seals = envelopeEncryption(randomBytes(32))
const log = silentLogger
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

/** A database as the version before left it, with what waited in its queues. */
async function oldDatabase(name: string) {
  await sql`create database ${sql.id(name)}`.execute(database.db('owner').plain)
  const connection = withDatabase(database.connection, name)
  const migrations = await readMigrations()
  await migrate({ connection, log, migrations: migrations.filter((step) => step.name < DRAINS) })
  const open = (role: 'owner' | 'auth' | 'jobs') =>
    openDatabase({ connection, role, maxConnections: 2, applicationName: 'test-drain', log })
  const owner = open('owner')
  await fill(owner)
  const update = () => migrate({ connection, log, migrations })
  return { connection, owner, auth: open('auth'), update }
}

const content = (mailId: number) =>
  JSON.stringify({
    senderName: 'Blue Eye',
    subject: `Mail ${mailId}`,
    text: 'Hello',
    html: '<p>Hello</p>',
    language: 'en',
    pictures: [],
  })

/** Emails 1 to 20 wait, 21 to 25 are claimed by a process, 26 to 30 were sent; five push messages wait. */
async function fill({ plain }: Db): Promise<void> {
  for (let mailId = 1; mailId <= 30; mailId += 1) {
    const place = { accountId: 7, table: 'mail_outbox', row: mailId, column: 'content_sealed' }
    const sealed = mailId > 25 ? null : seals.seal(place, content(mailId))
    const nextTry = sql`now() + make_interval(secs => ${mailId > 20 ? 120 : -10})`
    await sql`insert into mail_outbox
        (account_id, mail_id, kind, recipient, content_sealed, created_at, give_up_at, tries, next_try_at, sent_at)
      values (7, ${mailId}, 'invitation', 'ada@video.example', ${sealed}, now(), now() + interval '1 day', 1,
        ${mailId > 25 ? null : nextTry}, ${mailId > 25 ? sql`now()` : null})`.execute(plain)
  }
  await withoutReferences(plain, 'push_messages')
  await sql`insert into push_messages
      (account_id, push_message_id, push_device_id, content_sealed, topic, give_up_at, next_try_at)
    select 7, n, 1, '\\x00', 'camera-1', now() + interval '1 day', now() from generate_series(1, 5) n`.execute(plain)
}

/** Inserts rows of that table without the rows that they refer to, which don't matter here. */
async function withoutReferences(plain: Db['plain'], table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where conrelid = ${table}::regclass and contype = 'f'`.execute(plain)
  for (const { name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(plain)
  }
}

const ids = (rows: Awaited<ReturnType<typeof listJobs>>) => rows.map(({ payload }) => payload)

test('each waiting item becomes one job and is sent once; sent items are not repeated', async () => {
  const { connection, owner, auth, update } = await oldDatabase('drained')
  expect(await update()).toContain(DRAINS)
  expect(await update()).toEqual([])
  expect(ids(await listJobs(owner, 'sendMail'))).toEqual(
    Array.from({ length: 25 }, (_mail, n) => ({ accountId: 7, mailId: n + 1 })),
  )
  expect(await listJobs(owner, 'sendPush')).toHaveLength(5)
  const sent: string[] = []
  const deliver = async ({ subject }: { readonly subject: string }) => {
    sent.push(subject)
    return ok(undefined)
  }
  const tasks = mailTasks({ db: auth, encryption: seals, deliver, clock: systemClock, log })
  await runJobs(connection, tasks)
  // Another process may have claimed those for two minutes.
  expect(sent).toHaveLength(20)
  await bringForward(owner)
  await runJobs(connection, tasks)
  expect(new Set(sent).size).toBe(25)
  expect(sent).toHaveLength(25)
  await Promise.all([owner[Symbol.asyncDispose](), auth[Symbol.asyncDispose]()])
}, 60_000)

test('a start that is killed midway leaves the old queues unchanged, and the next one drains them once', async () => {
  const { connection, owner, auth, update } = await oldDatabase('killed')
  {
    // The emails are jobs by then; the push messages have to wait for this.
    await using held = await hold({ owner: owner.plain }, 'lock table push_messages in access share mode')
    const script = fileURLToPath(new URL('./testing/migrating-process.ts', import.meta.url))
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdin.end(JSON.stringify({ connection }))
    const ended = once(child, 'exit')
    await held.waiting(1)
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
  }
  expect(await listJobs(owner)).toEqual([])
  const waiting = sql<{ n: number }>`select count(*)::int as n from mail_outbox where next_try_at is not null`
  expect((await waiting.execute(owner.plain)).rows).toEqual([{ n: 25 }])
  await update()
  expect(ids(await listJobs(owner, 'sendMail'))).toHaveLength(25)
  expect(await listJobs(owner, 'sendPush')).toHaveLength(5)
  await Promise.all([owner[Symbol.asyncDispose](), auth[Symbol.asyncDispose]()])
}, 60_000)

test('schedules that were due, and a report without a notification, are found', async () => {
  const { connection, owner, auth, update } = await oldDatabase('schedules')
  await withoutReferences(owner.plain, 'report_schedules')
  await sql`insert into report_schedules
      (account_id, report_schedule_id, user_id, type, format, every, at_time, host, created_at, next_at, claimed_until, untold_report_id)
    select 7, n, 7, 'storageUsage', 'json', 'day', '06:00', 'h', now(), now() + make_interval(hours => n), now(), case n when 2 then 9 end
      from generate_series(-1, 3) n`.execute(owner.plain)
  await update()
  const app = openDatabase({ connection, role: 'app', maxConnections: 1, applicationName: 'test-drain', log })
  const found = sql<{ id: number }>`
    select report_schedule_id as id from due_report_schedules(${new Date(Date.now() + MS_PER_HOUR / 2)}) order by 1`
  expect((await found.execute(app.plain)).rows.map(({ id }) => id)).toEqual([-1, 0, 2])
  await Promise.all([owner, auth, app].map((db) => db[Symbol.asyncDispose]()))
}, 60_000)
