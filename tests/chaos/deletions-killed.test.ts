/** Processes that delete accounts are killed at work; each account is still deleted once and completely. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getCheckpointPath, startSigner, verifyAudit } from '@sightline/platform/audit-chain'
import { systemClock } from '@sightline/platform/clock'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { publicHalf } from '@sightline/platform/signed-line'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../../server/api/src/api-testing.ts'
import { moveDeletion, startDeletionWorker } from '../../server/api/src/deletion-testing.ts'
import { isLongRun } from '../long-run.ts'

const ACCOUNTS = isLongRun ? 30 : 12
const LINES = 400
const KILLS = isLongRun ? 5 : 2
let database: TestDatabase
let api: TestApi
let folder: string
beforeAll(async () => {
  database = await testDatabase()
  api = await testApi({ open: async () => database })
  folder = await mkdtemp(join(tmpdir(), 'sightline-deletions-'))
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const count = async (question: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await question.execute(api.owner.plain)).rows[0]?.n ?? 0
const left = () =>
  count(sql`select (select count(*) from users where deletes_at is not null)::int
    + (select count(*) from audit_log where salt is not null)::int as n`)

test('each account is deleted once and its audit log verifies, although some deletion processes are killed', async () => {
  const staying = await api.addAccount()
  await api.call(staying.token, 'PATCH users/self', { firstName: 'Grace' })
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { accountId, token, zoneId } = await api.addAccount()
    await api.addCamera(accountId, zoneId, 'Door')
    await api.call(token, 'POST users/self/deletion', { password: RIGHT_PASSWORD })
    await moveDeletion(api.owner, accountId, Date.now() - 1)
  }
  await sql`insert into audit_log (account_id, audit_log_id, user_id, actor_name, action, address)
    select u.account_id, 1000000 + n, u.user_id, 'Ada Byron', 'live', '192.0.2.1'
      from users u, generate_series(1, ${LINES}) n where u.deletes_at is not null`.execute(api.owner.plain)
  const { privateKey: signingKey } = generateKeyPairSync('ed25519')
  const file = getCheckpointPath(join(folder, 'audit'))
  const sealer = { db: database.db('sealer'), signingKey, file, clock: systemClock, log: silentLogger }
  const seal = async () => {
    await using running = startSigner(sealer)
    await vi.waitUntil(async () => (await running.unsignedEntries()) === 0, { timeout: 60_000, interval: 200 })
  }
  await seal()

  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await left()
    const goesOn = async () => (await left()) < before
    await Promise.all([killedOnce(goesOn), killedOnce(goesOn)])
  }
  expect(await left()).toBeGreaterThan(2)
  const accounts = () => count(sql`select count(*)::int as n from accounts`)
  await workUntil(async () => (await accounts()) === 1)
  await seal()
  // The entries about the removal were not signed before. The remaining account has one entry.
  const named = sql<{ n: number }>`select count(*)::int as n from audit_log where salt is not null`
  await workUntil(async () => (await count(named)) === 1)

  const done = sql<{ n: number }>`select count(*)::int as n from audit_log where action = 'accountDeleted'`
  expect(await count(done)).toBe(2 * ACCOUNTS)
  const of = { publicKey: publicHalf(signingKey), file, isCopy: false, accountId: undefined, since: undefined }
  const report = await verifyAudit(api.owner, { ...of, isSealing: false, now: Date.now() })
  expect(report.findings).toEqual([])
  expect(report.chains.erased).toBe(report.chains.lines - 1)
}, 180_000)

const start = () =>
  spawn(
    process.execPath,
    [fileURLToPath(new URL('./deletions-process.ts', import.meta.url)), JSON.stringify(database.connection)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

async function workUntil(isDone: () => Promise<boolean>): Promise<void> {
  const pools = { app: api.app, eraser: database.db('eraser') }
  await using _worker = await startDeletionWorker(database.connection, pools)
  await vi.waitUntil(isDone, { timeout: 60_000, interval: 200 })
}

async function killedOnce(goesOn: () => Promise<boolean>): Promise<void> {
  const child = start()
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  while (child.exitCode === null && !(await goesOn())) await sleep(1)
  child.kill('SIGKILL')
  await exit
}
