/** Deletes what a user wants deleted: a range of one stream, to the part. */
import { isTombstone, readManifest, type SegmentEntry, type Tombstone } from './manifest.ts'
import { type DoomedSegment, type RemovalOptions, removeSegments } from './removal.ts'
import { writeExcerpt } from './segment-excerpt.ts'
import { onDisk, type SegmentFiles } from './segment-file.ts'
import { listHours, listSegments } from './segment-files.ts'
import type { IndexedPart } from './segment-layout.ts'
import { type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'
import { type KeyFinder, NotASegment, SegmentReader } from './segment-reader.ts'
import type { TimeRange } from './time-range.ts'

/** Still being written, or just written: nobody can have looked at it and decided. */
const NEWEST_MS = 15 * 60_000
/** A segment that nothing says more about than its name. */
const USUAL_SEGMENT_MS = 60_000

export type DenyReason = 'locked' | 'tooNew'

export interface RangeDeletionOptions extends RemovalOptions {
  readonly locks: readonly TimeRange[]
  readonly keys: KeyFinder | undefined
  /** Where segments are; on the disk by default. */
  readonly files?: SegmentFiles | undefined
}

const meets = (a: TimeRange, b: TimeRange): boolean => a.start < b.end && b.start < a.end

/** Why a range can't be deleted; undefined if it can. */
export function findDenyReason(
  range: TimeRange,
  { locks, now }: Pick<RangeDeletionOptions, 'locks' | 'now'>,
): DenyReason | undefined {
  if (range.end > now() - NEWEST_MS) return 'tooNew'
  return locks.some((lock) => meets(lock, range)) ? 'locked' : undefined
}

/**
 * Deletes a range that {@link findDenyReason} allows. Segments inside it go; of those at its edges the other parts are kept in
 * new segments. A picture that can't be decoded without a deleted one goes too, up to the next key picture, unless it is
 * locked: then its group of pictures stays. May be repeated after a crash; what was done is not done twice. Rejects if the disk
 * fails, or if the key of a segment that must be cut isn't there.
 */
export async function deleteRange(range: TimeRange, options: RangeDeletionOptions): Promise<void> {
  const folder = streamFolder(options.store, options.stream)
  const listed = await listedAround(folder, range)
  const doomed: DoomedSegment[] = []
  for (const name of listed.names) {
    const one = await examine(name, { folder, range, options, listed })
    if (one !== undefined) doomed.push(one)
  }
  await removeSegments(doomed, options)
}

interface Listed {
  readonly names: readonly SegmentName[]
  readonly lines: ReadonlyMap<string, SegmentEntry>
  /** Segments with a tombstone, which were not deleted yet if they are among the names. */
  readonly entombed: ReadonlyMap<string, Tombstone>
}

/** The segments that may reach into the range. Tombstones are in the manifests of the hours of their deletion. */
async function listedAround(folder: string, range: TimeRange): Promise<Listed> {
  const names: SegmentName[] = []
  const lines = new Map<string, SegmentEntry>()
  const entombed = new Map<string, Tombstone>()
  // A segment of the hour before may reach into this one.
  for await (const hour of listHours(folder, toHour(range.start) - 1)) {
    if (hour <= toHour(range.end)) names.push(...(await listSegments(folder, hour)))
    for (const { entry } of await readManifest(folder, hour)) {
      if (isTombstone(entry)) entombed.set(entry.segmentId, entry)
      else lines.set(entry.segmentId, entry)
    }
  }
  return { names, lines, entombed }
}

interface Context {
  readonly folder: string
  readonly range: TimeRange
  readonly options: RangeDeletionOptions
  readonly listed: Listed
}

/** What is to be done with one segment; undefined: nothing. */
async function examine(name: SegmentName, context: Context): Promise<DoomedSegment | undefined> {
  const { folder, range, options, listed } = context
  const path = segmentPath(folder, name)
  const line = listed.lines.get(name.segmentId)
  const tombstone = listed.entombed.get(name.segmentId)
  const whole = { name, reason: 'user', sha256: line?.sha256 ?? '' } as const
  const known = { start: name.start, end: line?.end ?? name.start + USUAL_SEGMENT_MS }
  if (!meets(known, range)) return undefined
  const { files = onDisk } = options
  const bytes = await sizeOf(path, files)
  if (bytes === undefined) return undefined
  if (tombstone !== undefined) {
    const { start = known.start, end = known.end } = tombstone
    return { ...whole, start, end, bytes: tombstone.bytes ?? bytes, isEntombed: true }
  }
  try {
    await using source = await SegmentReader.openWithoutKey(path, files)
    const cut = findCut(source.parts, range, options.locks)
    if (cut === undefined) return undefined
    const { from, till, ...removed } = cut
    const count = source.parts.length
    if (from === 0 && till === count) return { ...whole, ...removed, bytes }
    return { ...whole, ...(await cutOut(path, cut, context)), start: removed.start, end: removed.end }
  } catch (cause) {
    // Nothing in it can be kept, because nothing can be read.
    if (cause instanceof NotASegment) return { ...whole, ...known, bytes }
    throw cause
  }
}

/** Undefined if it is gone. */
async function sizeOf(path: string, files: SegmentFiles): Promise<number | undefined> {
  try {
    await using file = await files.open(path)
    return await file.size()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

interface Cut extends TimeRange {
  /** Numbers of the parts that go; `till` is not included. */
  readonly from: number
  readonly till: number
}

/** Which parts of a segment go; undefined if none does. */
function findCut(parts: readonly IndexedPart[], range: TimeRange, locks: readonly TimeRange[]): Cut | undefined {
  const timeOf = (index: number): TimeRange => ({ start: parts[index]?.wallClock ?? 0, end: endOf(parts, index) })
  const from = parts.findIndex((_, index) => meets(timeOf(index), range))
  if (from === -1) return undefined
  const last = parts.findLastIndex((_, index) => meets(timeOf(index), range))
  let till = last + 1
  while (till < parts.length && parts[till]?.isKey !== true) till++
  const isLocked = parts.slice(from, till).some((_, index) => locks.some((lock) => meets(lock, timeOf(from + index))))
  if (isLocked) till = parts.findLastIndex((part, index) => part.isKey && index <= last)
  if (till <= from) return undefined
  return { from, till, start: timeOf(from).start, end: timeOf(till - 1).end }
}

/** Parts adjoin; the last one has its duration. */
function endOf(parts: readonly IndexedPart[], index: number): number {
  const part = parts[index]
  if (part === undefined) return 0
  return parts[index + 1]?.wallClock ?? part.wallClock + Math.round(part.duration / TICKS_PER_MS)
}

const TICKS_PER_MS = 90

async function cutOut(
  path: string,
  { from, till }: Cut,
  { folder, options: { keys, group, files }, listed }: Context,
): Promise<Required<Pick<DoomedSegment, 'successors' | 'bytes'>>> {
  await using source = await SegmentReader.open(path, keys, files)
  const successors: { line: SegmentEntry; isListed: boolean }[] = []
  const keep = async (first: number, end: number, why: SegmentEntry['why']) => {
    if (first >= end) return
    const line = await writeExcerpt({ folder, source, from: first, till: end, end: why, keys, group })
    successors.push({ line, isListed: listed.lines.has(line.segmentId) })
  }
  await keep(0, from, 'deleted')
  await keep(till, source.parts.length, source.end ?? 'rotation')
  const bytes = source.parts.slice(from, till).reduce((sum, part) => sum + part.bytes, 0)
  return { successors, bytes }
}
