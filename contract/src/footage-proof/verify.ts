import { type FileRange, listedParts, readFileParts } from './compare-content.ts'
import { getContentRoot } from './content-root.ts'
import { type KnownKey, type ListLine, proveList } from './list-chain.ts'
import {
  type ExportedPart,
  type ExportedSegment,
  type ExportFile,
  type ExportManifest,
  findManifest,
  readManifest,
} from './manifest.ts'
import { getKeyFingerprint, hasSignature, sha256, toBytes, toHex, toKeyId } from './signatures.ts'

/** A stretch of time; milliseconds since 1970. */
interface TimeSpan {
  readonly from: number
  readonly till: number
}

/** What is wrong with a file, and where. `bytes` are places in the file, `time` is when it was recorded. */
export type ExportFinding =
  /** It isn't an exported file, or its end was cut off. */
  | { readonly kind: 'noManifest' }
  | { readonly kind: 'unreadableManifest' }
  /** Nobody trusted made the signature. */
  | { readonly kind: 'unknownKey'; readonly keyId: string; readonly fingerprint: string | undefined }
  /** The manifest was changed after it was signed. */
  | { readonly kind: 'changedManifest' }
  /** The beginning of the file, which says how to play it. */
  | { readonly kind: 'changedStart'; readonly bytes: FileRange }
  | { readonly kind: 'changedPart'; readonly bytes: FileRange; readonly time: TimeSpan }
  | { readonly kind: 'missing'; readonly at: number; readonly time: TimeSpan; readonly parts: number }
  | { readonly kind: 'unlisted'; readonly bytes: FileRange }
  | { readonly kind: 'moved'; readonly bytes: FileRange; readonly time: TimeSpan }
  /** The file is as it was exported, but not what the list of footage says was recorded. */
  | { readonly kind: 'notRecorded'; readonly time: TimeSpan }
  /** The list of footage doesn't lead to a signature of the installation. */
  | { readonly kind: 'brokenList' }

/** Of what the signed list of footage says that it was recorded. */
export interface RecordedProof {
  /** Parts whose content is what the camera sent, by the list that was signed when they were recorded. */
  readonly proven: number
  /** Parts that were so new that only the export is signed. */
  readonly unsigned: number
  /** Parts without their sound, or damaged: what is left can't be compared. */
  readonly incomplete: number
  readonly parts: number
  /** When the list was signed; undefined if nothing is proven. */
  readonly signedAt: number | undefined
  /** What the list has of the time that was asked for and the file doesn't: it was deleted before, or there were two recordings. */
  readonly elsewhere: readonly TimeSpan[]
}

export interface ExportReport {
  /** Undefined if there is none that can be read. What it says counts only if `signer` is there. */
  readonly manifest: ExportManifest | undefined
  /** The trusted key that signed it. */
  readonly signer: { readonly keyId: string; readonly fingerprint: string } | undefined
  readonly findings: readonly ExportFinding[]
  readonly recorded: RecordedProof | undefined
}

/** Who is trusted: fingerprints of public keys, 64 hexadecimal digits, that were noted before, never those in the file. */
export type TrustedFingerprints = readonly string[]

export interface ExportInput {
  readonly file: ExportFile
  /** The text of a manifest in a file of its own; otherwise the one at the end of the file counts. */
  readonly manifest?: string
  readonly trusted: TrustedFingerprints
  /** Called with the number of bytes that were checked. */
  readonly onProgress?: (bytes: number) => void
}

const failed = (finding: ExportFinding, manifest?: ExportManifest): ExportReport => ({
  manifest,
  signer: undefined,
  findings: [finding],
  recorded: undefined,
})

/**
 * Checks an exported file: that the installation signed its manifest, that the file is what the manifest says, and that this is what
 * was recorded. Needs nothing but the file and the fingerprint of a key. Rejects if the file can't be read.
 */
export async function verifyExport({ file, manifest: apart, trusted, onProgress }: ExportInput): Promise<ExportReport> {
  const found = await findManifest(file)
  const text = apart ?? found?.text
  if (text === undefined) return failed({ kind: 'noManifest' })
  const read = readManifest(text)
  if (read === undefined) return failed({ kind: 'unreadableManifest' })
  const { manifest, line } = read
  const keys = await knownKeys(manifest)
  const signing = keys.find(({ keyId }) => keyId === manifest.keyId)
  const fingerprint = signing && (await getKeyFingerprint(signing.publicKey))
  if (signing === undefined || fingerprint === undefined || !trusted.includes(fingerprint))
    return failed({ kind: 'unknownKey', keyId: manifest.keyId, fingerprint }, manifest)
  const isSigned = toHex(await sha256(toBytes(read.content))) === manifest.contentSha256
  if (!isSigned || !(await hasSignature(line, signing.publicKey))) return failed({ kind: 'changedManifest' }, manifest)
  const end = found?.begins ?? file.bytes
  const content = await checkContent(file, manifest, { end, onProgress })
  const recorded = await checkRecording(manifest, keys, content.asSent)
  return {
    manifest,
    signer: { keyId: signing.keyId, fingerprint },
    findings: [...content.findings, ...recorded.findings],
    recorded: recorded.proof,
  }
}

async function knownKeys({ keys }: ExportManifest): Promise<readonly KnownKey[]> {
  const known: KnownKey[] = []
  for (const { publicKey, retiredAt } of keys) {
    const fingerprint = await getKeyFingerprint(publicKey)
    const until = retiredAt === undefined ? undefined : Date.parse(retiredAt)
    if (fingerprint !== undefined) known.push({ keyId: toKeyId(fingerprint), publicKey, retiredAt: until })
  }
  return known
}

const spanOf = (part: { wallClock: number; duration: number } | undefined): TimeSpan => {
  const from = part?.wallClock ?? 0
  return { from, till: from + Math.round((part?.duration ?? 0) / 90) }
}

interface CheckedContent {
  readonly findings: readonly ExportFinding[]
  /** By the number of the part in the manifest. */
  readonly asSent: ReadonlyMap<number, boolean | undefined>
}

/** Whether the file has what the manifest lists, in its order, and nothing else. */
async function checkContent(
  file: ExportFile,
  manifest: ExportManifest,
  { end, onProgress }: { readonly end: number; readonly onProgress: ExportInput['onProgress'] },
): Promise<CheckedContent> {
  const findings: ExportFinding[] = []
  const { head } = manifest
  const parts = listedParts(manifest)
  const begin = Math.min(head.bytes, end)
  if (toHex(await sha256(await file.read(0, begin))) !== head.sha256)
    findings.push({ kind: 'changedStart', bytes: { from: 0, till: begin } })
  const asSent = new Map<number, boolean | undefined>()
  const seen = new Set<number>()
  let last = -1
  const noteMissing = (till: number, at: number) => {
    const left = parts.slice(last + 1, till).filter((_, index) => !seen.has(last + 1 + index))
    if (left.length === 0) return
    const time = { from: spanOf(left[0]).from, till: spanOf(left.at(-1)).till }
    findings.push({ kind: 'missing', at, time, parts: left.length })
  }
  for await (const piece of readFileParts(file, parts, { from: begin, till: end })) {
    const bytes = { from: piece.from, till: piece.till }
    onProgress?.(piece.till)
    if (piece.kind === 'unlisted') {
      findings.push({ kind: 'unlisted', bytes })
      continue
    }
    const { index } = piece
    if (index > last) noteMissing(index, piece.from)
    if (piece.kind === 'changed') findings.push({ kind: 'changedPart', bytes, time: spanOf(parts[index]) })
    else if (index <= last) findings.push({ kind: 'moved', bytes, time: spanOf(parts[index]) })
    else asSent.set(index, piece.isAsSent)
    seen.add(index)
    last = Math.max(last, index)
  }
  noteMissing(parts.length, end)
  return { findings, asSent }
}

/** Whether what was exported is what the signed list of footage says was recorded. */
async function checkRecording(
  manifest: ExportManifest,
  keys: readonly KnownKey[],
  asSent: CheckedContent['asSent'],
): Promise<{ readonly findings: readonly ExportFinding[]; readonly proof: RecordedProof }> {
  const list = await proveList(manifest, keys)
  const { signedAt, lines } = list.kind === 'proven' ? list : { signedAt: undefined, lines: [] }
  const findings: ExportFinding[] = list.kind === 'broken' ? [{ kind: 'brokenList' }] : []
  const counts = { notRecorded: 0, proven: 0, unsigned: 0, incomplete: 0 }
  let number = 0
  for (const segment of manifest.segments) {
    const standing = await standingOf(segment, lines)
    if (standing === 'otherContent') {
      const time = { from: spanOf(segment.parts[0]).from, till: spanOf(segment.parts.at(-1)).till }
      findings.push({ kind: 'notRecorded', time })
    }
    for (const part of segment.parts) {
      const outcome = outcomeOf(part, { standing, isAsSent: asSent.get(number++) })
      if (outcome !== undefined) counts[outcome]++
      if (outcome === 'notRecorded') findings.push({ kind: 'notRecorded', time: spanOf(part) })
    }
  }
  const { proven, unsigned, incomplete } = counts
  const proof = { proven, unsigned, incomplete, parts: number, signedAt, elsewhere: elsewhere(manifest, lines) }
  return { findings, proof }
}

/** How a segment stands to the signed list: it isn't on it, has the content that its line says, or another. */
type Standing = 'unlisted' | 'listed' | 'otherContent'

async function standingOf(segment: ExportedSegment, lines: readonly ListLine[]): Promise<Standing> {
  const line = segment.line === undefined ? undefined : lines[segment.line]
  if (line === undefined) return 'unlisted'
  return (await isOf(segment, line)) ? 'listed' : 'otherContent'
}

/** Undefined for a part that isn't in the file, or that its segment's line doesn't prove. */
function outcomeOf(
  { without }: ExportedPart,
  { standing, isAsSent }: { readonly standing: Standing; readonly isAsSent: boolean | undefined },
): 'notRecorded' | 'proven' | 'unsigned' | 'incomplete' | undefined {
  if (isAsSent === false) return 'notRecorded'
  if (without !== undefined) return 'incomplete'
  if (standing === 'unlisted') return 'unsigned'
  return standing === 'listed' && isAsSent === true ? 'proven' : undefined
}

async function isOf(segment: ExportedSegment, line: ListLine): Promise<boolean> {
  if (line.segmentId !== segment.segmentId || line.reason !== undefined) return false
  return line.contentRoot !== undefined && (await getContentRoot(segment)) === line.contentRoot
}

/** Less is the difference between the clock of a line and that of its parts. */
const SLACK_MS = 1500

/** Footage of the time that was asked for which is on the list and not in the manifest. */
function elsewhere({ asked, segments }: ExportManifest, lines: readonly ListLine[]): readonly TimeSpan[] {
  const exported = new Set(segments.map(({ segmentId }) => segmentId))
  return lines.flatMap(({ segmentId, start, end, reason }) => {
    if (reason !== undefined || start === undefined || end === undefined || exported.has(segmentId)) return []
    const [from, till] = [Math.max(start, asked.from), Math.min(end, asked.till)]
    return till - from > SLACK_MS ? [{ from, till }] : []
  })
}
