import { sql } from 'kysely'
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND, repeatEvery } from '../clock/index.ts'
import type { Logger } from '../log/index.ts'
import { type ChainWriter, type ChainWriterDeps, chainWriter, type SignedBatch } from './chain-writer.ts'

export interface SignerDeps extends ChainWriterDeps {
  readonly log: Logger
  /** Monotonic milliseconds; defaults to the process's own. */
  readonly monotonicMs?: () => number
}

/** How far the signer is. */
export interface SignerFigures {
  /** Since this process began. */
  readonly signedEntries: number
  readonly checkpoints: number
  /** When all entries that were there had been signed; milliseconds since 1970. */
  readonly caughtUpAt: EpochMs
}

/** Signs the audit log until disposed, and then the remainder. It never blocks callers and survives every failure. */
export interface AuditSigner extends AsyncDisposable {
  figures(): SignerFigures
  /** Unsigned entries; undefined if the database doesn't answer. */
  unsignedEntries(): Promise<number | undefined>
  /** One sentence for each problem that prevents signing or checkpoints. */
  problems(): readonly string[]
}

const SEAL_MS = MS_PER_SECOND
/** A checkpoint covers an entry within 10 s: up to a second until it is signed, and one until the next pass. */
const CHECKPOINT_MS = 8 * MS_PER_SECOND
/** How often the file is checked if there is nothing new, because its disk may have been unavailable. */
const IDLE_CHECKPOINT_MS = MS_PER_MINUTE
/** A checkpoint has a line for each chain that grew; this keeps it below about a megabyte. */
const MAX_HEADS = 10_000
/** An orderly stop has 10 s for everything; the rest is signed after the next start. */
const LAST_MS = 3000
/** Log a warning if nothing could be signed for this long. */
const LATE_MS = MS_PER_MINUTE

export function startSigner(deps: SignerDeps): AuditSigner {
  const { clock, log } = deps
  const run = signing(chainWriter(deps), deps)
  const closing = new AbortController()
  const working = repeatEvery(closing.signal, SEAL_MS, () => run.pass(closing.signal))
  return {
    figures: run.done,
    unsignedEntries: () => countUnsigned(deps).catch(() => undefined),
    problems() {
      const lateMs = clock.now() - run.done().caughtUpAt
      const late =
        lateMs > LATE_MS
          ? [`audit log entries have been waiting for ${Math.round(lateMs / MS_PER_SECOND)} s: see the log`]
          : []
      return [...late, ...run.fileProblem()]
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await working
      await run.pass(AbortSignal.timeout(LAST_MS))
      await run.checkpoint()
      log.debug(run.done(), 'audit log entries added to the chain')
    },
  }
}

function signing(writer: ChainWriter, { clock, log, monotonicMs = () => performance.now() }: SignerDeps) {
  let [signedEntries, checkpoints, caughtUpAt] = [0, 0, clock.now()]
  let signedAt = Number.NEGATIVE_INFINITY
  let failing: string | undefined
  let fileProblem: string | undefined
  const changed = new Set<string>()

  const isCheckpointDue = (): boolean => {
    const age = monotonicMs() - signedAt
    return changed.size >= MAX_HEADS || age >= (changed.size > 0 ? CHECKPOINT_MS : IDLE_CHECKPOINT_MS)
  }
  const sealAll = async (signal: AbortSignal): Promise<void> => {
    for (let after: SignedBatch['next'] = 0; typeof after === 'number' && !signal.aborted; ) {
      const batch = await writer.sealBatch(after)
      after = batch.next
      signedEntries += batch.sealed
      for (const accountId of batch.accountIds) changed.add(accountId)
      if (isCheckpointDue()) await sign()
      if (after === 'none') caughtUpAt = clock.now()
    }
  }
  const sign = async (): Promise<void> => {
    signedAt = monotonicMs()
    if (await writer.checkpoint()) checkpoints += 1
    changed.clear()
    // Also without new entries: the file's disk may have been unavailable.
    const problem = await writer.writeFile().then(() => undefined, messageOf)
    if (problem !== undefined && fileProblem === undefined) {
      log.error({ reason: problem }, 'could not write audit log checkpoints to their file')
    }
    fileProblem = problem
  }
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      if (failing !== undefined) log.info('sealing the audit log works again')
      failing = undefined
    } catch (error) {
      if (failing === undefined) log.warn({ err: error }, 'could not seal the audit log; retrying')
      failing = messageOf(error)
    }
  }
  return {
    pass: (signal: AbortSignal) => guarded(() => sealAll(signal)),
    checkpoint: () => guarded(sign),
    done: () => ({ signedEntries, checkpoints, caughtUpAt }),
    fileProblem: (): readonly string[] =>
      fileProblem === undefined ? [] : [`could not write audit log checkpoints: ${fileProblem}`],
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function countUnsigned({ db }: Pick<SignerDeps, 'db'>): Promise<number> {
  const { rows } = await sql<{ lines: number }>`select count(*) as lines from audit_unsealed`.execute(db.plain)
  return rows[0]?.lines ?? 0
}
