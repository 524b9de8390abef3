import { generateKeyPairSync } from 'node:crypto'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../db-testing/index.ts'
import { type TestLog, testLog } from './chain-testing.ts'
import { readCheckpoint, signCheckpoint } from './checkpoint.ts'
import { chainStart, type EntryTexts, entrySha256, LINE_COLUMNS, linkHash, toCommitments } from './entry.ts'

let database: TestDatabase
let log: TestLog
const ACCOUNT = 1001
const OTHER = 2002

describe.each(engines)('%s', (_engine, open) => {
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database[Symbol.asyncDispose]())

  /** Ten lines of one account and five of another: three checkpoints. */
  beforeEach(async () => {
    await sql`truncate audit_log, audit_unsealed, audit_chain, audit_checkpoints`.execute(database.db('owner').plain)
    log = await testLog(database)
    await log.write(ACCOUNT, 4)
    await log.seal()
    await log.write(OTHER, 5)
    await log.write(ACCOUNT, 3)
    await log.seal()
    await log.write(ACCOUNT, 3)
    await log.seal()
    expect(await log.verify()).toEqual([])
    return () => log[Symbol.asyncDispose]()
  })

  const run = (statement: string) => sql.raw(statement).execute(log.owner.plain)
  /** Lines 1 to 4, 10 to 12 and 13 to 15 are those of ACCOUNT. */
  const at = (sequence: number, line: number) => `account ${ACCOUNT}, sequence ${sequence}, entry ${line}: `

  describe('an entry', () => {
    test.each([
      ['user_id = 5'],
      ['user_id = null'],
      ['staff_id = 5'],
      ['api_key_id = 5'],
      [`client_id = 'other'`],
      [`action = 'play'`],
      [`target_kind = 'zone'`],
      ['target_id = 8'],
      [`at = at + interval '1 millisecond'`],
    ])('that was changed (%s) is reported', async (change) => {
      await run(`update audit_log set ${change} where audit_log_id = 3`)
      expect(await log.verify()).toEqual([`${at(3, 3)}the entry was changed`])
    })

    test.each([
      ['actor_name', `'Eve'`],
      ['actor_name', 'null'],
      ['before', `'{"name": "Other"}'`],
      ['after', `'{"name": "Gate", "n": 11.0}'`],
      ['address', `'192.0.2.2'`],
      ['address', `''`],
    ])('whose personal field %s was changed to %s is reported with that field', async (field, value) => {
      await run(`update audit_log set ${field} = ${value} where audit_log_id = 11`)
      expect(await log.verify()).toEqual([`${at(6, 11)}${field} was changed`])
    })

    test('stays valid after its personal values are erased, unless the salt remains', async () => {
      const erased = 'actor_name = null, before = null, after = null, address = null'
      await run(`update audit_log set ${erased}, salt = null where audit_log_id in (2, 11)`)
      expect(await log.verify()).toEqual([])
      await run(`update audit_log set ${erased} where audit_log_id = 3`)
      expect(await log.verify()).toEqual([`${at(3, 3)}actor_name, before, after, address was changed`])
    })

    test('still has all other fields protected after it is erased', async () => {
      const erased = 'actor_name = null, before = null, after = null, address = null, salt = null'
      await run(`update audit_log set ${erased}, action = 'play' where audit_log_id = 2`)
      expect(await log.verify()).toEqual([`${at(2, 2)}the entry was changed`])
    })

    test('that was removed from the middle is reported', async () => {
      await run('delete from audit_log where audit_log_id = 10')
      expect(await log.verify()).toEqual([`${at(5, 10)}the entry is missing`])
    })

    test('that was removed with its link leaves a gap', async () => {
      await run('delete from audit_log where audit_log_id = 2')
      await run('delete from audit_chain where audit_log_id = 2')
      expect(await log.verify()).toEqual([`${at(3, 3)}sequence 2 is missing from the chain before it`])
    })

    test('that was inserted past the signer is reported', async () => {
      await run('alter table audit_log disable trigger remember_unsealed')
      await log.write(ACCOUNT, 1)
      await run('alter table audit_log enable trigger remember_unsealed')
      expect(await log.verify()).toEqual([
        `account ${ACCOUNT}, entry 16: the entry was inserted: it is neither in a chain nor waiting for one`,
      ])
    })

    test('that was removed before it was signed is reported, now and after the next signing', async () => {
      await log.write(ACCOUNT, 2)
      await run('delete from audit_log where audit_log_id = 16')
      const named = [`account ${ACCOUNT}, entry 16: the entry was removed before it was added to the chain`]
      expect(await log.verify()).toEqual(named)
      await log.seal()
      expect(await log.verify()).toEqual(named)
    })

    test('that was moved to another account is missing in one and found in the other', async () => {
      await run(`update audit_log set account_id = ${OTHER} where audit_log_id = 12`)
      expect(await log.verify()).toEqual([
        `${at(7, 12)}the entry is missing`,
        `account ${OTHER}, entry 12: the entry was inserted: it is neither in a chain nor waiting for one`,
      ])
    })

    test("that replaced another account's entry is reported", async () => {
      const fields = ['at', 'user_id', 'actor_name', 'action', 'before', 'after', 'address', 'salt']
      const copied = fields.map((field) => `${field} = o.${field}`).join(', ')
      await run(`update audit_log l set ${copied} from audit_log o where l.audit_log_id = 3 and o.audit_log_id = 6`)
      expect(await log.verify()).toEqual([
        `${at(3, 3)}actor_name, before, after, address was changed`,
        `${at(3, 3)}the entry was changed`,
      ])
    })
  })

  describe('a chain', () => {
    test('with two swapped entries is reported at both', async () => {
      await run(
        `update audit_log set audit_log_id = case audit_log_id when 2 then 1000003 else 1000002 end where audit_log_id in (2, 3)`,
      )
      await run('update audit_log set audit_log_id = audit_log_id - 1000000 where audit_log_id > 1000000')
      const what = 'actor_name, before, after, address was changed'
      expect(await log.verify()).toEqual([`${at(2, 2)}${what}`, `${at(3, 3)}${what}`])
    })

    test('with two swapped links is reported where it breaks', async () => {
      await run(
        `update audit_chain set sequence = sequence + 1000 where account_id = ${ACCOUNT} and sequence in (2, 3)`,
      )
      await run(`update audit_chain set sequence = 1005 - sequence where sequence > 1000`)
      const broken = 'the hash does not match the previous entry: the chain was changed here'
      expect(await log.verify()).toEqual([`${at(2, 3)}${broken}`, `${at(3, 2)}${broken}`, `${at(4, 4)}${broken}`])
    })

    test.each([
      ['hash', 'the hash does not match the previous entry: the chain was changed here'],
      ['line_sha256', 'the entry was changed'],
    ])('with a changed %s is reported there', async (column, what) => {
      await run(`update audit_chain set ${column} = sha256('other') where account_id = ${ACCOUNT} and sequence = 2`)
      expect(await log.verify()).toContain(`${at(2, 2)}${what}`)
    })

    test('that was cut off at the end with its log is found with the checkpoints', async () => {
      await run('delete from audit_log where audit_log_id >= 14')
      await run('delete from audit_chain where audit_log_id >= 14')
      expect(await log.verify()).toEqual([
        `checkpoint 3, account ${ACCOUNT}, sequence 10: it is missing from the chain but was signed at 2026-11-21T12:02:00.000Z; the chain ends at 8`,
      ])
    })

    test('that was deleted with the log of a whole account is found too', async () => {
      await run(`delete from audit_log where account_id = ${OTHER}`)
      await run(`delete from audit_chain where account_id = ${OTHER}`)
      expect(await log.verify()).toEqual([
        `checkpoint 2, account ${OTHER}, sequence 5: it is missing from the chain but was signed at 2026-11-21T12:01:00.000Z; the chain ends at 0`,
      ])
    })

    test('that was rewritten with correct hashes is found with the checkpoints', async () => {
      await run(`update audit_log set action = 'play' where audit_log_id = 10`)
      await rewriteChain()
      expect(await log.verify()).toEqual([
        `checkpoint 2, account ${ACCOUNT}, sequence 7: the hash differs from the one signed at 2026-11-21T12:01:00.000Z: the chain was rewritten`,
      ])
    })

    /** An attacker who owns the database and knows how it works, but doesn't have the key. */
    async function rewriteChain(): Promise<void> {
      const { rows } = await sql<EntryTexts & { sequence: number }>`
      select c.sequence, ${LINE_COLUMNS} from audit_chain c join audit_log l using (account_id, audit_log_id)
       where c.account_id = ${ACCOUNT} order by c.sequence`.execute(log.owner.plain)
      let hash = chainStart(String(ACCOUNT))
      for (const row of rows) {
        const commitments = toCommitments(row)
        const line_sha256 = entrySha256(row, commitments)
        hash = linkHash(hash, row.sequence, line_sha256)
        await log.owner.plain
          .updateTable('audit_chain')
          .set({ commitments, line_sha256, hash })
          .where('account_id', '=', ACCOUNT)
          .where('sequence', '=', row.sequence)
          .execute()
      }
    }
  })

  describe('a checkpoint', () => {
    const stored = async (number: number): Promise<string> => {
      const row = await log.owner.plain
        .selectFrom('audit_checkpoints')
        .select('line')
        .where('number', '=', number)
        .executeTakeFirstOrThrow()
      return row.line
    }
    const replace = (number: number, line: string) =>
      log.owner.plain.updateTable('audit_checkpoints').set({ line }).where('number', '=', number).execute()

    test('that was changed in the database is reported, and the file is used instead', async () => {
      await replace(2, (await stored(2)).replace(`[${ACCOUNT},7,`, `[${ACCOUNT},6,`))
      expect(await log.verify()).toEqual([`checkpoint 2: database and ${log.file} differ`])
    })

    test('that was changed in both places is reported', async () => {
      const forged = (await stored(2)).replace(`[${ACCOUNT},7,`, `[${ACCOUNT},6,`)
      await replace(2, forged)
      const lines = (await readFile(log.file, 'utf8')).split('\n')
      await writeFile(log.file, [lines[0], forged, ...lines.slice(2)].join('\n'))
      expect(await log.verify()).toEqual([
        'checkpoint 2: the signature is not valid: it was changed',
        'checkpoint 3: it does not match the previous checkpoint',
      ])
    })

    test('that was signed with another key in both places is reported', async () => {
      const { privateKey } = generateKeyPairSync('ed25519')
      const last = readCheckpoint(await stored(3))
      const forged = last === undefined ? '' : signCheckpoint(last, privateKey)
      await replace(3, forged)
      const lines = (await readFile(log.file, 'utf8')).split('\n')
      await writeFile(log.file, `${[...lines.slice(0, 2), forged].join('\n')}\n`)
      expect(await log.verify()).toEqual([
        expect.stringMatching(
          /^checkpoint 3: the signature is not valid: it was signed with key [0-9a-f]{16}, not with key/,
        ),
      ])
    })

    test('with a duplicate field after its signature is invalid', async () => {
      const line = await stored(1)
      expect(readCheckpoint(`${line.slice(0, -1)},"heads":[]}`)).toBeUndefined()
      expect(readCheckpoint(line)?.isSignedBy(log.key)).toBe(true)
    })

    test('that is missing from the database is reported, even the last', async () => {
      await run('delete from audit_checkpoints where number >= 2')
      const gone = `it is in ${log.file} but missing from the database`
      expect(await log.verify()).toEqual([`checkpoint 2: ${gone}`, `checkpoint 3: ${gone}`])
    })

    test('that is missing from both places is missed by later ones and by its entries', async () => {
      await run('delete from audit_checkpoints where number = 2')
      const lines = (await readFile(log.file, 'utf8')).split('\n')
      await writeFile(log.file, [lines[0], lines[2], ''].join('\n'))
      expect(await log.verify()).toEqual(['checkpoint 3: checkpoint 2 is missing before it'])
      await run('delete from audit_checkpoints where number = 3')
      await writeFile(log.file, `${lines[0]}\n`)
      expect(await log.verify()).toEqual(['checkpoint 2: this checkpoint and all others up to 2 are missing'])
    })

    test('that was cut from the end of the file, whole or half, is reported; a copy of the file may end early', async () => {
      const { length } = await readFile(log.file)
      await truncate(log.file, length - 10)
      expect(await log.verify()).toEqual([
        `${log.file}, line 3 is not a checkpoint`,
        `checkpoint 3 is in the database but not in ${log.file}`,
      ])
      const lines = (await readFile(log.file, 'utf8')).split('\n')
      await writeFile(log.file, `${lines[0]}\n`)
      expect(await log.verify()).toEqual([`checkpoints 2 to 3 are in the database but not in ${log.file}`])
      expect(await log.verify({ isCopy: true })).toEqual([])
    })

    test('that was cut from the middle of the file, or moved, is reported, even in a copy', async () => {
      const lines = (await readFile(log.file, 'utf8')).split('\n')
      await writeFile(log.file, [lines[0], lines[2], ''].join('\n'))
      expect(await log.verify({ isCopy: true })).toEqual([`checkpoint 2 is in the database but not in ${log.file}`])
      await writeFile(log.file, [lines[0], lines[2], lines[1], ''].join('\n'))
      expect(await log.verify({ isCopy: true })).toContain(`checkpoint 2: ${log.file}, line 3 comes after checkpoint 3`)
    })

    test('is expected in the file: without the file each one is reported missing', async () => {
      await writeFile(log.file, '')
      expect(await log.verify()).toEqual([`checkpoints 1 to 3 are in the database but not in ${log.file}`])
    })
  })

  describe('verifying a part', () => {
    test('of one account reports nothing about others', async () => {
      await run('delete from audit_log where audit_log_id in (3, 6)')
      expect(await log.verify({ accountId: OTHER })).toEqual([
        `account ${OTHER}, sequence 2, entry 6: the entry is missing`,
      ])
      expect(await log.verify({ accountId: ACCOUNT })).toEqual([`${at(3, 3)}the entry is missing`])
    })

    test('since a given time starts after the checkpoint before it', async () => {
      await run('delete from audit_log where audit_log_id in (3, 11)')
      const second = Date.UTC(2026, 10, 21, 12, 1)
      expect(await log.verify({ since: second })).toEqual([`${at(6, 11)}the entry is missing`])
      expect(await log.verify({ since: second + 1 })).toEqual([])
      expect(await log.verify({ since: second + 3_600_000 })).toEqual([])
    })
  })
})
