import type { ExportedPart, ExportedSegment } from './manifest.ts'
import { fromHex, sha256, toHex } from './signatures.ts'

/** What the content root binds of a part: its number, its times and its digest (docs/design/recording-format.md, "Digests"). */
async function leafOf({ sequence, time, duration, wallClock, digest = '' }: ExportedPart): Promise<Uint8Array> {
  const leaf = new Uint8Array(25)
  const view = new DataView(leaf.buffer)
  view.setUint32(1, sequence)
  view.setBigUint64(5, BigInt(time))
  view.setUint32(13, duration)
  view.setBigUint64(17, BigInt(wallClock))
  return await sha256(leaf, fromHex(digest))
}

/** RFC 6962 §2.1: the left half has the largest power of two below the number of leaves. */
function leftHalf(leaves: number): number {
  let left = 1
  while (left * 2 < leaves) left *= 2
  return left
}

/**
 * The content root that follows from the parts of a segment and the path beside them. Undefined if the path has too few or too many
 * hashes, or a part has no digest.
 */
export async function getContentRoot({ parts, ofParts, path }: ExportedSegment): Promise<string | undefined> {
  if (parts.length === 0 || parts.some(({ digest, sequence }) => digest === undefined || sequence >= ofParts))
    return undefined
  const leaves = new Map<number, Uint8Array>()
  for (const part of parts) leaves.set(part.sequence, await leafOf(part))
  if (leaves.size !== parts.length) return undefined
  const given = path.values()
  const sorted = [...leaves.keys()].sort((a, b) => a - b)
  const has = (from: number, till: number) => sorted.some((sequence) => sequence >= from && sequence < till)
  const headOf = async (from: number, till: number): Promise<Uint8Array | undefined> => {
    if (!has(from, till)) {
      const next = given.next()
      return next.done === true ? undefined : fromHex(next.value)
    }
    if (till - from === 1) return leaves.get(from)
    const middle = from + leftHalf(till - from)
    const left = await headOf(from, middle)
    const right = await headOf(middle, till)
    return left === undefined || right === undefined ? undefined : await sha256(Uint8Array.of(1), left, right)
  }
  const root = await headOf(0, ofParts)
  return root === undefined || given.next().done !== true ? undefined : toHex(root)
}
