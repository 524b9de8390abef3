/** How much a store holds, stream by stream and hour by hour, and which of it may be deleted first. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSegmentEntry, readManifest, type SegmentEntry } from './manifest.ts'
import type { StreamKey, StreamName } from './run-log.ts'
import { listEntries, listHours, listSegments } from './segment-files.ts'
import { type Hour, hourFolder, type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'

/** Hours in which footage may still be added; older ones change by our own deletions only. */
const FRESH_HOURS = 2
/** Segments at the end of a stream that make no room: the one being written, and the one before it, which may be closing. */
const KEPT_AT_END = 2

export interface Victim {
  readonly name: SegmentName
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly end: number
  /** Of its line in the manifest; empty if it has none. */
  readonly sha256: string
  /** Whether it is one of the newest of its stream. */
  readonly isAtEnd: boolean
}

/** Assumed for a segment that no manifest knows. */
const USUAL_SEGMENT_MS = 60_000

/** The size of one stream, hour by hour. */
export class StreamUsage {
  readonly key: StreamKey
  readonly folder: string
  readonly #hours = new Map<Hour, number>()

  constructor(store: string, key: StreamKey) {
    this.key = key
    this.folder = streamFolder(store, key)
  }

  get bytes(): number {
    return [...this.#hours.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Reads the hours that may have changed again; all of them the first time. */
  async refresh(): Promise<void> {
    const newest = Math.max(...this.#hours.keys(), 0)
    for await (const hour of listHours(this.folder, newest - FRESH_HOURS)) {
      const files = await sizesIn(hourFolder(this.folder, hour))
      this.#hours.set(
        hour,
        files.reduce((sum, bytes) => sum + bytes, 0),
      )
    }
  }

  /** Its segments, oldest first. */
  async *victims(): AsyncGenerator<Victim> {
    let ahead: SegmentName[] = []
    const lines = new Map<string, SegmentEntry>()
    for (const hour of [...this.#hours.keys()].sort((a, b) => a - b)) {
      if (this.#hours.get(hour) === 0) continue
      for (const line of await linesOf(this.folder, hour)) lines.set(line.segmentId, line)
      ahead = [...ahead, ...(await listSegments(this.folder, hour))]
      while (ahead.length > KEPT_AT_END) yield* this.#victim(ahead, lines)
    }
    while (ahead.length > 0) yield* this.#victim(ahead, lines)
  }

  /** The first of the segments ahead, unless it is gone. */
  async *#victim(ahead: SegmentName[], lines: ReadonlyMap<string, SegmentEntry>): AsyncGenerator<Victim> {
    const isAtEnd = ahead.length <= KEPT_AT_END
    const name = ahead.shift()
    if (name === undefined) return
    const bytes = await sizeOf(segmentPath(this.folder, name))
    const line = lines.get(name.segmentId)
    const end = line?.end ?? Math.min(name.start + USUAL_SEGMENT_MS, ahead[0]?.start ?? Number.POSITIVE_INFINITY)
    if (bytes !== undefined) yield { name, bytes, end, sha256: line?.sha256 ?? '', isAtEnd }
  }

  removed({ name, bytes }: Victim): void {
    const hour = toHour(name.start)
    this.#hours.set(hour, Math.max((this.#hours.get(hour) ?? 0) - bytes, 0))
  }
}

async function linesOf(folder: string, hour: Hour): Promise<readonly SegmentEntry[]> {
  return (await readManifest(folder, hour)).map(({ entry }) => entry).filter(isSegmentEntry)
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`could not read ${path}`, { cause })
  }
}

async function sizesIn(folder: string): Promise<readonly number[]> {
  const names = (await listEntries(folder)).filter((name) => name.endsWith('.seg'))
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
  return sizes.filter((size) => size !== undefined)
}

const isStream = (name: string): name is StreamName => name === 'main' || name === 'sub'
const isId = (name: string): boolean => /^\d{1,16}$/.test(name)

/** Every stream that has a folder. */
export async function listStreams(store: string): Promise<readonly StreamKey[]> {
  const found: StreamKey[] = []
  for (const account of (await listEntries(store)).filter(isId)) {
    for (const camera of (await listEntries(join(store, account))).filter(isId)) {
      const streams = (await readdir(join(store, account, camera))).filter(isStream)
      found.push(...streams.map((stream) => ({ accountId: Number(account), cameraId: Number(camera), stream })))
    }
  }
  return found
}
