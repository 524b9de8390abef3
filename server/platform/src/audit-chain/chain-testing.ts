import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import { type ManualClock, manualClock } from '../clock/index.ts'
import type { Database, Db } from '../db/index.ts'
import type { TestDatabase } from '../db-testing/index.ts'
import { type ChainWriter, chainWriter } from './chain-writer.ts'
import { getCheckpointPath } from './checkpoint-file.ts'
import { describeFinding } from './findings.ts'
import { type VerifySettings, verifyAudit } from './verify.ts'

/** A log to seal and to tamper with. */
export interface TestLog extends AsyncDisposable {
  readonly owner: Db
  readonly key: KeyObject
  readonly file: string
  readonly clock: ManualClock
  readonly writer: ChainWriter
  /** Lines that all planes might write; ids go up, from 1. */
  write(accountId: number, lines: number, on?: Transaction<Database>): Promise<readonly number[]>
  /** Chains the pending entries and signs them. */
  seal(): Promise<void>
  /** The verifier's findings; empty if all is well. */
  verify(settings?: Partial<VerifySettings>): Promise<readonly string[]>
}

const NOW = Date.UTC(2026, 10, 21, 12)

export async function testLog(database: Pick<TestDatabase, 'db'>): Promise<TestLog> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-audit-'))
  const owner = database.db('owner')
  const { privateKey: key, publicKey } = generateKeyPairSync('ed25519')
  const file = getCheckpointPath(join(folder, 'audit'))
  const clock = manualClock(NOW)
  const writer = chainWriter({ db: database.db('sealer'), signingKey: key, file, clock })
  let id = 0
  const verify = async (settings: Partial<VerifySettings> = {}) => {
    const plain = { publicKey, file, isCopy: false, accountId: undefined, since: undefined, isSealing: false }
    const report = await verifyAudit(owner, { ...plain, now: clock.now(), ...settings })
    return report.findings.map(describeFinding)
  }
  return {
    owner,
    key,
    file,
    clock,
    writer,
    verify,
    async write(account_id, lines, on) {
      const first = id + 1
      id += lines
      const ids = Array.from({ length: lines }, (_, n) => first + n)
      const rows = ids.map((audit_log_id) => ({
        account_id,
        audit_log_id,
        user_id: account_id,
        actor_name: 'Ada Lovelace',
        client_id: 'camera-app',
        action: 'patchCamera',
        target_kind: 'camera',
        target_id: 7,
        before: JSON.stringify({ name: 'Door', n: audit_log_id }),
        after: JSON.stringify({ name: 'Gate', n: audit_log_id }),
        address: '192.0.2.1',
      }))
      await (on ?? owner.plain).insertInto('audit_log').values(rows).execute()
      return ids
    },
    async seal() {
      await signAll(writer)
      await writer.checkpoint()
      await writer.writeFile()
      clock.advance(60_000)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** Seals all that waits; how many lines that were. */
export async function signAll(writer: ChainWriter): Promise<number> {
  let sealed = 0
  for (let after: number | 'none' | 'busy' = 0; typeof after === 'number'; ) {
    const batch = await writer.sealBatch(after)
    sealed += batch.sealed
    after = batch.next
  }
  return sealed
}
