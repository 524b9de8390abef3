import type { ChainHead } from './chain-heads.ts'
import { type PlacedLine, readPlacedLines } from './manifest.ts'
import { listHours } from './segment-files.ts'
import { isOlderHead } from './signed-head.ts'

/** The line of a head, at its place; undefined if the manifest has another one there, or ends before it. */
export async function findHeadLine(folder: string, head: ChainHead): Promise<PlacedLine | undefined> {
  const lines = await readPlacedLines(folder, head.hour)
  return lines.find(({ chained, end }) => end === head.bytes && chained?.hash === head.hash)
}

/**
 * How a head stands to one that was signed before: it continues its chain, is older, isn't in the files, or the files don't
 * have the signed one any more (`broken`).
 */
export type Descent = 'continues' | 'same' | 'older' | 'absent' | 'broken'

/** Reads the manifests between the two. Lines that don't belong to the chain are passed over. */
export async function compareHeads(folder: string, signed: ChainHead | undefined, head: ChainHead): Promise<Descent> {
  const newest = await findHeadLine(folder, head)
  if (newest === undefined) return 'absent'
  if (signed === undefined) return 'continues'
  if ((await findHeadLine(folder, signed)) === undefined) return 'broken'
  if (signed.hash === head.hash) return 'same'
  if (isOlderHead(head, signed)) return 'older'
  return (await isContinued(folder, signed, head)) ? 'continues' : 'broken'
}

async function isContinued(folder: string, signed: ChainHead, head: ChainHead): Promise<boolean> {
  const before = new Map<string, string>()
  for await (const hour of listHours(folder, signed.hour)) {
    if (hour > head.hour) break
    for (const { chained } of await readPlacedLines(folder, hour))
      if (chained !== undefined) before.set(chained.hash, chained.prev)
  }
  let hash: string | undefined = head.hash
  while (hash !== undefined && hash !== signed.hash) hash = before.get(hash)
  return hash === signed.hash
}

/** Which of these hashes no line of the stream's list has. Reads all of its manifests. */
export async function findUnlisted(folder: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const unlisted = new Set(hashes)
  for await (const hour of listHours(folder, 0)) {
    if (unlisted.size === 0) break
    for (const { chained } of await readPlacedLines(folder, hour))
      if (chained !== undefined) unlisted.delete(chained.hash)
  }
  return unlisted
}
