/**
 * The lines of a list of footage from one head to another: they prove to someone who can't read the files that the second
 * continues the first (docs/decisions/0103).
 */
import type { ChainHead } from './chain-heads.ts'
import { findHeadLine } from './head-descent.ts'
import { parseEntry, readPlacedLines } from './manifest.ts'
import { listHours } from './segment-files.ts'
import type { Hour } from './segment-name.ts'
import { isOlderHead } from './signed-head.ts'

export interface ProofLine {
  readonly hour: Hour
  /** Of that hour's manifest up to the end of the line. */
  readonly bytes: number
  /** As in the file, without its line break. */
  readonly text: string
}

/**
 * `lines`: those after the signed head, in order, the first of them if there are very many; just the head's own if nothing was signed. `absent`: the
 * files don't have the head. `broken`: they don't have what was signed any more.
 */
export type ChainProof =
  | { readonly kind: 'absent' | 'same' | 'older' | 'broken' }
  | { readonly kind: 'lines'; readonly lines: readonly ProofLine[] }

/** About a fortnight of a camera. */
export const MAX_PROOF_LINES = 20_000

/** @param folder of the stream. */
export async function readChainProof(
  folder: string,
  { signed, head }: { readonly signed: ChainHead | undefined; readonly head: ChainHead },
): Promise<ChainProof> {
  const own = await findHeadLine(folder, head)
  if (own === undefined) return { kind: 'absent' }
  if (signed === undefined) return { kind: 'lines', lines: [{ hour: head.hour, bytes: head.bytes, text: own.text }] }
  if ((await findHeadLine(folder, signed)) === undefined) return { kind: 'broken' }
  if (signed.hash === head.hash) return { kind: 'same' }
  if (isOlderHead(head, signed)) return { kind: 'older' }
  const lines = await linesBetween(folder, signed, head)
  return lines === undefined ? { kind: 'broken' } : { kind: 'lines', lines: lines.slice(0, MAX_PROOF_LINES) }
}

/** After the first up to the second, in order; undefined if the chain doesn't lead there. Lines that don't belong to it are passed over. */
async function linesBetween(
  folder: string,
  signed: ChainHead,
  head: ChainHead,
): Promise<readonly ProofLine[] | undefined> {
  const byHash = new Map<string, { readonly line: ProofLine; readonly prev: string }>()
  for await (const hour of listHours(folder, signed.hour)) {
    if (hour > head.hour) break
    for (const { chained, text, end } of await readPlacedLines(folder, hour))
      if (chained !== undefined) byHash.set(chained.hash, { line: { hour, bytes: end, text }, prev: chained.prev })
  }
  const lines: ProofLine[] = []
  let hash = head.hash
  for (let at = byHash.get(hash); at !== undefined && hash !== signed.hash; at = byHash.get(hash)) {
    lines.push(at.line)
    hash = at.prev
  }
  return hash === signed.hash ? lines.toReversed() : undefined
}

/** The head that these lines prove; undefined if they don't continue the signed one. */
export function checkChainProof(
  lines: readonly ProofLine[],
  { signed, head }: { readonly signed: ChainHead | undefined; readonly head: ChainHead },
): ChainHead | undefined {
  let last: ChainHead | undefined = signed
  for (const { hour, bytes, text } of lines) {
    const chained = parseEntry(text)
    const { accountId, cameraId, stream } = head
    const next = { accountId, cameraId, stream, hour, bytes, hash: chained?.hash ?? '' }
    if (chained === undefined || (last !== undefined && (chained.prev !== last.hash || isOlderHead(next, last))))
      return undefined
    if (signed === undefined && chained.hash !== head.hash) return undefined
    last = next
  }
  return lines.length === 0 ? undefined : last
}
