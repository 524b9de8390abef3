import type { ExportedPart, ExportFile, ExportManifest } from './manifest.ts'
import { fromHex, sha256, toHex } from './signatures.ts'

/** Bytes of the file; `till` isn't included. */
export interface FileRange {
  readonly from: number
  readonly till: number
}

/** A part as the manifest lists it, with the segment that it is from. */
export interface ListedPart extends ExportedPart {
  readonly segmentId: string
}

/** A part that was found in the file as the manifest lists it. */
export interface ListedPiece extends FileRange {
  readonly kind: 'found'
  readonly index: number
  /** Whether it has what the camera sent; undefined if that can't be compared. */
  readonly isAsSent: boolean | undefined
}

/** What was met in the file, in its order. */
export type FilePiece =
  | ListedPiece
  /** In the place of a part, and not what the manifest says of it. */
  | (FileRange & { readonly kind: 'changed'; readonly index: number })
  /** Something that the manifest doesn't list. */
  | (FileRange & { readonly kind: 'unlisted' })

/** A fragment is longer only in a file that isn't ours. */
const MAX_FRAGMENT_BYTES = 128 * 1024 * 1024

export const listedParts = ({ segments }: Pick<ExportManifest, 'segments'>): readonly ListedPart[] =>
  segments.flatMap(({ segmentId, parts }) => parts.map((part) => ({ ...part, segmentId })))

/**
 * Compares the file with the parts that the manifest lists, from `begin` to `end`. A part is known by its hash, so what was cut out,
 * moved or put in between is found at its place.
 */
export async function* readFileParts(
  file: ExportFile,
  parts: readonly ListedPart[],
  { from: begin, till: end }: FileRange,
): AsyncGenerator<FilePiece> {
  const byHash = new Map(parts.map(({ sha256: hash }, index) => [hash, index]))
  let expected = 0
  for (let at = begin; at < end; ) {
    const own = await readListed(file, parts[expected], { from: at, till: end })
    const next =
      own === undefined
        ? await findListed(file, byHash, { from: at, till: end })
        : { index: expected, from: at, bytes: own }
    const till = next?.from ?? end
    if (till > at) yield toUnknown({ from: at, till }, expected, next?.index ?? parts.length)
    if (next === undefined) return
    const { index, from, bytes } = next
    const isAsSent = await hasContent(parts[index] as ListedPart, bytes)
    yield { kind: 'found', index, from, till: from + bytes.length, isAsSent }
    expected = index + 1
    at = from + bytes.length
  }
}

/** Bytes that match no part: the part that is missing between its neighbors was changed, or nothing is and they are foreign. */
const toUnknown = (range: FileRange, expected: number, next: number): FilePiece =>
  expected < next ? { kind: 'changed', index: expected, ...range } : { kind: 'unlisted', ...range }

/** The bytes of a part, if the file has them there. */
async function readListed(file: ExportFile, part: ListedPart | undefined, { from, till }: FileRange) {
  if (part === undefined || from + part.bytes > till) return undefined
  const bytes = await file.read(from, from + part.bytes)
  return toHex(await sha256(bytes)) === part.sha256 ? bytes : undefined
}

const SCAN_BYTES = 1024 * 1024
/** `moof` */
const MARK = [0x6d, 0x6f, 0x6f, 0x66] as const

/** The next fragment that the manifest lists, wherever it begins. */
async function findListed(file: ExportFile, byHash: ReadonlyMap<string, number>, { from, till }: FileRange) {
  for (let at = from; at < till; at += SCAN_BYTES) {
    // The mark of a box stands after its size, and may go over the end of what is read at once.
    const bytes = await file.read(at, Math.min(till, at + SCAN_BYTES + 7))
    for (let mark = bytes.indexOf(MARK[0], 4); mark !== -1; mark = bytes.indexOf(MARK[0], mark + 1)) {
      if (!MARK.every((byte, index) => bytes[mark + index] === byte)) continue
      for (const fragment of await readFragmentsAt(file, at + mark - 4, till)) {
        const index = byHash.get(toHex(await sha256(fragment)))
        if (index !== undefined) return { index, from: at + mark - 4, bytes: fragment }
      }
    }
  }
  return undefined
}

/** What a part may be: a `moof` and its `mdat`, or one other box; with or without the sound that is added after it. */
async function readFragmentsAt(file: ExportFile, at: number, end: number): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const plain = await fragmentEnd(file, at, end)
  if (plain === undefined) return []
  const sound = await fragmentEnd(file, plain, end)
  const rest = sound === undefined ? undefined : await readBoxHead(file, sound, end)
  const ends = [plain, ...(sound !== undefined && rest?.type === 'free' ? [sound + rest.size] : [])]
  const fragments: Uint8Array<ArrayBuffer>[] = []
  for (const till of ends) if (till - at <= MAX_FRAGMENT_BYTES) fragments.push(await file.read(at, till))
  return fragments
}

async function fragmentEnd(file: ExportFile, at: number, end: number): Promise<number | undefined> {
  const first = await readBoxHead(file, at, end)
  if (first === undefined) return undefined
  const second = first.type === 'moof' ? await readBoxHead(file, at + first.size, end) : undefined
  return at + first.size + (second?.type === 'mdat' ? second.size : 0)
}

async function readBoxHead(
  file: ExportFile,
  at: number,
  end: number,
): Promise<{ readonly size: number; readonly type: string } | undefined> {
  if (at + 8 > end) return undefined
  const bytes = await file.read(at, at + 8)
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return size < 8 || at + size > end ? undefined : { size, type: String.fromCharCode(...bytes.subarray(4, 8)) }
}

/** Whether the samples of a fragment are those that the camera sent: the digest was made when they were recorded. */
async function hasContent(
  { digest, salt, without, added = 0 }: ExportedPart,
  fragment: Uint8Array<ArrayBuffer>,
): Promise<boolean | undefined> {
  if (digest === undefined || salt === undefined || without !== undefined) return undefined
  const moofBytes = new DataView(fragment.buffer, fragment.byteOffset).getUint32(0)
  return toHex(await sha256(fromHex(salt), fragment.subarray(moofBytes + 8, fragment.length - added))) === digest
}
