import { readBucketList } from './bucket-list.ts'
import { type BrokenChain, isTombstone, readManifest, type SegmentEntry, verifyManifest } from './manifest.ts'
import type { StreamKey } from './run-log.ts'
import { contentRoot } from './segment-crypto.ts'
import { onDisk, type SegmentFiles } from './segment-file.ts'
import { listHours } from './segment-files.ts'
import { segmentPath, streamFolder, toHour } from './segment-name.ts'
import type { KeyFinder } from './segment-reader.ts'
import { checkSegment, type SegmentHealth, scanSegment } from './segment-scan.ts'

export type ScrubFinding =
  | { readonly kind: 'segment'; readonly path: string; readonly health: Exclude<SegmentHealth, { kind: 'sound' }> }
  /** In the manifest, not deleted by us, and missing. */
  | { readonly kind: 'missing'; readonly path: string; readonly line: SegmentEntry }
  | { readonly kind: 'chain'; readonly broken: BrokenChain }
  /** Not on the disk: only S3 has it, and no way to read it was given. */
  | { readonly kind: 'inBucket'; readonly path: string; readonly line: SegmentEntry }
  /** The file is the manifest's, but its content can't be decrypted, or isn't what the content root says. */
  | { readonly kind: 'content'; readonly path: string; readonly line: SegmentEntry }

async function hasContent(line: SegmentEntry, path: string, { keys, files }: Reading): Promise<boolean> {
  if (line.contentRoot === undefined) return true
  const { parts, digests } = await scanSegment(path, keys, files)
  return contentRoot(parts, digests) === line.contentRoot
}

/** Segments of a stream that were closed and not deleted since, oldest first. */
async function standing(folder: string): Promise<readonly SegmentEntry[]> {
  const lines = new Map<string, SegmentEntry>()
  for await (const hour of listHours(folder, 0)) {
    for (const { entry } of await readManifest(folder, hour)) {
      if (isTombstone(entry)) lines.delete(entry.segmentId)
      else lines.set(entry.segmentId, entry)
    }
  }
  return [...lines.values()]
}

/**
 * Reads every byte of a stream's closed segments and every line of its manifests, and yields what has changed since it
 * was written. Takes as long as the disk needs; stop reading to stop it.
 */
export async function* scrubStream(
  store: string,
  stream: StreamKey,
  keys?: KeyFinder,
  files: SegmentFiles = onDisk,
): AsyncGenerator<ScrubFinding, void, undefined> {
  const folder = streamFolder(store, stream)
  for (const broken of (await verifyManifest(folder, stream)).broken) yield { kind: 'chain', broken }
  for (const line of await standing(folder)) {
    const path = segmentPath(folder, line)
    const finding = await findFault(line, path, { keys, files }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause
      return { kind: 'missing', path, line } as const
    })
    if (finding?.kind !== 'missing') {
      if (finding !== undefined) yield finding
    } else {
      const isInBucket = (await readBucketList(folder, toHour(line.start))).has(line.segmentId)
      yield isInBucket ? { ...finding, kind: 'inBucket' } : finding
    }
  }
}

interface Reading {
  readonly keys: KeyFinder | undefined
  readonly files: SegmentFiles
}

/** Rejects with the code `ENOENT` if the segment is nowhere. */
async function findFault(line: SegmentEntry, path: string, reading: Reading): Promise<ScrubFinding | undefined> {
  const health = await checkSegment(path, line.sha256, reading.files)
  if (health.kind !== 'sound') return { kind: 'segment', path, health }
  return reading.keys === undefined || (await hasContent(line, path, reading))
    ? undefined
    : { kind: 'content', path, line }
}
