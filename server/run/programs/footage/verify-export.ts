import { type FileHandle, open } from 'node:fs/promises'
import {
  type ClipSound,
  type ExportFile,
  type ExportFinding,
  type ExportReport,
  verifyExport,
} from '@sightline/contract/footage-proof'
import { fail, ok, type Result } from '@sightline/platform/result'
import { getFingerprint } from '@sightline/platform/signed-line'
import { StartError } from '@sightline/platform/startup'
import type { TrustedKeys } from './trusted-keys.ts'

/** Who is trusted to have signed an export. */
export interface TrustedSigners {
  readonly fingerprints: readonly string[]
  /** Where they are from, a sentence. */
  readonly source: string
}

export const toSigners = ({ keys, source }: TrustedKeys): TrustedSigners => ({
  fingerprints: keys.map(({ publicKey }) => getFingerprint(publicKey)),
  source,
})

/** Checks exported files; a failure says what is wrong, and where. */
export async function verifyExports(
  paths: readonly string[],
  { fingerprints: trusted, source }: TrustedSigners,
): Promise<Result<string, string>> {
  const texts: string[] = []
  let isGenuine = true
  for (const path of paths) {
    await using handle = await open(path).catch((cause: unknown) => {
      throw new StartError(`Could not read ${path}.`, { cause })
    })
    const report = await verifyExport({ file: await toFile(handle), trusted })
    if (report.findings.length > 0) isGenuine = false
    texts.push(report.findings.length > 0 ? problemText(path, report) : genuineText(path, report))
  }
  const text = [...texts, source].join('\n').trimEnd()
  return isGenuine ? ok(`${text}\n`) : fail(text)
}

async function toFile(handle: FileHandle): Promise<ExportFile> {
  const { size: bytes } = await handle.stat()
  return {
    bytes,
    async read(from, till) {
      const read = new Uint8Array(till - from)
      await handle.read(read, 0, read.length, from)
      return read
    },
  }
}

const timeText = (time: number): string => new Date(time).toISOString()
const spanText = ({ from, till }: { from: number; till: number }): string => `${timeText(from)} to ${timeText(till)}`

function sentenceOf(finding: ExportFinding): string {
  switch (finding.kind) {
    case 'noManifest':
      return 'It has no manifest at its end: it isn’t an exported file, or its end was cut off.'
    case 'unreadableManifest':
      return 'Its manifest can’t be read: it was changed, or is of a newer version.'
    case 'unknownKey':
      return `It was signed with key ${finding.fingerprint ?? finding.keyId}, which is not one of the trusted keys.`
    case 'changedManifest':
      return 'Its manifest was changed after it was signed.'
    case 'changedStart':
      return `The start of the file (bytes 0 to ${finding.bytes.till}) was changed.`
    case 'changedPart':
      return `Bytes ${finding.bytes.from} to ${finding.bytes.till}: the footage of ${spanText(finding.time)} was changed or replaced.`
    case 'missing':
      return `At byte ${finding.at}: the footage of ${spanText(finding.time)} is missing (${finding.parts} parts).`
    case 'unlisted':
      return `Bytes ${finding.bytes.from} to ${finding.bytes.till}: this was added, or is of another file.`
    case 'moved':
      return `Bytes ${finding.bytes.from} to ${finding.bytes.till}: the footage of ${spanText(finding.time)} is in the wrong place.`
    case 'notRecorded':
      return `The footage of ${spanText(finding.time)} is not what was recorded.`
    case 'brokenList':
      return 'The list of footage in its manifest does not lead to a signature of the installation.'
  }
}

function problemText(path: string, { findings }: ExportReport): string {
  const many = findings.length === 1 ? '1 problem found' : `${findings.length} problems found`
  return [`${path}: NOT PROVEN, ${many}.`, ...findings.map((finding) => `  ${sentenceOf(finding)}`)].join('\n')
}

const SOUND_LINES: Readonly<Record<ClipSound, readonly string[]>> = {
  kept: [],
  none: [],
  leftOut: ['  Its sound was left out.'],
  encoded: ['  The sound that plays was re-encoded as AAC; what was recorded is in the file too, unchanged.'],
  replaced: ['  Its sound was re-encoded; what was recorded isn’t in the file.'],
  hidden: ['  Its sound is in the file as recorded (G.711), which players of MP4 don’t play.'],
}

function genuineText(path: string, { manifest, signer, recorded }: ExportReport): string {
  if (manifest === undefined || recorded === undefined) return path
  const { cameraName, cameraId, held, exportedAt, exportedBy, reason, gaps } = manifest
  const { proven, parts, unsigned, incomplete, signedAt, elsewhere } = recorded
  return [
    manifest.derived === undefined
      ? `${path}: genuine. Nothing was changed, cut or added since it was exported.`
      : `${path}: NOT THE ORIGINAL. Its pictures were re-encoded; nothing was changed since it was exported.`,
    `  Camera ${cameraName === undefined ? '' : `${cameraName}, `}number ${cameraId}, ${spanText(held)}.`,
    `  Exported ${exportedAt} by ${exportedBy}${reason === undefined ? '' : `: ${reason}`}. Signed with key ${signer?.fingerprint}.`,
    ...gaps.map((gap) =>
      gap.cause === 'damaged'
        ? `  The recording is damaged ${spanText(gap)}, which isn’t in the file.`
        : `  Nothing was recorded ${spanText(gap)}${gap.cause === null ? '' : ` (${gap.cause})`}.`,
    ),
    ...(signedAt === undefined
      ? []
      : [`  ${proven} of ${parts} parts are what the camera sent, by the list signed at ${timeText(signedAt)}.`]),
    ...(unsigned === 0 ? [] : [`  ${unsigned} parts are proven by the export alone: the list wasn’t signed yet.`]),
    ...(incomplete === 0 || manifest.derived !== undefined
      ? []
      : [`  ${incomplete} parts lack their sound or are damaged, and can’t be compared.`]),
    ...SOUND_LINES[manifest.sound],
    ...elsewhere.map((span) => `  The list also has footage of ${spanText(span)}, which this file doesn’t have.`),
  ].join('\n')
}
