/** Copies footage to an object store, under the names that it has on the disk, and removes there what was deleted here. */
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type ObjectStore, ObjectStoreError } from '@sightline/platform/object-store'
import { addToBucketList, type BucketEntry } from './bucket-list.ts'
import { FILE_MODE } from './durable-folder.ts'
import { dayKeyFile, toDay } from './footage-keys.ts'
import { headPath, readHeadFile } from './head-file.ts'
import { isTombstone, type PlacedEntry, readNewLines, type SegmentEntry } from './manifest.ts'
import type { StreamKey } from './run-log.ts'
import { listSegments } from './segment-files.ts'
import { hourFolder, MANIFEST, segmentPath, streamFolder, toHour } from './segment-name.ts'

export interface FootageCopyOptions {
  readonly store: string
  readonly objects: ObjectStore
  readonly now: () => number
  /** Whether footage may leave the disk once it is copied. */
  readonly isStore?: boolean
}

/** In the folder of each stream: the hash of the last line of its chain that was carried out. */
const PROGRESS = 'copied'
/** Lines of one stream in one round; a month of a camera has 45,000. */
const LINES = 500
/** Streams at a time. */
const PARALLEL = 4
/** What is older and not copied yet is reported. */
const LATE_MS = 15 * 60_000
const MIN_MS = 60_000

/**
 * The queue is the chain of manifests itself: each line is a segment to copy or to remove, and a file beside them says up
 * to which line that was done. So nothing is forgotten by a crash or while the store is away, and lines that are carried
 * out twice do no harm.
 */
export class FootageCopy {
  readonly #options: FootageCopyOptions
  /** When the oldest segment was recorded that waits, by stream. */
  readonly #waiting = new Map<string, number>()
  /** Key files that were copied, with their sizes. */
  readonly #keys = new Map<string, number>()
  /** Signed heads that were copied, by stream. */
  readonly #heads = new Map<string, string>()
  #failure: string | undefined

  constructor(options: FootageCopyOptions) {
    this.#options = options
  }

  /** A sentence for the operator if copying is late. */
  get problem(): string | undefined {
    const lateMs = this.#options.now() - Math.min(...this.#waiting.values())
    if (!(lateMs > LATE_MS)) return undefined
    const why = this.#failure === undefined ? '' : `: ${this.#failure}`
    return `copying footage to S3 is ${Math.floor(lateMs / MIN_MS)} minutes behind${why}`
  }

  /** Copies what is new in these streams. Rejects with the first failure; the next call continues. */
  async update(streams: readonly StreamKey[]): Promise<void> {
    this.#failure = undefined
    const folders = new Set(streams.map((stream) => streamFolder(this.#options.store, stream)))
    // Footage that was erased, or is another worker's now, doesn't wait here.
    for (const folder of this.#waiting.keys()) if (!folders.has(folder)) this.#waiting.delete(folder)
    const left = [...streams]
    let failure: unknown
    const work = async () => {
      for (let stream = left.shift(); stream !== undefined; stream = left.shift()) {
        try {
          await this.#updateStream(stream, failure === undefined)
        } catch (cause) {
          failure ??= cause
        }
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    if (failure === undefined) return
    this.#failure = failure instanceof Error ? failure.message : String(failure)
    throw failure
  }

  /** Removes the copies of a day's key, before the key itself is erased. */
  async eraseKey(camera: Pick<StreamKey, 'accountId' | 'cameraId'>, day: string): Promise<void> {
    for (const stream of ['main', 'sub'] as const) {
      const path = dayKeyFile(streamFolder(this.#options.store, { ...camera, stream }), day)
      await this.#options.objects.remove(this.#nameOf(path))
      this.#keys.delete(path)
    }
  }

  async eraseAccount(accountId: number): Promise<void> {
    for await (const { name } of this.#options.objects.list(`${accountId}/`)) await this.#options.objects.remove(name)
  }

  #nameOf(path: string): string {
    return relative(this.#options.store, path)
  }

  async #updateStream(stream: StreamKey, isReachable: boolean): Promise<void> {
    const folder = streamFolder(this.#options.store, stream)
    const done = await readProgress(folder)
    const lines = await readNewLines(folder, { hash: done, from: 0 })
    this.#noteWaiting(folder, lines)
    if (lines.length === 0 || !isReachable) return
    const carried: PlacedEntry[] = []
    const copied: BucketEntry[] = []
    for (const line of lines.slice(0, LINES)) {
      const outcome = await this.#carryOut(folder, line)
      if (outcome === 'wait') break
      if (outcome !== 'done') copied.push(outcome)
      carried.push(line)
    }
    await this.#noteCopied(folder, copied)
    for (const hour of new Set(carried.map((line) => line.hour))) {
      const path = join(hourFolder(folder, hour), MANIFEST)
      await this.#options.objects.putBytes(this.#nameOf(path), await readFile(path))
    }
    const last = carried.at(-1)
    if (last !== undefined) await writeProgress(folder, last.hash)
    await this.#copyHead(folder)
    this.#noteWaiting(folder, lines.slice(carried.length))
  }

  #noteWaiting(folder: string, lines: readonly PlacedEntry[]): void {
    const [oldest] = lines
    if (oldest === undefined) this.#waiting.delete(folder)
    else this.#waiting.set(folder, isTombstone(oldest.entry) ? oldest.entry.at : oldest.entry.end)
  }

  /** Returns what S3 has confirmed, or that it isn't time yet. */
  async #carryOut(folder: string, { entry }: PlacedEntry): Promise<BucketEntry | 'done' | 'wait'> {
    if (!isTombstone(entry)) return (await this.#copy(folder, entry)) ?? 'done'
    const { segmentId, start } = entry
    // What has a tombstone of an earlier version was never copied.
    return start === undefined || (await this.#remove(folder, segmentId, start)) ? 'done' : 'wait'
  }

  async #copy(folder: string, line: SegmentEntry): Promise<BucketEntry | undefined> {
    const path = segmentPath(folder, line)
    const size = await sizeOf(path)
    // Deleted meanwhile: its tombstone follows. What was damaged on the disk isn't copied as if it were sound.
    if (size !== line.bytes) return undefined
    const { objects } = this.#options
    const account = join(this.#options.store, relative(this.#options.store, folder).split('/')[0] ?? '')
    await this.#copyKeys([dayKeyFile(folder, toDay(line.start)), join(account, 'key')])
    try {
      await objects.putFile(this.#nameOf(path), path, line)
    } catch (cause) {
      // The disk has changed it, which a scrub reports; what follows must not wait for that.
      if (cause instanceof ObjectStoreError && cause.isContentWrong) return undefined
      throw cause
    }
    const stored = await objects.size(this.#nameOf(path))
    if (stored !== line.bytes) throw new Error(`the S3 server has ${stored ?? 'no'} bytes of ${this.#nameOf(path)}`)
    return { name: { segmentId: line.segmentId, start: line.start, fence: line.fence }, bytes: line.bytes }
  }

  /** Durable before the progress is, so that no segment is forgotten that could leave the disk. */
  async #noteCopied(folder: string, copied: readonly BucketEntry[]): Promise<void> {
    if (this.#options.isStore !== true) return
    const isThere = async ({ name }: BucketEntry) => (await sizeOf(segmentPath(folder, name))) !== undefined
    for (const [hour, entries] of Map.groupBy(copied, ({ name }) => toHour(name.start)))
      await addToBucketList(folder, hour, entries, isThere)
  }

  /** Whoever has the bucket alone can check the chain with it. */
  async #copyHead(folder: string): Promise<void> {
    const head = await readHeadFile(folder)
    if (head === undefined || this.#heads.get(folder) === head) return
    await this.#options.objects.putBytes(this.#nameOf(headPath(folder)), Buffer.from(`${head}\n`))
    this.#heads.set(folder, head)
  }

  async #copyKeys(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const size = await sizeOf(path)
      if (size === undefined || this.#keys.get(path) === size) continue
      const bytes = await readFile(path)
      await this.#options.objects.putBytes(this.#nameOf(path), bytes)
      this.#keys.set(path, bytes.length)
    }
  }

  /** A tombstone doesn't have the file's name: the deleted part may begin later, and the writer's fence isn't in it. */
  async #remove(folder: string, segmentId: string, start: number): Promise<boolean> {
    for (const hour of [toHour(start) - 1, toHour(start)]) {
      // Its file is about to be deleted.
      if ((await listSegments(folder, hour)).some((name) => name.segmentId === segmentId)) return false
      for await (const { name } of this.#options.objects.list(`${this.#nameOf(hourFolder(folder, hour))}/`)) {
        if (name.includes(segmentId)) await this.#options.objects.remove(name)
      }
    }
    return true
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

async function readProgress(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, PROGRESS), 'utf8').catch(() => '')
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined
}

/** If a power failure loses it, lines are carried out again. */
async function writeProgress(folder: string, hash: string): Promise<void> {
  const path = join(folder, PROGRESS)
  await writeFile(`${path}.new`, hash, { mode: FILE_MODE })
  await rename(`${path}.new`, path)
}
