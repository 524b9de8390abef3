/** In the folder of an hour: which of its segments S3 has, so that the disk may lose them. One line each, name and bytes. */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE, syncFolder } from './durable-folder.ts'
import type { Id128 } from './segment-layout.ts'
import { fileName, type Hour, hourFolder, parseFileName, type SegmentName } from './segment-name.ts'

export const BUCKET_LIST = 'bucket'

/** A segment that S3 has confirmed. */
export interface BucketEntry {
  readonly name: SegmentName
  readonly bytes: number
}

type BucketEntries = ReadonlyMap<Id128, BucketEntry>

const LINE = /^(\S+) (\d{1,15})$/

function parseLine(line: string): BucketEntry | undefined {
  const [, file = '', bytes] = LINE.exec(line) ?? []
  const name = parseFileName(file)
  return name && { name, bytes: Number(bytes) }
}

/** The segments of an hour that S3 has. */
export async function readBucketList(stream: string, hour: Hour): Promise<BucketEntries> {
  const path = join(hourFolder(stream, hour), BUCKET_LIST)
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw new Error(`could not read ${path}`, { cause })
  })
  const entries = text.split('\n').map(parseLine)
  return new Map(entries.filter((entry) => entry !== undefined).map((entry) => [entry.name.segmentId, entry]))
}

/** Changes of one list wait for each other: copying adds to it while deleting takes from it. */
const changing = new Map<string, Promise<unknown>>()

async function change(
  stream: string,
  hour: Hour,
  apply: (entries: Map<Id128, BucketEntry>) => Promise<void> | void,
): Promise<void> {
  const folder = hourFolder(stream, hour)
  const changed = (changing.get(folder) ?? Promise.resolve()).then(async () => {
    const before = await readBucketList(stream, hour)
    const after = new Map(before)
    await apply(after)
    const isSame = after.size === before.size && [...after.keys()].every((id) => before.has(id))
    if (!isSame) await write(folder, [...after.values()])
  })
  const settled = changed.catch(() => undefined)
  changing.set(folder, settled)
  try {
    await changed
  } finally {
    if (changing.get(folder) === settled) changing.delete(folder)
  }
}

/** On the disk before it gets its name: what it names may be nowhere else on the disk. */
async function write(folder: string, entries: readonly BucketEntry[]): Promise<void> {
  const path = join(folder, BUCKET_LIST)
  if (entries.length === 0) {
    await rm(path, { force: true })
  } else {
    {
      await using file = await open(`${path}.new`, 'w', FILE_MODE)
      await file.writeFile(entries.map(({ name, bytes }) => `${fileName(name)} ${bytes}\n`).join(''))
      await file.datasync()
    }
    await rename(`${path}.new`, path)
  }
  await syncFolder(folder)
}

/**
 * Notes that S3 has these segments of an hour; durable when it resolves.
 * @param isThere whether a segment still stands: one that was deleted while it was copied isn't noted.
 */
export function addToBucketList(
  stream: string,
  hour: Hour,
  added: readonly BucketEntry[],
  isThere: (entry: BucketEntry) => Promise<boolean>,
): Promise<void> {
  return change(stream, hour, async (entries) => {
    for (const entry of added) if (await isThere(entry)) entries.set(entry.name.segmentId, entry)
  })
}

/** Forgets segments that were deleted; durable when it resolves. */
export function takeFromBucketList(stream: string, hour: Hour, ids: ReadonlySet<Id128>): Promise<void> {
  return change(stream, hour, (entries) => {
    for (const id of ids) entries.delete(id)
  })
}
