import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { MS_PER_DAY, manualClock, systemClock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import { hold } from '@sightline/platform/db-testing'
import { startJobWorker } from '@sightline/platform/jobs'
import { listJobs, runJobs } from '@sightline/platform/jobs/testing'
import { silentLogger } from '@sightline/platform/log'
import { type MailRequest, requestMail } from '@sightline/platform/mail-requests'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../auth-testing.ts'
import { sweepRequests } from './index.ts'

let under: AuthUnderTest
let userId = 1000
let email = ''
beforeAll(async () => {
  under = await openAuthUnderTest()
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  userId += 1
  email = `person${userId}@video.example`
  await under.addUser({ userId, email, password: 'Correct-horse7' })
})

const host = () => new URL(under.origin).host
const by = () => ({ userId: 900, name: 'Olivia Owner', host: host() })
/** As a call does; its job waits. */
async function ask(given: Partial<MailRequest> = {}, scope = userId): Promise<void> {
  const app = under.database.db('app')
  const mailId = await idSource(app).next()
  const request = { accountId: userId, userId, to: email, kind: 'invitation', ...given } as MailRequest
  await app.inTenant({ accountId: scope, userId: scope }, (tx) =>
    requestMail(tx, { mailId, request, by: by(), at: systemClock.now() }),
  )
}
const jobs = () => listJobs(under.database.db('owner'))
const requests = () => under.owner.selectFrom('auth.mail_requests').selectAll().execute()
const write = () => runJobs(under.database.connection, under.auth.tasks)
const mails = async () => (await under.sentMails()).filter(({ to }) => to === email)

test('a job contains ids, and no link exists before it runs', async () => {
  await ask()
  const [request] = await requests()
  expect((await jobs()).map(({ task, payload }) => [task, payload])).toEqual([
    ['writeMail', { accountId: userId, mailId: request?.mail_id }],
  ])
  expect(await under.owner.selectFrom('auth.action_links').selectAll().where('user_id', '=', userId).execute()).toEqual(
    [],
  )
  await write()
  expect(await requests()).toEqual([])
  expect(await mails()).toHaveLength(1)
})

test('if the process that writes an email is killed, another one writes it, and it arrives once with a working link', async () => {
  await ask()
  {
    await using held = await hold(under, 'lock table mail_outbox in exclusive mode')
    const script = fileURLToPath(new URL('../mail-writer-testing.ts', import.meta.url))
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'] })
    child.stdin.end(JSON.stringify({ connection: under.database.connection, host: host() }))
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await held.waiting(1)
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
  }
  expect(await jobs()).toMatchObject([{ task: 'writeMail', isRunning: true }])
  const lanes = [{ tasks: under.auth.tasks, concurrency: 1 }]
  const settings = { connection: under.database.connection, lanes, log: silentLogger, deadAfterMs: 1500 }
  {
    await using _worker = await startJobWorker(settings)
    await expect.poll(requests, { timeout: 30_000 }).toEqual([])
  }
  const found = await mails()
  expect(found).toHaveLength(1)
  const link = new URL(/^https?:\S+$/m.exec(found[0]?.text ?? '')?.[0] ?? 'no:link')
  expect((await under.browser().request(link.pathname + link.search)).status).toBe(200)
})

test('no email is written to a user who was deleted or has another address by then', async () => {
  await ask()
  await under.owner
    .updateTable('users')
    .set({ email_folded: 'new', email: 'new' })
    .where('user_id', '=', userId)
    .execute()
  await write()
  await ask({ kind: 'reset' })
  await under.owner.deleteFrom('users').where('user_id', '=', userId).execute()
  await write()
  expect(await requests()).toEqual([])
  expect(await mails()).toEqual([])
})

test('two address changes requested before an email is written cause one email, about the newer address', async () => {
  for (const name of ['first', 'second']) await ask({ kind: 'emailChange', newEmail: `${name}${userId}@video.example` })
  await write()
  const found = await mails()
  expect(found).toHaveLength(1)
  const link = new URL(/^https?:\S+$/m.exec(found[0]?.text ?? '')?.[0] ?? 'no:link')
  const page = await under.browser().request(link.pathname + link.search)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`second${userId}@video.example`)])
})

test('a question about a new address goes only to the current address, even if an earlier one was waiting', async () => {
  const present = `own${userId}@video.example`
  await ask({ kind: 'emailChange', newEmail: `first${userId}@video.example` })
  await under.owner
    .updateTable('users')
    .set({ email_folded: present, email: present })
    .where('user_id', '=', userId)
    .execute()
  await ask({ kind: 'emailChange', to: present, newEmail: `second${userId}@video.example` })
  await write()
  const found = (await under.sentMails()).filter(({ to }) => [email, present].includes(to))
  expect(found.map(({ to }) => to)).toEqual([present])
  const link = new URL(/^https?:\S+$/m.exec(found[0]?.text ?? '')?.[0] ?? 'no:link')
  const page = await under.browser().request(link.pathname + link.search)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`second${userId}@video.example`)])
})

test('a request whose job was discarded is deleted after a week; one that waits for its job stays', async () => {
  const clock = manualClock(Date.now() + 6 * MS_PER_DAY)
  const sweep = () => sweepRequests({ db: under.database.db('auth'), clock })
  await ask()
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker._private_jobs))`.execute(
    under.owner,
  )
  await ask({ kind: 'reset' })
  await sweep()
  expect(await requests()).toHaveLength(2)
  clock.advance(2 * MS_PER_DAY)
  await sweep()
  expect((await requests()).map(({ kind }) => kind)).toEqual(['reset'])
  await write()
  expect(await mails()).toHaveLength(1)
})

test("an email can't be requested for another account, and the API role can't read or change requests", async () => {
  await expect(ask({}, userId - 1)).rejects.toThrow('in the scope of another')
  const { plain } = under.database.db('app')
  await expect(plain.selectFrom('auth.mail_requests').selectAll().execute()).rejects.toThrow('permission denied')
  await expect(plain.deleteFrom('auth.mail_requests').execute()).rejects.toThrow('permission denied')
})
