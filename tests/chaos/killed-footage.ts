/** What is left of the footage of a product that was killed, and what is missing. */
import type { Db } from '@sightline/platform/db'
import { type ApiCaller, loadTimeline } from './demo-cameras.ts'
import { decodeSegment, picturesInSegment, type SegmentOnDisk } from './footage-on-disk.ts'
import { type StoredRun, storedRuns } from './product-database.ts'

/** The simulator's epoch: it sends picture `n` this plus `n` 25ths of a second. */
const EPOCH = Date.UTC(2026, 0, 1)
export const PICTURE_MS = 40
/** A gap that begins this close to a kill belongs to it; an early flush makes footage seem a little longer than it is. */
const AROUND_MS = 2000

/** One camera's footage at one kill. */
export interface FootageFound {
  readonly kill: number
  readonly cameraId: number
  /** Pictures that a viewer saw live. */
  readonly seen: number
  /** Pictures seen but not recorded: how many at the end, and which before that. */
  readonly lostAtEnd: number
  readonly lostBefore: readonly number[]
  /** Time between the last recorded picture and the kill, by the numbers in the pictures. */
  readonly lostMs: number
  readonly pictures: number
  readonly complaints: string
  /** Numbers that are unreadable or not larger than the previous one. */
  readonly wrongNumbers: number
  /** Gaps around the kill; times in milliseconds relative to it. */
  readonly gaps: readonly { readonly from: number; readonly till: number; readonly reason: string }[]
}

export interface RunsFound {
  readonly inFiles: readonly Omit<StoredRun, 'why'>[]
  readonly inDatabase: readonly Omit<StoredRun, 'why'>[]
}

interface KilledCamera {
  readonly kill: number
  readonly cameraId: number
  /** Its new segments. */
  readonly own: readonly SegmentOnDisk[]
  /** The pictures that a viewer saw. */
  readonly watched: readonly string[]
  readonly killedAt: number
  /** Reads its timeline. */
  readonly caller: ApiCaller
}

/** Compares what a viewer saw of a camera until a kill with what is recorded. */
export async function judgeCamera(found: KilledCamera): Promise<FootageFound> {
  const { kill, cameraId, own, watched, killedAt, caller } = found
  const recorded = new Set<string>()
  const numbers: (number | undefined)[] = []
  let complaints = ''
  for (const { path } of own) {
    for (const picture of await picturesInSegment(path)) recorded.add(picture)
    const decoded = await decodeSegment(path)
    numbers.push(...decoded.counters)
    complaints += decoded.complaints
  }
  const kept = watched.findLastIndex((picture) => recorded.has(picture)) + 1
  const isMissing = (picture: string, index: number) => index < kept && !recorded.has(picture)
  return {
    kill,
    cameraId,
    seen: watched.length,
    lostAtEnd: watched.length - kept,
    lostBefore: watched.flatMap((picture, index) => (isMissing(picture, index) ? [index] : [])),
    lostMs: killedAt - (EPOCH + ((numbers.at(-1) ?? 0) + 1) * PICTURE_MS),
    pictures: numbers.length,
    complaints,
    wrongNumbers: numbers.filter((number, index) => !(Number(number) > (numbers[index - 1] ?? -1))).length,
    gaps: await gapsAround(cameraId, killedAt, caller),
  }
}

async function gapsAround(cameraId: number, killedAt: number, caller: ApiCaller): Promise<FootageFound['gaps']> {
  const question = { cameraId, from: killedAt - AROUND_MS, till: Date.now() }
  const { gaps } = await loadTimeline(caller, question)
  return gaps
    .map(({ start, end, reason }) => ({ from: Date.parse(start) - killedAt, till: Date.parse(end) - killedAt, reason }))
    .filter(({ from }) => from < AROUND_MS)
}

/** All runs that kills have ended so far, assembled from the files and as the database has them. */
export async function compareRuns(db: Db, segments: readonly SegmentOnDisk[], killedAt: number): Promise<RunsFound> {
  const inFiles = new Map<string, Omit<StoredRun, 'why'>>()
  for (const { cameraId, runId, start, end, bytes } of segments) {
    const before = inFiles.get(runId)
    inFiles.set(runId, { cameraId, runId, start: before?.start ?? start, end, bytes: (before?.bytes ?? 0) + bytes })
  }
  const inDatabase = [...(await storedRuns(db)).values()].filter((run) => run.start <= killedAt)
  const byId = (a: { runId: string }, b: { runId: string }) => a.runId.localeCompare(b.runId)
  return {
    inFiles: [...inFiles.values()].sort(byId),
    inDatabase: inDatabase.map(({ why: _, ...run }) => run).sort(byId),
  }
}
