/** Deletes segments so that every deletion has its line in the manifest, whatever ends the process meanwhile. */
import { rm } from 'node:fs/promises'
import { takeFromBucketList } from './bucket-list.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { Manifest, type SegmentEntry, type Tombstone } from './manifest.ts'
import type { DeletedRange, DeletionReason, RunLog, StreamKey } from './run-log.ts'
import type { Id128 } from './segment-layout.ts'
import { type Hour, type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'
import type { SyncGroup } from './sync-group.ts'

export interface DoomedSegment {
  readonly name: SegmentName
  readonly reason: DeletionReason
  /** What is deleted of it, milliseconds since 1970. */
  readonly start: number
  readonly end: number
  /** By how much less there is. */
  readonly bytes: number
  /** Of its line in the manifest; empty if it has none. */
  readonly sha256: string
  /** Lines of the segments that contain the rest, and whether the manifest has them already. */
  readonly successors?: readonly { readonly line: SegmentEntry; readonly isListed: boolean }[]
  /** Set if its tombstone is in the manifest already, because the process was killed before the file was deleted. */
  readonly isEntombed?: boolean
}

export interface RemovalOptions {
  readonly store: string
  readonly stream: StreamKey
  readonly group: SyncGroup
  readonly runs: RunLog
  readonly reserve: DiskReserve
  /** Who: `system`, or the number of a user. */
  readonly by: string
  readonly now: () => number
}

/**
 * Writes the lines of successors and the tombstones, syncs them, deletes the files and tells the log of runs. Rejects if
 * the disk fails; a later call continues.
 */
export async function removeSegments(doomed: readonly DoomedSegment[], options: RemovalOptions): Promise<void> {
  if (doomed.length === 0) return
  const { store, stream, group, runs } = options
  const folder = streamFolder(store, stream)
  let failure: unknown
  await using manifest = await Manifest.open({ store, stream, group, failed: (cause) => (failure = cause) })
  for (const segment of doomed) await writeLines(segment, manifest, options)
  await group.flush()
  if (failure !== undefined) throw new Error(`could not write tombstones of ${folder} to disk`, { cause: failure })
  for (const { name } of doomed) await rm(segmentPath(folder, name), { force: true })
  for (const [hour, gone] of Map.groupBy(doomed, ({ name }) => toHour(name.start))) {
    await takeFromBucketList(folder, hour, new Set(gone.map(({ name }) => name.segmentId)))
  }
  runs.deleted(stream, joinDeletions(doomed))
}

async function writeLines(
  { name, reason, start, end, bytes, sha256, successors = [], isEntombed }: DoomedSegment,
  manifest: Manifest,
  { by, now, reserve }: RemovalOptions,
): Promise<void> {
  if (isEntombed === true) return
  for (const { line, isListed } of successors) {
    if (!isListed) await append(line, { manifest, hour: toHour(line.start), reserve })
  }
  const ids: readonly Id128[] = successors.map(({ line }) => line.segmentId)
  const tombstone = { segmentId: name.segmentId, reason, by, at: now(), sha256, start, end, bytes } as const
  const entry = ids.length === 0 ? tombstone : { ...tombstone, successors: ids }
  await append(entry, { manifest, hour: toHour(now()), reserve })
}

/** If the disk has no space even for this line, the reserve frees some. */
async function append(
  entry: Tombstone | SegmentEntry,
  { manifest, hour, reserve }: { manifest: Manifest; hour: Hour; reserve: DiskReserve },
): Promise<void> {
  for (;;) {
    try {
      return await manifest.append(entry, hour)
    } catch (cause) {
      if (!(await reserve.release())) throw cause
    }
  }
}

/** Deletions that follow each other make one range. */
export function joinDeletions(
  doomed: readonly Pick<DoomedSegment, 'reason' | 'start' | 'end' | 'bytes'>[],
): readonly DeletedRange[] {
  const ranges: DeletedRange[] = []
  for (const { start, end, bytes, reason } of doomed) {
    const last = ranges.at(-1)
    if (last?.reason === reason && Math.abs(start - last.end) <= ADJOINING_MS) {
      ranges[ranges.length - 1] = { ...last, end, bytes: last.bytes + bytes }
    } else {
      ranges.push({ reason, start, end, bytes })
    }
  }
  return ranges
}

const ADJOINING_MS = 1000
