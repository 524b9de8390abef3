import { type Db, instant, type Tx } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { readCatalogue, rereadStart } from './catalogue.ts'
import { SpansToSum, sumDays } from './day-sums-store.ts'
import { applyDeletion, NO_RUN, type RunDeletion } from './run-deletions-store.ts'
import type { DeletedRange, FinishedSlice, RunEnd, RunLog, RunSlice, StreamKey } from './run-log.ts'
import { HOUR_MS, streamFolder, toHour } from './segment-name.ts'

/** Rows are written together, so that hundreds of cameras cost one statement a second. */
const WRITE_AFTER_MS = 1000
const RETRY_AFTER_MS = 5000
/** Rows in one statement. */
const BATCH = 500
/** A row is one hour and one part long at most. */
const LONGEST_ROW_MS = 2 * 3_600_000

interface Row extends RunSlice {
  readonly isOpen: boolean
  readonly why: RunEnd | undefined
}

const keyOf = ({ accountId, cameraId, stream, runId, start }: RunSlice): string =>
  `${accountId}/${cameraId}/${stream}/${runId}/${start}`

const isSameStream = (a: StreamKey, b: StreamKey): boolean =>
  a.cameraId === b.cameraId && a.stream === b.stream && a.accountId === b.accountId

/** A stream whose rows were dropped, or are older than its files. */
interface UnreadStream {
  readonly stream: StreamKey
  /** The start of the first row; undefined until the database says what it knows. */
  from: number | undefined
  /** Whether the files are in order. */
  isSettled: boolean
}

export interface RunLogOptions {
  /** Folder of all footage. */
  readonly store: string
  /** The name of its disk; rows of other disks are other machines'. */
  readonly disk?: string
  /** Rows that wait while the database is away; some 400 bytes each. */
  readonly maxWaiting?: number
}

const MAX_WAITING = 50_000

/**
 * The run log in table `recording_runs`. Rows that the database doesn't accept wait, with the newest state of each
 * slice, and are retried. Beyond a number of them the oldest are dropped and later read from the files, as are those
 * lost with the process at the next start.
 */
export function databaseRunLog(db: Db, log: Logger, options: RunLogOptions): RunLog & AsyncDisposable {
  return new DatabaseRunLog(db, log, options)
}

class DatabaseRunLog implements RunLog, AsyncDisposable {
  readonly #db: Db
  readonly #log: Logger
  readonly #options: RunLogOptions & { readonly disk: string }
  #rows = new Map<string, Row>()
  #deletions: readonly RunDeletion[] = []
  /** Streams whose rows are to be read from the files, by their folder. */
  readonly #unread = new Map<string, UnreadStream>()
  /** Growing slices whose beginning was deleted: the reported length is shorter than their own. */
  readonly #shortened = new Map<string, { start: number; bytes: number }>()
  readonly #open = new Map<string, Row>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(db: Db, log: Logger, options: RunLogOptions) {
    this.#db = db
    this.#log = log
    this.#options = { disk: 'disk', ...options }
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
        if (range.end <= start || slice.end <= range.start) continue
        // What remains before the range has a row of its own.
        const before = Math.max(range.start - start, 0) / Math.max(slice.end - start, 1)
        this.#shortened.set(key, {
          start: range.end,
          bytes: bytes + range.bytes + Math.round(before * Math.max(slice.bytes - bytes, 0)),
        })
      }
    }
    this.#deletions = merged(this.#deletions, { stream, ranges })
    this.#schedule(WRITE_AFTER_MS)
  }

  async knownUntil(stream: StreamKey): Promise<number | undefined> {
    await this.#flush()
    return await this.#findEnd(stream)
  }

  readLater(stream: StreamKey, settled: Promise<void>): void {
    const folder = streamFolder(this.#options.store, stream)
    const unread: UnreadStream = { stream, from: undefined, isSettled: false }
    this.#unread.set(folder, unread)
    void settled.then(() => {
      unread.isSettled = true
      this.#schedule(WRITE_AFTER_MS)
    })
  }

  async #findEnd({ accountId, cameraId, stream }: StreamKey): Promise<number | undefined> {
    const rows = this.#db.plain
      .selectFrom('recording_runs')
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .where('stream', '=', stream)
      .where('store', '=', this.#options.disk)
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
      await takeOut(tx, { ...stream, disk: this.#options.disk }, from)
      for (let at = 0; at < slices.length; at += BATCH) {
        const batch = slices.slice(at, at + BATCH)
        await insert(
          tx,
          batch.map((slice) => valuesOf({ ...slice, isOpen: false }, this.#options.disk)),
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
    if (rows.size === 0 && deletions.length === 0 && this.#unread.size === 0) return
    this.#rows = new Map()
    this.#deletions = []
    try {
      // Before new rows hide until when it was reliable.
      for (const unread of this.#unread.values()) unread.from ??= rereadStart(await this.#findEnd(unread.stream))
      await this.#db.transaction((tx) => this.#writeTo(tx, rows, deletions))
      this.#forgetEnded(rows)
    } catch (err) {
      this.#log.warn({ err, rows: rows.size }, 'could not write recording times to the database; retrying')
      this.#rows = new Map([...rows, ...this.#rows])
      this.#deletions = this.#deletions.reduce(merged, deletions)
      this.#dropOldest()
      this.#schedule(RETRY_AFTER_MS)
      return
    }
    await this.#readDropped(rows)
  }

  async #writeTo(tx: Tx, rows: ReadonlyMap<string, Row>, deletions: readonly RunDeletion[]): Promise<void> {
    const spans = new SpansToSum()
    // Deletions come first: the rows that follow are already without what was deleted.
    for (const deletion of deletions) {
      for (const span of await applyDeletion(tx, { ...deletion, disk: this.#options.disk }))
        spans.add(deletion.stream, span)
    }
    // A slice that was deleted as a whole has no row until it grows again.
    const kept = [...rows].map(([key, row]) => this.#asKept(key, row)).filter((row) => row.start <= row.end)
    const slices = kept.filter((row) => row.runId !== NO_RUN)
    await insertAll(tx, slices, this.#options.disk)
    const marks = await placeMarks(
      tx,
      kept.filter((row) => row.runId === NO_RUN),
    )
    await insertAll(tx, marks, this.#options.disk)
    for (const row of [...slices, ...marks]) if (!row.isOpen) spans.add(row, row)
    await sumDays(tx, spans)
  }

  /** Growing slices stay: there is one of each camera. */
  #dropOldest(): void {
    let excess = this.#rows.size - (this.#options.maxWaiting ?? MAX_WAITING)
    for (const [key, row] of excess > 0 ? this.#rows : []) {
      if (excess <= 0) break
      if (row.isOpen) continue
      const { accountId, cameraId, stream, start } = row
      const folder = streamFolder(this.#options.store, row)
      const before = this.#unread.get(folder)
      // One without a beginning reads all that the log doesn't know.
      if (before === undefined)
        this.#unread.set(folder, { stream: { accountId, cameraId, stream }, from: start, isSettled: true })
      else if (before.from !== undefined) before.from = Math.min(before.from, start)
      this.#rows.delete(key)
      this.#open.delete(key)
      this.#shortened.delete(key)
      excess--
    }
  }

  async #readDropped(written: ReadonlyMap<string, Row>): Promise<void> {
    for (const [folder, { stream, from, isSettled }] of [...this.#unread]) {
      if (from === undefined || !isSettled) continue
      try {
        const hour = toHour(from) * HOUR_MS
        await this.replace(stream, hour, await readCatalogue(this.#options.store, stream, hour))
        this.#unread.delete(folder)
      } catch (err) {
        this.#log.warn({ err, ...stream }, 'could not read recording times from the files; retrying')
        return this.#schedule(RETRY_AFTER_MS)
      }
      // The files don't say that a run is still open, and may not have what ended just now.
      for (const [key, row] of [...written, ...this.#open]) if (isSameStream(stream, row)) this.#rows.set(key, row)
      this.#schedule(WRITE_AFTER_MS)
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

const valuesOf = (row: Row, disk: string) => ({
  account_id: row.accountId,
  camera_id: row.cameraId,
  stream: row.stream,
  run_id: row.runId,
  started_at: instant(row.start),
  ended_at: instant(row.end),
  is_open: row.isOpen,
  kind: row.kind,
  origin: row.origin ?? ('camera' as const),
  store: disk,
  bytes: row.bytes,
  end_reason: row.why ?? null,
})

async function insertAll(tx: Tx, rows: readonly Row[], disk: string): Promise<void> {
  const all = rows.map((row) => valuesOf(row, disk))
  for (let at = 0; at < all.length; at += BATCH) await insert(tx, all.slice(at, at + BATCH))
}

/**
 * A mark says why there is no footage after it, so it is never inside footage: a camera's clock may be a few milliseconds
 * ahead, and then a worker that starts again at once notes the absence before the end of the footage.
 */
async function placeMarks(tx: Tx, marks: readonly Row[]): Promise<readonly Row[]> {
  const placed: Row[] = []
  for (const mark of marks) {
    const footage = await tx
      .selectFrom('recording_runs')
      .where('account_id', '=', mark.accountId)
      .where('camera_id', '=', mark.cameraId)
      .where('stream', '=', mark.stream)
      .where('run_id', '!=', NO_RUN)
      .where('is_open', '=', false)
      .where('started_at', '<=', instant(mark.start))
      .where('started_at', '>', instant(mark.start - LONGEST_ROW_MS))
      .where('ended_at', '>', instant(mark.start))
      .select((eb) => eb.fn.max('ended_at').as('end'))
      .executeTakeFirst()
    const at = footage?.end ?? mark.start
    placed.push({ ...mark, start: at, end: at })
  }
  return placed
}

async function insert(tx: Tx, values: readonly ReturnType<typeof valuesOf>[]): Promise<void> {
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

/** Retention deletes a stream minute by minute: ranges that follow each other become one. */
function merged(deletions: readonly RunDeletion[], { stream, ranges }: RunDeletion): readonly RunDeletion[] {
  const before = deletions.find((deletion) => isSameStream(deletion.stream, stream))
  const all = [...(before?.ranges ?? [])]
  for (const range of ranges) {
    const last = all.at(-1)
    const follows = last?.reason === range.reason && Math.abs(range.start - last.end) <= ADJOINING_MS
    if (last === undefined || !follows) all.push(range)
    else all[all.length - 1] = { ...last, end: range.end, bytes: last.bytes + range.bytes }
  }
  return [...deletions.filter((deletion) => deletion !== before), { stream, ranges: all }]
}

const ADJOINING_MS = 1000

/** Removes the log of footage from `from` on. The files can't say why there is no footage, so those rows stay. */
async function takeOut(
  tx: Tx,
  { accountId, cameraId, stream, disk }: StreamKey & { readonly disk: string },
  from: number,
): Promise<void> {
  await tx
    .deleteFrom('recording_runs')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('stream', '=', stream)
    .where('store', '=', disk)
    .where('run_id', '!=', NO_RUN)
    .where('started_at', '>=', instant(from))
    .execute()
}
