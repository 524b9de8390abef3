import { stat } from 'node:fs/promises'
import { type BrokenChain, isTombstone, readManifest, type SegmentEntry, verifyManifest } from './manifest.ts'
import type { StreamKey } from './run-log.ts'
import { contentRoot } from './segment-crypto.ts'
import { listHours } from './segment-files.ts'
import { segmentPath, streamFolder } from './segment-name.ts'
import type { KeyFinder } from './segment-reader.ts'
import { checkSegment, type SegmentHealth, scanSegment } from './segment-scan.ts'

export type ScrubFinding =
  | { readonly kind: 'segment'; readonly path: string; readonly health: Exclude<SegmentHealth, { kind: 'sound' }> }
  /** In the manifest, not deleted by us, and missing. */
  | { readonly kind: 'missing'; readonly path: string; readonly line: SegmentEntry }
  | { readonly kind: 'chain'; readonly broken: BrokenChain }
  /** The file is the manifest's, but its content can't be decrypted, or isn't what the content root says. */
  | { readonly kind: 'content'; readonly path: string; readonly line: SegmentEntry }

async function hasContent(path: string, line: SegmentEntry, keys: KeyFinder): Promise<boolean> {
  if (line.contentRoot === undefined) return true
  const { parts, digests } = await scanSegment(path, keys)
  return contentRoot(parts, digests) === line.contentRoot
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw new Error(`could not read ${path}`, { cause })
  }
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
): AsyncGenerator<ScrubFinding, void, undefined> {
  const folder = streamFolder(store, stream)
  for (const broken of (await verifyManifest(folder, stream)).broken) yield { kind: 'chain', broken }
  for (const line of await standing(folder)) {
    const path = segmentPath(folder, line)
    const health = (await isThere(path)) ? await checkSegment(path, line.sha256) : undefined
    if (health === undefined) yield { kind: 'missing', path, line }
    else if (health.kind !== 'sound') yield { kind: 'segment', path, health }
    else if (keys !== undefined && !(await hasContent(path, line, keys))) yield { kind: 'content', path, line }
  }
}
