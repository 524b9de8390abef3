import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appendAudit } from '../audit/index.ts'
import { MS_PER_DAY, systemClock } from '../clock/index.ts'
import { idSource, instant } from '../db/index.ts'
import { bothEngines, type TestDatabase } from '../db-testing/index.ts'
import { silentLogger } from '../log/index.ts'
import { signAll, type TestLog, testLog } from './chain-testing.ts'
import { chainWriter } from './chain-writer.ts'
import { readCheckpoint } from './checkpoint.ts'
import { startSigner } from './signer.ts'

let database: TestDatabase
let log: TestLog
const ACCOUNT = 1001
/** The signer checks once a second. */
const PATIENCE = { timeout: 20_000 }

describe.each(bothEngines)('%s', (_engine, open) => {
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database[Symbol.asyncDispose]())
  beforeEach(async () => {
    await sql`truncate audit_log, audit_unsealed, audit_chain, audit_checkpoints`.execute(database.db('owner').plain)
    log = await testLog(database)
    return () => log[Symbol.asyncDispose]()
  })

  /** Line ids of an account in the order of its chain. */
  const chainOf = async (accountId = ACCOUNT): Promise<readonly number[]> => {
    const rows = await log.owner.plain
      .selectFrom('audit_chain')
      .select('audit_log_id')
      .where('account_id', '=', accountId)
      .orderBy('sequence')
      .execute()
    return rows.map((row) => row.audit_log_id)
  }
  const checkpointsInFile = async (): Promise<readonly string[]> =>
    (await readFile(log.file, 'utf8')).split('\n').slice(0, -1)

  // Many writers, signers and entries: minutes of patience for a busy machine.
  describe('signing', { timeout: 120_000 }, () => {
    test('the head of each list of footage that changed is in a checkpoint, once a day', async () => {
      const headOf = (hash: string) => ({
        account_id: ACCOUNT,
        camera_id: 2001,
        stream: 'main' as const,
        hour: 1,
        bytes: 1,
        line: '',
        hash,
      })
      const inCheckpoints = async () => (await checkpointsInFile()).map((line) => readCheckpoint(line)?.footage)
      const [first, second] = ['a'.repeat(64), 'b'.repeat(64)]
      const heads = log.owner.plain
      await heads.deleteFrom('footage_heads').execute()
      await heads.insertInto('footage_heads').values(headOf(first)).execute()
      // Without any entry of the audit log.
      await log.seal()
      expect(await inCheckpoints()).toEqual([[[ACCOUNT, 2001, 'main', first]]])
      await heads.updateTable('footage_heads').set({ hash: second }).execute()
      await log.write(ACCOUNT, 1)
      await log.seal()
      expect(await inCheckpoints()).toEqual([[[ACCOUNT, 2001, 'main', first]], []])
      log.clock.advance(MS_PER_DAY)
      await log.seal()
      await log.seal()
      expect((await inCheckpoints()).slice(2)).toEqual([[[ACCOUNT, 2001, 'main', second]]])
      expect(await log.verify()).toEqual([])
    })

    test('entries of transactions that stayed open while others were signed are signed once committed', async () => {
      const early = await log.owner.plain.startTransaction().execute()
      await log.write(ACCOUNT, 2, early)
      const rolledBack = await log.owner.plain.startTransaction().execute()
      await log.write(ACCOUNT, 1, rolledBack)
      await log.write(ACCOUNT, 3)
      await log.seal()
      expect(await chainOf()).toEqual([4, 5, 6])
      await early.commit().execute()
      await rolledBack.rollback().execute()
      await log.write(ACCOUNT, 1)
      await log.seal()
      expect(await chainOf()).toEqual([4, 5, 6, 1, 2, 7])
      expect(await log.verify()).toEqual([])
    })

    test('each organization has its own chain, starting at 1', async () => {
      for (const accountId of [2, 255, ACCOUNT]) await log.write(accountId, 3)
      await log.seal()
      for (const accountId of [2, 255, ACCOUNT]) expect(await chainOf(accountId)).toHaveLength(3)
      expect(await log.verify()).toEqual([])
    })

    test('more entries than one batch are signed in the order they were written', async () => {
      const ids = await log.write(ACCOUNT, 1500)
      expect(await signAll(log.writer)).toBe(1500)
      expect(await chainOf()).toEqual(ids)
    })

    test.each([
      ['infinite times', { at: sql<number>`'infinity'` }],
      ['times before Christ', { at: sql<number>`'0044-03-15 BC'` }],
      ['ids that JavaScript rounds', { target_id: sql<number>`9223372036854775807` }],
      ['numbers that JavaScript rounds', { after: '{"n": 1.00000000000000000000001, "m": 1e400}' }],
      ['text of every script', { actor_name: 'Zoë \u{1F512} 李 \\ "', action: '' }],
      ['nothing optional', { actor_name: null, client_id: null, before: null, after: null, address: null }],
      ['no salt', { salt: null }],
    ])("an entry with %s doesn't stop signing", async (_, values) => {
      const line = { account_id: ACCOUNT, audit_log_id: 99, action: 'login', address: '::1', ...values }
      await log.owner.plain.insertInto('audit_log').values(line).execute()
      await log.write(ACCOUNT, 1)
      await log.seal()
      expect(await log.verify()).toEqual([])
    })

    test('two signers take turns: no chain forks and no entry is signed twice', async () => {
      const other = chainWriter({ db: database.db('sealer'), signingKey: log.key, file: log.file, clock: log.clock })
      const writing = (async () => {
        for (let round = 0; round < 60; round += 1) await log.write(ACCOUNT + (round % 3), 50)
      })()
      let isWriting = true
      const writers = [log.writer, other].map(async (writer) => {
        while (isWriting) {
          await signAll(writer)
          await writer.checkpoint()
          await writer.writeFile()
        }
      })
      await writing
      isWriting = false
      await Promise.all(writers)
      await log.seal()
      expect((await Promise.all([0, 1, 2].map((n) => chainOf(ACCOUNT + n)))).map((chain) => chain.length)).toEqual([
        1000, 1000, 1000,
      ])
      expect(await log.verify()).toEqual([])
    })

    test('20 concurrent writers: every entry is signed', async () => {
      const app = database.db('app')
      const ids = idSource(app)
      const { key: signingKey, file } = log
      const parts = { db: database.db('sealer'), signingKey, file, clock: systemClock, log: silentLogger }
      {
        await using _sealer = startSigner(parts)
        await Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            const caller = { accountId: ACCOUNT + (n % 4), userId: n, clientId: 'test', name: `Writer ${n}` }
            for (let line = 0; line < 50; line += 1) {
              const entry = { action: 'test', after: { line } }
              await app.inTenant(caller, (tx) => appendAudit(tx, { ids, caller, address: '192.0.2.1', entry }))
            }
          }),
        )
      }
      const { rows } = await sql<{ sealed: number }>`select count(*) as sealed from audit_chain`.execute(
        log.owner.plain,
      )
      expect(rows).toEqual([{ sealed: 1000 }])
      expect(await log.verify({ now: Date.now() })).toEqual([])
      expect((await checkpointsInFile()).length).toBeGreaterThan(0)
    })

    test('a signer killed midway leaves nothing half done, and the next one continues', async () => {
      for (let round = 0; round < 5; round += 1) await log.write(ACCOUNT, 2000)
      const signingKey = log.key.export({ type: 'pkcs8', format: 'pem' })
      const settings = { connection: database.connection, file: log.file, signingKey }
      const child = fork(fileURLToPath(import.meta.resolve('./signer-process.ts')), { stdio: 'ignore' })
      child.send(settings)
      const sealedSoFar = async () => (await chainOf()).length
      while ((await sealedSoFar()) === 0) await sleep(1)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      const sealed = await sealedSoFar()
      expect(sealed).toBeLessThan(10_000)
      await log.seal()
      expect(await sealedSoFar()).toBe(10_000)
      expect(await log.verify()).toEqual([])
    })

    test('an entry without a checkpoint gets one within 10 s, even right after the last checkpoint', async () => {
      const { key: signingKey, file } = log
      let monotonic = 0
      const clocks = { clock: systemClock, monotonicMs: () => monotonic }
      await using signer = startSigner({ db: database.db('sealer'), signingKey, file, log: silentLogger, ...clocks })
      for (const checkpoints of [1, 2, 3]) {
        await log.write(ACCOUNT, 1)
        await expect.poll(() => signer.figures().signedEntries, PATIENCE).toBe(checkpoints)
        // Two passes of a second each may lie between the line and the checkpoint.
        monotonic += 8000
        await expect.poll(() => signer.figures().checkpoints, PATIENCE).toBe(checkpoints)
        await expect.poll(async () => (await checkpointsInFile()).length, PATIENCE).toBe(checkpoints)
      }
    })

    test('the signer catches up after a database outage', async () => {
      const { key: signingKey, file } = log
      let isAway = true
      const db = database.db('sealer')
      const failing: typeof db = {
        ...db,
        transaction: (work) => (isAway ? Promise.reject(new Error('away')) : db.transaction(work)),
      }
      await using signer = startSigner({ db: failing, signingKey, file, clock: systemClock, log: silentLogger })
      await log.write(ACCOUNT, 3)
      await sleep(1200)
      expect(await signer.unsignedEntries()).toBe(3)
      expect(signer.figures()).toMatchObject({ signedEntries: 0 })
      isAway = false
      await expect.poll(() => chainOf(), { timeout: 5000 }).toHaveLength(3)
      expect(await signer.unsignedEntries()).toBe(0)
      expect(signer.figures()).toMatchObject({ signedEntries: 3 })
    })
  })

  describe('the checkpoint file', () => {
    test('gets each checkpoint of the database once, as soon as it is writable', async () => {
      await mkdir(dirname(dirname(log.file)), { recursive: true })
      await writeFile(dirname(log.file), 'in the way')
      await log.write(ACCOUNT, 1)
      await expect(log.seal()).rejects.toThrow(/ENOTDIR|EEXIST/)
      await rename(dirname(log.file), `${dirname(log.file)}.aside`)
      await log.write(ACCOUNT, 1)
      await log.seal()
      const rows = await log.owner.plain.selectFrom('audit_checkpoints').select('line').orderBy('number').execute()
      expect(await checkpointsInFile()).toEqual(rows.map(({ line }) => line))
      expect(rows).toHaveLength(2)
      await log.seal()
      expect(await checkpointsInFile()).toHaveLength(2)
    })

    test('loses only an incomplete line left by a crash', async () => {
      await log.write(ACCOUNT, 1)
      await log.seal()
      await appendFile(log.file, '{"number":2,"at"')
      await log.write(ACCOUNT, 1)
      await log.seal()
      expect(await checkpointsInFile()).toHaveLength(2)
      expect(await log.verify()).toEqual([])
    })

    test("isn't written to if it ends with anything else", async () => {
      await log.write(ACCOUNT, 1)
      await log.seal()
      await appendFile(log.file, 'something else\n')
      await log.write(ACCOUNT, 1)
      await expect(log.seal()).rejects.toThrow(
        `the last line of ${log.file} is not a checkpoint signed by this installation`,
      )
    })

    test('keeps its checkpoints if the database was restored to an earlier state, and no number is reused', async () => {
      await log.write(ACCOUNT, 2)
      await log.seal()
      await log.write(ACCOUNT, 2)
      await log.seal()
      await log.owner.transaction(async (tx) => {
        await tx.deleteFrom('audit_checkpoints').where('number', '=', 2).execute()
        await tx.deleteFrom('audit_chain').where('sequence', '>', 2).execute()
        await tx.deleteFrom('audit_log').where('audit_log_id', '>', 2).execute()
      })
      await log.write(ACCOUNT, 1)
      await log.seal()
      expect((await checkpointsInFile()).map((line) => JSON.parse(line).number)).toEqual([1, 2, 3])
      expect(await log.verify()).toEqual([
        `checkpoint 2: it is in ${log.file} but missing from the database`,
        `checkpoint 2, account ${ACCOUNT}, sequence 4: it is missing from the chain but was signed at 2026-11-21T12:01:00.000Z; the chain ends at 3`,
      ])
    })
  })

  describe('unsigned entries', () => {
    test('may wait if no signer runs, and for a minute if one does', async () => {
      await log.write(ACCOUNT, 1)
      await log.owner.plain
        .insertInto('audit_log')
        .values({ account_id: ACCOUNT, audit_log_id: 99, action: 'login', at: instant(Date.now() - 61_000) })
        .execute()
      expect(await log.verify()).toEqual([])
      expect(await log.verify({ isSealing: true })).toEqual([
        `account ${ACCOUNT}, entry 99: the entry is more than a minute old and not in the chain`,
      ])
      const late = log.verify({ isSealing: true })
      await sleep(500)
      await log.seal()
      expect(await late).toEqual([])
    })
  })

  describe('roles', () => {
    const CHAIN = ['audit_chain', 'audit_checkpoints', 'audit_unsealed'] as const

    test("the API, authorization server and media plane can't change the log or read its chains", async () => {
      await log.write(ACCOUNT, 1)
      await log.seal()
      for (const role of ['app', 'auth', 'media'] as const) {
        const attempt = (statement: string) =>
          database.db(role).inTenant({ accountId: ACCOUNT, userId: 1 }, (tx) => sql.raw(statement).execute(tx))
        for (const statement of [
          `update audit_log set action = 'x'`,
          'update audit_log set salt = null',
          'delete from audit_log',
          'truncate audit_log',
          ...CHAIN.flatMap((table) => [`select * from ${table}`, `delete from ${table}`, `truncate ${table}`]),
          `insert into audit_unsealed (account_id, audit_log_id) values (${ACCOUNT}, 5)`,
          `insert into audit_checkpoints values (9, now(), '')`,
          `insert into audit_chain select * from audit_chain`,
          'update audit_chain set sequence = 1',
        ]) {
          await expect(attempt(statement), `${role}: ${statement}`).rejects.toThrow(/permission denied/)
        }
      }
    })

    test('the signer can add to the chains and change nothing', async () => {
      const { plain } = database.db('sealer')
      for (const statement of [
        ...['audit_chain', 'audit_checkpoints'].flatMap((table) => [`delete from ${table}`, `truncate ${table}`]),
        'update audit_chain set sequence = 1',
        `update audit_checkpoints set line = ''`,
        `insert into audit_log (account_id, audit_log_id, action) values (1, 1, 'x')`,
        'delete from audit_log',
        'update audit_log set salt = null',
        'select * from users',
        'select * from auth.credentials',
      ]) {
        await expect(sql.raw(statement).execute(plain), statement).rejects.toThrow(/permission denied/)
      }
    })
  })

  test('nothing is signed without new entries', async () => {
    await log.seal()
    expect(existsSync(log.file)).toBe(false)
    await log.write(ACCOUNT, 1)
    await log.seal()
    await log.seal()
    expect(await checkpointsInFile()).toHaveLength(1)
  })
})
