import { type Db, instant, type Tx } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { SpansToSum, sumDays } from './day-sums-store.ts'
import type { DeletedRange, FinishedSlice, RunEnd, RunLog, RunSlice, StreamKey } from './run-log.ts'

/** Rows are written together, so that hundreds of cameras cost one statement a second. */
const WRITE_AFTER_MS = 1000
const RETRY_AFTER_MS = 5000
/** Rows in one statement. */
const BATCH = 500
/** A row is one hour and one part long at most. */
const LONGEST_ROW_MS = 2 * 3_600_000

/** Replaces a run's id if there is no run: the row has no duration and says why no footage follows it. */
const NO_RUN = '0'.repeat(32)

interface Row extends RunSlice {
  readonly isOpen: boolean
  readonly why: RunEnd | undefined
}

interface Deletion {
  readonly stream: StreamKey
  readonly ranges: readonly DeletedRange[]
}

const keyOf = ({ accountId, cameraId, stream, runId, start }: RunSlice): string =>
  `${accountId}/${cameraId}/${stream}/${runId}/${start}`

const isSameStream = (a: StreamKey, b: StreamKey): boolean =>
  a.cameraId === b.cameraId && a.stream === b.stream && a.accountId === b.accountId

/**
 * The run log in table `recording_runs`. Rows that the database doesn't accept wait, with the newest state of each
 * slice, and are retried; rows lost with the process are recovered from the files at the next start.
 */
export function databaseRunLog(db: Db, log: Logger): RunLog & AsyncDisposable {
  return new DatabaseRunLog(db, log)
}

class DatabaseRunLog implements RunLog, AsyncDisposable {
  readonly #db: Db
  readonly #log: Logger
  #rows = new Map<string, Row>()
  #deletions: Deletion[] = []
  /** Growing slices whose beginning was deleted: the reported length is shorter than their own. */
  readonly #shortened = new Map<string, { start: number; bytes: number }>()
  readonly #open = new Map<string, RunSlice>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  runStarted(slice: RunSlice): void {
    this.#note({ ...slice, isOpen: true, why: undefined })
  }

  runGrew(slice: RunSlice): void {
    this.#note({ ...slice, isOpen: true, why: undefined })
  }

  runEnded(slice: RunSlice, why: RunEnd | undefined): void {
    this.#note({ ...slice, isOpen: false, why })
  }

  notRecorded(stream: StreamKey, from: number, why: RunEnd): void {
    const nothing = { runId: NO_RUN, kind: 'continuous', start: from, end: from, bytes: 0, parts: 0 } as const
    this.#note({ ...stream, ...nothing, isOpen: false, why })
  }

  deleted(stream: StreamKey, ranges: readonly DeletedRange[]): void {
    for (const [key, slice] of this.#open) {
      if (!isSameStream(stream, slice)) continue
      for (const range of ranges) {
        const { start, bytes } = this.#shortened.get(key) ?? { start: slice.start, bytes: 0 }
        if (range.start <= start && start < range.end) {
          this.#shortened.set(key, { start: range.end, bytes: bytes + range.bytes })
        }
      }
    }
    this.#deletions.push({ stream, ranges })
    this.#schedule(WRITE_AFTER_MS)
  }

  async knownUntil({ accountId, cameraId, stream }: StreamKey): Promise<number | undefined> {
    await this.#flush()
    const rows = this.#db.plain
      .selectFrom('recording_runs')
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .where('stream', '=', stream)
      .where('run_id', '!=', NO_RUN)
    const open = await rows
      .where('is_open', '=', true)
      .select((eb) => eb.fn.min('started_at').as('start'))
      .executeTakeFirst()
    if (typeof open?.start === 'number') return open.start
    const last = await rows.select('started_at').orderBy('started_at', 'desc').limit(1).executeTakeFirst()
    if (last === undefined) return undefined
    const end = await rows
      .where('started_at', '>=', instant(last.started_at - LONGEST_ROW_MS))
      .select((eb) => eb.fn.max('ended_at').as('at'))
      .executeTakeFirst()
    return end?.at ?? undefined
  }

  async replace(stream: StreamKey, from: number, slices: readonly FinishedSlice[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const spans = new SpansToSum()
      const locked = await takeOut(tx, stream, from)
      const isLocked = (slice: RunSlice) => locked.some((range) => range.start < slice.end && slice.start < range.end)
      for (let at = 0; at < slices.length; at += BATCH) {
        const batch = slices.slice(at, at + BATCH)
        await insert(
          tx,
          batch.map((slice) => ({ ...valuesOf({ ...slice, isOpen: false }), locked: isLocked(slice) })),
        )
      }
      // Files of the time before may be new to the log.
      const first = slices.reduce((earliest, { start }) => Math.min(earliest, start), from)
      spans.add(stream, { start: first, end: Number.POSITIVE_INFINITY })
      await sumDays(tx, spans)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    await this.#flush()
  }

  #note(row: Row): void {
    const key = keyOf(row)
    this.#open.set(key, row)
    this.#rows.set(key, row)
    this.#schedule(WRITE_AFTER_MS)
  }

  /** The recorder still identifies a shortened slice by its original start. */
  #asKept(key: string, row: Row): Row {
    const { start, bytes } = this.#shortened.get(key) ?? { start: row.start, bytes: 0 }
    return { ...row, start, bytes: Math.max(row.bytes - bytes, 0) }
  }

  #schedule(afterMs: number): void {
    if (this.#isStopping) return
    this.#timer ??= setTimeout(() => void this.#flush(), afterMs)
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const rows = this.#rows
    const deletions = this.#deletions
    if (rows.size === 0 && deletions.length === 0) return
    this.#rows = new Map()
    this.#deletions = []
    try {
      await this.#db.transaction(async (tx) => {
        const spans = new SpansToSum()
        // Deletions come first: the rows that follow are already without what was deleted.
        for (const deletion of deletions) {
          await applyDeletion(tx, deletion)
          for (const range of deletion.ranges) spans.add(deletion.stream, range)
        }
        // A slice that was deleted as a whole has no row until it grows again.
        const kept = [...rows].map(([key, row]) => this.#asKept(key, row)).filter((row) => row.start <= row.end)
        const all = kept.map(valuesOf)
        for (let at = 0; at < all.length; at += BATCH) await insert(tx, all.slice(at, at + BATCH))
        for (const row of kept) if (!row.isOpen) spans.add(row, row)
        await sumDays(tx, spans)
      })
      this.#forgetEnded(rows)
    } catch (err) {
      this.#log.warn({ err, rows: rows.size }, 'could not write recording times to the database; retrying')
      this.#rows = new Map([...rows, ...this.#rows])
      this.#deletions = [...deletions, ...this.#deletions]
      this.#schedule(RETRY_AFTER_MS)
    }
  }

  #forgetEnded(rows: ReadonlyMap<string, Row>): void {
    for (const [key, { isOpen }] of rows) {
      if (isOpen) continue
      this.#open.delete(key)
      this.#shortened.delete(key)
    }
  }
}

const valuesOf = (row: Row) => ({
  account_id: row.accountId,
  camera_id: row.cameraId,
  stream: row.stream,
  run_id: row.runId,
  started_at: instant(row.start),
  ended_at: instant(row.end),
  is_open: row.isOpen,
  kind: row.kind,
  bytes: row.bytes,
  end_reason: row.why ?? null,
})

async function insert(tx: Tx, values: readonly (ReturnType<typeof valuesOf> & { locked?: boolean })[]): Promise<void> {
  if (values.length === 0) return
  await tx
    .insertInto('recording_runs')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'camera_id', 'stream', 'run_id', 'started_at']).doUpdateSet((eb) => ({
        ended_at: eb.ref('excluded.ended_at'),
        is_open: eb.ref('excluded.is_open'),
        bytes: eb.ref('excluded.bytes'),
        end_reason: eb.ref('excluded.end_reason'),
      })),
    )
    .execute()
}

/**
 * Removes the log of footage from `from` on; returns which of it was locked and must stay so. The files can't say why
 * there is no footage, so those rows stay.
 */
async function takeOut(tx: Tx, { accountId, cameraId, stream }: StreamKey, from: number) {
  const rows = await tx
    .deleteFrom('recording_runs')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('stream', '=', stream)
    .where('store', '=', 'disk')
    .where('run_id', '!=', NO_RUN)
    .where('started_at', '>=', instant(from))
    .returning(['started_at', 'ended_at', 'locked'])
    .execute()
  return rows.filter((row) => row.locked).map((row) => ({ start: row.started_at, end: row.ended_at }))
}

/**
 * Slices inside a deleted range are removed; one whose beginning was deleted begins later, with its bytes in
 * proportion.
 */
async function applyDeletion(tx: Tx, { stream: { accountId, cameraId, stream }, ranges }: Deletion): Promise<void> {
  for (const range of ranges) {
    await tx
      .deleteFrom('recording_runs')
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .where('stream', '=', stream)
      .where('store', '=', 'disk')
      .where('started_at', '>=', instant(range.start))
      .where('ended_at', '<=', instant(range.end))
      .execute()
    await tx
      .updateTable('recording_runs')
      .set((eb) => ({
        started_at: instant(range.end),
        bytes: eb.fn<number>('greatest', [eb('bytes', '-', range.bytes), eb.lit(0)]),
      }))
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .where('stream', '=', stream)
      .where('store', '=', 'disk')
      .where('started_at', '>=', instant(range.start))
      .where('started_at', '<', instant(range.end))
      .where('ended_at', '>', instant(range.end))
      .execute()
  }
}
