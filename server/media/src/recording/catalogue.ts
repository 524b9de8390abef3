/** Runs rebuilt from the lines of the manifests, so that no segment has to be opened. */
import { isTombstone, readManifest, type SegmentEntry } from './manifest.ts'
import type { FinishedSlice, RunEnd, RunLog, RunSlice, StreamKey } from './run-log.ts'
import { sliceByHour } from './run-tracker.ts'
import { hoursBack, listSegments } from './segment-files.ts'
import { toRunEnd } from './segment-layout.ts'
import { HOUR_MS, type Hour, streamFolder, toHour } from './segment-name.ts'

/** The segments that a stream's manifests name and that are still there, oldest first, from an hour on. */
async function listedSegments(
  folder: string,
  from: Hour,
  unlisted: readonly SegmentEntry[],
): Promise<readonly SegmentEntry[]> {
  const lines = new Map(unlisted.map((line) => [line.segmentId, line]))
  const present = new Set<string>()
  for await (const hour of hoursBack(folder)) {
    if (hour < from) break
    for (const { segmentId } of await listSegments(folder, hour)) present.add(segmentId)
    for (const { entry } of await readManifest(folder, hour)) if (!isTombstone(entry)) lines.set(entry.segmentId, entry)
  }
  return [...lines.values()].filter((line) => present.has(line.segmentId)).sort((a, b) => a.start - b.start)
}

/** Two segments of a run that are further apart have lost what was between them. */
const HOLE_MS = 2000

interface Stretch extends RunSlice {
  readonly why: RunEnd | undefined
}

const follows = (stretch: Stretch, line: SegmentEntry): boolean =>
  stretch.runId === line.runId && Math.abs(line.start - stretch.end) <= HOLE_MS

/** Segments in order become runs; a run with a hole in it becomes two. */
function stretchesOf(stream: StreamKey, lines: readonly SegmentEntry[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const line of lines) {
    const at = stretches.findLastIndex((stretch) => follows(stretch, line))
    const before = stretches[at]
    const { runId, kind, start, end, bytes, parts, origin } = line
    const why = toRunEnd(line.why)
    if (before === undefined)
      stretches.push({ ...stream, runId, kind, ...(origin && { origin }), start, end, bytes, parts, why })
    else stretches[at] = { ...before, end, bytes: before.bytes + bytes, parts: before.parts + parts, why }
  }
  return stretches
}

/**
 * The runs in the lines of a manifest, in slices of at most an hour, oldest first. If a run stops without a reason, its
 * end is `disk` if more of it follows, because something in between is missing; otherwise `restart`, because its writer
 * was killed.
 */
function runsOf(stream: StreamKey, lines: readonly SegmentEntry[]): readonly FinishedSlice[] {
  const stretches = stretchesOf(stream, lines)
  return stretches.flatMap(({ why, ...run }, index) => {
    const goesOn = stretches.some((later, at) => at > index && later.runId === run.runId)
    const end = why ?? (goesOn ? 'disk' : 'restart')
    const slices = sliceByHour(run)
    return slices.map((slice, i) => ({ ...slice, why: i === slices.length - 1 ? end : undefined }))
  })
}

/**
 * Like {@link runsOf}, for one stream on disk. `from` in milliseconds since 1970, rounded down to its hour; 0 for
 * everything. `unlisted`: lines that recovery is about to add.
 */
export async function readCatalogue(
  store: string,
  stream: StreamKey,
  from: number,
  unlisted: readonly SegmentEntry[] = [],
): Promise<readonly FinishedSlice[]> {
  // A segment that began in the hour before reaches into this one.
  const lines = await listedSegments(streamFolder(store, stream), toHour(from) - 1, unlisted)
  return runsOf(stream, lines).filter((slice) => toHour(slice.start) >= toHour(from))
}

interface Footage {
  readonly store: string
  readonly stream: StreamKey
  /** Lines that recovery is about to add. */
  readonly unlisted: readonly SegmentEntry[]
}

/** From when on the log is to be read from the files: a little before the time until which it is reliable. */
export const rereadStart = (knownUntil: number | undefined): number =>
  knownUntil === undefined ? 0 : (toHour(knownUntil) - 1) * HOUR_MS

/**
 * Updates the log from the files, or completely if it knows nothing. Call it before the stream is recorded again.
 *
 * @returns false if the log doesn't answer. Rejects if the files can't be read.
 */
export async function reconcile({ store, stream, unlisted }: Footage, runs: RunLog): Promise<boolean> {
  try {
    const from = rereadStart(await runs.knownUntil(stream).catch(away))
    const slices = await readCatalogue(store, stream, from, unlisted)
    await runs.replace(stream, from, slices).catch(away)
    return true
  } catch (error) {
    if (error instanceof LogAway) return false
    throw error
  }
}

class LogAway extends Error {}

const away = (cause: unknown): never => {
  throw new LogAway('the log does not answer', { cause })
}
