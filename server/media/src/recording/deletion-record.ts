/** What the tombstones of a stream say was deleted, for the ledger in the database. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { takeFromBucketList } from './bucket-list.ts'
import { readNewTombstones, type Tombstone } from './manifest.ts'
import { joinDeletions } from './removal.ts'
import type { DeletedRange, DeletionReason, RunLog, StreamKey } from './run-log.ts'
import { listSegments } from './segment-files.ts'
import { HOUR_MS, segmentPath, streamFolder, toHour } from './segment-name.ts'

/** Deletions that belong together: one range, one reason, one user. Times in milliseconds since 1970. */
export interface DeletionRecord extends DeletedRange {
  readonly segments: number
  /** SHA-256 over the hashes of the deleted files, oldest first; 64 hexadecimal digits. */
  readonly sha256: string
  /** Of the last tombstone's line in the chain; the next record begins after it. */
  readonly chainHash: string
  /** Who: `system`, or the number of a user. */
  readonly by: string
  readonly at: number
}

/** Where the ledger ends for a stream; undefined: it has nothing of it. */
export interface LedgerEnd {
  readonly chainHash: string
  readonly at: number
}

/** So much before the ledger's end, or before now, is looked for tombstones: the database may have been away. */
const LOOK_BACK_HOURS = 48

interface Unrecorded {
  readonly store: string
  readonly stream: StreamKey
  readonly end: LedgerEnd | undefined
  readonly now: number
}

/** The deletions of a stream that the ledger doesn't have, in the order in which they happened. */
export async function unrecordedDeletions({ store, stream, end, now }: Unrecorded): Promise<readonly DeletionRecord[]> {
  const from = toHour(end?.at ?? now) - LOOK_BACK_HOURS
  const found = await readNewTombstones(streamFolder(store, stream), { hash: end?.chainHash, from })
  const records: DeletionRecord[] = []
  let group: Dated[] = []
  for (const tombstone of found) {
    if (!isDated(tombstone)) continue
    if (group.length > 0 && !belongs(tombstone, group)) records.push(recordOf(group.splice(0)))
    group = [...group, tombstone]
  }
  return group.length === 0 ? records : [...records, recordOf(group)]
}

type Dated = Tombstone & { readonly hash: string; readonly start: number; readonly end: number; readonly bytes: number }

/** Those of earlier versions don't say what was deleted. */
const isDated = (tombstone: Tombstone & { readonly hash: string }): tombstone is Dated =>
  tombstone.start !== undefined && tombstone.end !== undefined && tombstone.bytes !== undefined

function belongs(tombstone: Dated, group: readonly Dated[]): boolean {
  const last = group.at(-1)
  return last?.by === tombstone.by && joinDeletions([...group.slice(-1), tombstone]).length === 1
}

function recordOf(group: readonly Dated[]): DeletionRecord {
  const [first, last] = [group[0] as Dated, group.at(-1) as Dated]
  const hash = createHash('sha256')
  for (const { sha256 } of group) hash.update(Buffer.from(sha256, 'hex'))
  return {
    reason: first.reason satisfies DeletionReason,
    start: first.start,
    end: last.end,
    bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
    segments: group.length,
    sha256: hash.digest('hex'),
    chainHash: last.hash,
    by: first.by,
    at: last.at,
  }
}

/** Deletes what a crash left of files whose tombstones were written, and tells the log of runs once more. */
export async function finishDeletions(
  { store, stream }: Pick<Unrecorded, 'store' | 'stream'>,
  { end, now }: Pick<Unrecorded, 'end' | 'now'>,
  runs: RunLog,
): Promise<void> {
  const folder = streamFolder(store, stream)
  const from = toHour(end?.at ?? now) - LOOK_BACK_HOURS
  const dated = (await readNewTombstones(folder, { hash: end?.chainHash, from })).filter(isDated)
  const ids: ReadonlySet<string> = new Set(dated.map(({ segmentId }) => segmentId))
  // A tombstone of a part of a segment has a later start than the file.
  const hours = new Set(dated.flatMap(({ start }) => [toHour(start) - 1, toHour(start)]))
  for (const hour of hours) {
    for (const name of await listSegments(folder, hour)) {
      if (ids.has(name.segmentId)) await rm(segmentPath(folder, name), { force: true })
    }
    await takeFromBucketList(folder, hour, ids)
  }
  if (dated.length > 0) runs.deleted(stream, joinDeletions(dated.toSorted((a, b) => a.start - b.start)))
}

/** A ledger is brought up to date so often; a deletion that somebody asked for at once. */
export const RECORD_EVERY_MS = HOUR_MS
