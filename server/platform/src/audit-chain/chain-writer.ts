import type { KeyObject } from 'node:crypto'
import type { Clock } from '../clock/index.ts'
import { type Db, instant, type Tx } from '../db/index.ts'
import { publicHalf } from '../signed-line/index.ts'
import { type Head, lineSha256Hex, type ReadCheckpoint, signCheckpoint } from './checkpoint.ts'
import { chainStart, entrySha256, linkHash, toCommitments } from './entry.ts'
import { checkpointReplica } from './replica.ts'
import {
  type ChainEnd,
  chainEnds,
  type Link,
  loadChainEnds,
  loadWaitingEntries,
  lockChains,
  newestCheckpoint,
  saveLinks,
  takeFootageHeads,
  type WaitingEntry,
} from './store.ts'

export interface ChainWriterDeps {
  /** Under the role `sealer`. */
  readonly db: Db
  /** Ed25519, private. */
  readonly signingKey: KeyObject
  /** The checkpoint file; created if missing. */
  readonly file: string
  readonly clock: Clock
}

export interface SignedBatch {
  /** Lines that are in their chain now and were not before. */
  readonly sealed: number
  readonly accountIds: readonly string[]
  /** The position behind which the next batch begins; or that no more entries wait, or that another signer is at work. */
  readonly next: number | 'none' | 'busy'
}

export interface ChainWriter {
  /** Seals the next lines that wait behind that position; 0 is the front. */
  sealBatch(after: number): Promise<SignedBatch>
  /** Signs the ends of the chains and lists of footage that grew since the last time; false if none did, or another signer is running. */
  checkpoint(): Promise<boolean>
  /** Appends the database's missing checkpoints to the file. Throws if it can't be written. */
  writeFile(): Promise<void>
}

/** This number at a time keeps memory and transactions small; twice as many aren't signed any faster. */
const BATCH = 500
const nothing = (next: SignedBatch['next']): SignedBatch => ({ sealed: 0, accountIds: [], next })

/** Writes chains and checkpoints, one step at a time. Several can work on one database: they take turns. */
export function chainWriter({ db, signingKey, file, clock }: ChainWriterDeps): ChainWriter {
  const second = checkpointReplica(file, publicHalf(signingKey))
  // If the database was restored to an earlier state, the file is ahead: its numbers are never used again.
  let inFile: ReadCheckpoint | undefined
  const readFile = async () => {
    inFile = (await second.newest().catch(() => undefined)) ?? inFile
  }
  const newestOf = async (tx: Tx) => {
    const stored = await newestCheckpoint(tx)
    return inFile !== undefined && inFile.number > (stored?.number ?? 0) ? inFile : stored
  }
  return {
    async sealBatch(after) {
      if (inFile === undefined) await readFile()
      return db.transaction(async (tx) => {
        if (!(await lockChains(tx))) return nothing('busy')
        const lines = await loadWaitingEntries(tx, after, BATCH)
        if (lines.length === 0) return nothing('none')
        const open = lines.filter((line) => line.is_there && !line.is_sealed)
        const accountIds = [...new Set(open.map((line) => String(line.account_id)))]
        const links = linksFor(open, await chainEnds(tx, accountIds))
        const checkpoint = ((await newestOf(tx))?.number ?? 0) + 1
        // An entry removed before it was signed stays in the queue, so that the verifier reports it.
        const positions = lines.filter((line) => line.is_there).map((line) => line.position)
        await saveLinks(tx, { links, checkpoint, positions })
        const next = lines.length < BATCH ? 'none' : (lines.at(-1)?.position ?? 'none')
        return { sealed: links.length, accountIds, next }
      })
    },
    async checkpoint() {
      await readFile()
      return db.transaction(async (tx) => {
        if (!(await lockChains(tx))) return false
        const stored = await newestCheckpoint(tx)
        const heads = await loadChainEnds(tx, stored?.number ?? 0)
        const at = clock.now()
        const footage = await takeFootageHeads(tx, at)
        if (heads.length + footage.length === 0) return false
        const before = await newestOf(tx)
        const number = (before?.number ?? 0) + 1
        const content = { number, at, previous: lineSha256Hex(before?.line), heads: heads.map(toHead), footage }
        const line = signCheckpoint(content, signingKey)
        await tx
          .insertInto('audit_checkpoints')
          .values({ number, at: instant(at), line })
          .execute()
        return true
      })
    },
    writeFile: () =>
      db.transaction(async (tx) => {
        if (await lockChains(tx)) await second.catchUp(tx)
      }),
  }
}

const toHead = ({ account_id, sequence, hash }: ChainEnd): Head => [Number(account_id), sequence, hash.toString('hex')]

/** The chains extended by these entries, each in the given order. */
function linksFor(lines: readonly WaitingEntry[], ends: readonly ChainEnd[]): readonly Link[] {
  const last = new Map(ends.map(({ account_id, sequence, hash }) => [account_id, { sequence, hash }]))
  return lines.map((line) => {
    const accountId = String(line.account_id)
    const before = last.get(accountId) ?? { sequence: 0, hash: chainStart(accountId) }
    const sequence = before.sequence + 1
    const commitments = toCommitments(line)
    const ofLine = entrySha256(line, commitments)
    const hash = linkHash(before.hash, sequence, ofLine)
    last.set(accountId, { sequence, hash })
    return { accountId, sequence, auditLogId: String(line.audit_log_id), commitments, lineSha256: ofLine, hash }
  })
}
