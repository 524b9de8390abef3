/** The lines of a list of footage that prove some of its segments to someone who has only these lines and a signature. */
import { readHeadFile, readHourHead } from './head-file.ts'
import { isSegmentEntry, readPlacedLines, type SegmentEntry } from './manifest.ts'
import { listHours } from './segment-files.ts'
import type { Id128 } from './segment-layout.ts'
import type { Hour } from './segment-name.ts'
import { readHead } from './signed-head.ts'

export interface SignedList {
  /** Lines that follow each other, the last of which was signed; none if no line of the segments was signed yet. */
  readonly lines: readonly string[]
  /** The signed head that names the last line. */
  readonly signedHead: string | undefined
  /** Where the segments' own lines are in `lines`; those that weren't signed yet are missing. */
  readonly lineOf: ReadonlyMap<Id128, number>
  /** All segments on the list from the hour on that was asked for, those that were deleted since included. */
  readonly entries: readonly SegmentEntry[]
}

interface ListedLine {
  readonly text: string
  readonly prev: string
  readonly entry: SegmentEntry | undefined
}

/** About a month of a camera: footage that was recorded before heads of hours were kept may need so many. */
const MAX_LINES = 45_000

/**
 * @param folder of the stream.
 * @param wanted the segments to be proved, and an hour before which none of them begins.
 */
export async function readSignedList(
  folder: string,
  { segmentIds, from }: { readonly segmentIds: ReadonlySet<Id128>; readonly from: Hour },
): Promise<SignedList> {
  const lines = new Map<string, ListedLine>()
  const missing = new Set(segmentIds)
  const entries: SegmentEntry[] = []
  for await (const hour of listHours(folder, from)) {
    for (const [hash, line] of await linesOf(folder, hour)) {
      lines.set(hash, line)
      if (line.entry === undefined) continue
      entries.push(line.entry)
      missing.delete(line.entry.segmentId)
    }
    if (lines.size > MAX_LINES) break
    if (missing.size > 0) continue
    const found = leadingTo(await readHourHead(folder, hour), lines, segmentIds)
    if (found.isComplete) return { ...found, entries }
  }
  return { ...leadingTo(await readHeadFile(folder), lines, segmentIds), entries }
}

async function linesOf(folder: string, hour: Hour): Promise<readonly (readonly [hash: string, ListedLine])[]> {
  const placed = await readPlacedLines(folder, hour)
  return placed.flatMap(({ chained, text }) => {
    if (chained === undefined) return []
    const entry = isSegmentEntry(chained.entry) ? chained.entry : undefined
    return [[chained.hash, { text, prev: chained.prev, entry }] as const]
  })
}

/** The lines from the first segment's to a signed one. */
function leadingTo(
  headLine: string | undefined,
  lines: ReadonlyMap<string, ListedLine>,
  segmentIds: ReadonlySet<Id128>,
): Omit<SignedList, 'entries'> & { readonly isComplete: boolean } {
  const back: ListedLine[] = []
  let first = 0
  let found = 0
  const head = headLine === undefined ? undefined : readHead(headLine)
  for (let at = lines.get(head?.hash ?? ''); at !== undefined && found < segmentIds.size; at = lines.get(at.prev)) {
    back.push(at)
    if (at.entry === undefined || !segmentIds.has(at.entry.segmentId)) continue
    found++
    first = back.length
  }
  const list = back.slice(0, first).toReversed()
  const lineOf = new Map<Id128, number>()
  for (const [index, { entry }] of list.entries())
    if (entry?.contentRoot !== undefined && segmentIds.has(entry.segmentId)) lineOf.set(entry.segmentId, index)
  const signedHead = list.length === 0 ? undefined : headLine
  return { lines: list.map(({ text }) => text), signedHead, lineOf, isComplete: found === segmentIds.size }
}
