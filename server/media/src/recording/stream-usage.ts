/** How much a store holds, stream by stream and hour by hour, and which of it may be deleted first. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BUCKET_LIST, readBucketList } from './bucket-list.ts'
import { isSegmentEntry, readManifest, type SegmentEntry } from './manifest.ts'
import type { StreamKey, StreamName } from './run-log.ts'
import { listEntries, listHours, listSegments } from './segment-files.ts'
import { fileName, type Hour, hourFolder, type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'

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
  readonly isOnDisk: boolean
  readonly isInBucket: boolean
}

/** Bytes of the segments of an hour. */
interface HourBytes {
  readonly all: number
  /** Of those on the disk; the others are in S3 only. */
  readonly disk: number
}

/** Assumed for a segment that no manifest knows. */
const USUAL_SEGMENT_MS = 60_000

/** The size of one stream, hour by hour. */
export class StreamUsage {
  readonly key: StreamKey
  readonly folder: string
  readonly #hours = new Map<Hour, HourBytes>()

  constructor(store: string, key: StreamKey) {
    this.key = key
    this.folder = streamFolder(store, key)
  }

  /** On the disk and in S3. */
  get bytes(): number {
    return [...this.#hours.values()].reduce((sum, { all }) => sum + all, 0)
  }

  get diskBytes(): number {
    return [...this.#hours.values()].reduce((sum, { disk }) => sum + disk, 0)
  }

  newestHourBefore(hour: Hour): Hour | undefined {
    const hours = [...this.#hours.keys()].filter((each) => each < hour)
    return hours.length === 0 ? undefined : Math.max(...hours)
  }

  /** Reads the hours that may have changed again; all of them the first time. */
  async refresh(): Promise<void> {
    const newest = Math.max(...this.#hours.keys(), 0)
    for await (const hour of listHours(this.folder, newest - FRESH_HOURS)) {
      this.#hours.set(hour, await bytesIn(this.folder, hour))
    }
  }

  /** Its segments, oldest first; those on the disk, or all. */
  async *victims(where: 'disk' | 'all' = 'all'): AsyncGenerator<Victim> {
    const ahead: Listed[] = []
    const lines = new Map<string, SegmentEntry>()
    for (const [hour, bytes] of [...this.#hours].sort(([a], [b]) => a - b)) {
      if (bytes[where] === 0) continue
      for (const line of await linesOf(this.folder, hour)) lines.set(line.segmentId, line)
      const inBucket = await readBucketList(this.folder, hour)
      const names = await listSegments(this.folder, hour)
      ahead.push(...names.map((name) => ({ name, bucketBytes: inBucket.get(name.segmentId)?.bytes })))
      while (ahead.length > KEPT_AT_END) yield* this.#victim(ahead, lines, where)
    }
    while (ahead.length > 0) yield* this.#victim(ahead, lines, where)
  }

  /** The first of the segments ahead, unless it is gone. */
  async *#victim(
    ahead: Listed[],
    lines: ReadonlyMap<string, SegmentEntry>,
    where: 'disk' | 'all',
  ): AsyncGenerator<Victim> {
    const isAtEnd = ahead.length <= KEPT_AT_END
    const first = ahead.shift()
    if (first === undefined) return
    const { name, bucketBytes } = first
    const diskBytes = await sizeOf(segmentPath(this.folder, name))
    const bytes = diskBytes ?? bucketBytes
    if (bytes === undefined || (where === 'disk' && diskBytes === undefined)) return
    const line = lines.get(name.segmentId)
    const end = line?.end ?? Math.min(name.start + USUAL_SEGMENT_MS, ahead[0]?.name.start ?? Number.POSITIVE_INFINITY)
    const place = { isOnDisk: diskBytes !== undefined, isInBucket: bucketBytes !== undefined }
    yield { name, bytes, end, sha256: line?.sha256 ?? '', isAtEnd, ...place }
  }

  /** Counts what was deleted, or only removed from the disk. */
  removed({ name, bytes, isOnDisk }: Victim, from: 'disk' | 'everywhere'): void {
    const hour = toHour(name.start)
    const { all, disk } = this.#hours.get(hour) ?? { all: 0, disk: 0 }
    this.#hours.set(hour, {
      all: from === 'disk' ? all : Math.max(all - bytes, 0),
      disk: isOnDisk ? Math.max(disk - bytes, 0) : disk,
    })
  }
}

interface Listed {
  readonly name: SegmentName
  /** Undefined if S3 doesn't have it. */
  readonly bucketBytes: number | undefined
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

async function bytesIn(stream: string, hour: Hour): Promise<HourBytes> {
  const folder = hourFolder(stream, hour)
  const names = await listEntries(folder)
  const files = names.filter((name) => name.endsWith('.seg'))
  const sizes = await Promise.all(files.map((name) => sizeOf(join(folder, name))))
  const disk = sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
  if (!names.includes(BUCKET_LIST)) return { all: disk, disk }
  const onDisk = new Set(files)
  const elsewhere = [...(await readBucketList(stream, hour)).values()].filter(({ name }) => !onDisk.has(fileName(name)))
  return { all: elsewhere.reduce((sum, { bytes }) => sum + bytes, disk), disk }
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
