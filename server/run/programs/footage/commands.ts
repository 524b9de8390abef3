import {
  type FinishedSlice,
  findUnlisted,
  type HeadFinding,
  type HeadReport,
  type KeyFinder,
  listStreams,
  type RunLog,
  readCatalogue,
  recoverStream,
  type ScrubFinding,
  type SegmentFiles,
  type StreamKey,
  SyncGroup,
  scrubStream,
  streamFolder,
  verifyHead,
} from '@sightline/media/recording'
import { readFootageCheckpoints } from '@sightline/platform/audit-chain'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { TrustedCheckpoints, TrustedKeys } from './trusted-keys.ts'

export interface StoredFootage {
  /** Folder of all footage. */
  readonly store: string
  readonly keys: KeyFinder
  /** Where segments are; on the disk by default. */
  readonly files?: SegmentFiles
}

const nameOf = ({ accountId, cameraId, stream }: StreamKey): string => `${accountId}/${cameraId}/${stream}`

function sentence(finding: Exclude<ScrubFinding, { kind: 'inBucket' }>): string {
  switch (finding.kind) {
    case 'missing':
      return `${finding.path} is missing, and there is no record of its deletion.`
    case 'chain':
      return `${finding.broken.file}, line ${finding.broken.line}: ${finding.broken.what}.`
    case 'content':
      return `${finding.path}: its content can’t be decrypted, or is not what the list of footage says.`
    case 'segment':
      if (finding.health.kind === 'damagedParts')
        return `${finding.path}: ${finding.health.parts.length} of its parts are not what was written.`
      return `${finding.path} ${finding.health.kind === 'changed' ? 'was changed' : 'can’t be read'}.`
  }
}

const timeText = (time: number): string => new Date(time).toISOString()

/** What the signed head of a stream proves. */
function proofOf(stream: StreamKey, { signed, unsignedLines }: HeadReport): string {
  const lines = unsignedLines === 1 ? '1 line' : `${unsignedLines} lines`
  if (signed === undefined && unsignedLines === 0) return `${nameOf(stream)}: no finished footage.`
  if (signed === undefined) return `${nameOf(stream)}: not signed; recorded before lists of footage were signed.`
  const newer = unsignedLines === 0 ? '' : ` ${lines} after it ${unsignedLines === 1 ? 'is' : 'are'} not signed yet.`
  return `${nameOf(stream)}: proven as signed at ${timeText(signed.at)} with key ${signed.keyId}.${newer}`
}

const placeOf = ({ path, line, what }: HeadFinding): string =>
  `${path}${line === undefined ? '' : `, line ${line}`}: ${what}.`

const UNSIGNED = `What is newer than the signature (at most a minute), and the segment that is being written, is checked by hashes and
checksums only.
`
const NO_KEYS = 'Signatures were not checked: pass the keys that the installation published with --public-keys.\n'

/** A head of a stream's list, as a checkpoint of the audit log has it. */
interface CheckpointHead {
  readonly number: number
  readonly at: number
  readonly hash: string
}

type CheckpointHeads = ReadonlyMap<string, readonly CheckpointHead[]>

/** The heads of all streams in the checkpoints, by the stream's name. */
async function readCheckpoints({ file, publicKey }: TrustedCheckpoints): Promise<CheckpointHeads> {
  const found = new Map<string, CheckpointHead[]>()
  for await (const { number, at, heads } of readFootageCheckpoints(file, publicKey)) {
    for (const [accountId, cameraId, stream, hash] of heads) {
      const name = nameOf({ accountId, cameraId, stream })
      const known = found.get(name) ?? []
      known.push({ number, at, hash })
      found.set(name, known)
    }
  }
  return found
}

/** What the checkpoints have and the stream's list doesn't: it was cut off, or written again. */
async function checkpointProblems(
  store: string,
  stream: StreamKey,
  known: CheckpointHeads,
): Promise<readonly string[]> {
  const heads = known.get(nameOf(stream)) ?? []
  const unlisted = await findUnlisted(
    streamFolder(store, stream),
    heads.map(({ hash }) => hash),
  )
  return heads
    .filter(({ hash }) => unlisted.has(hash))
    .map(
      ({ number, at }) =>
        `${nameOf(stream)}: the list no longer has the line that checkpoint ${number} of ${timeText(at)} names: it was cut off or changed.`,
    )
}

const checkpointProof = ({ file }: TrustedCheckpoints, known: CheckpointHeads): string => {
  const count = [...known.values()].reduce((sum, heads) => sum + heads.length, 0)
  return `Lists were compared with ${count} heads in the checkpoints of ${file}.\n`
}

/**
 * Checks all footage; a failure lists what is wrong.
 *
 * @param trusted undefined: signatures are not checked.
 * @param checkpoints undefined: lists are not compared with the audit log.
 */
export async function verifyFootage(
  { store, keys, files }: StoredFootage,
  trusted?: TrustedKeys,
  checkpoints?: TrustedCheckpoints,
): Promise<Result<string, string>> {
  const streams = await listStreams(store)
  const problems: string[] = []
  const proofs: string[] = []
  let elsewhere = 0
  const known = checkpoints === undefined ? new Map() : await readCheckpoints(checkpoints)
  for (const stream of streams) {
    for await (const finding of scrubStream(store, stream, keys, files)) {
      if (finding.kind === 'inBucket') elsewhere++
      else problems.push(sentence(finding))
    }
    problems.push(...(await checkpointProblems(store, stream, known)))
    if (trusted === undefined) continue
    const report = await verifyHead(store, stream, trusted.keys)
    problems.push(...report.findings.map(placeOf))
    if (report.findings.length === 0) proofs.push(proofOf(stream, report))
  }
  const compared = checkpoints === undefined ? '' : checkpointProof(checkpoints, known)
  const unread = elsewhere === 0 ? '' : `${elsewhere} segments are only in S3 and were not read; --s3 reads them.\n`
  const source = `${trusted?.source ?? NO_KEYS}${compared}${unread}`
  if (problems.length > 0) return fail([...problems, `${problems.length} problems found.`, source.trimEnd()].join('\n'))
  const proven = proofs.length === 0 ? '' : `${proofs.join('\n')}\n${UNSIGNED}`
  return ok(`All footage is as it was written: ${streams.length} streams.\n${proven}${source}`)
}

/** The next start of the server reads what the files say into the database; here nothing needs to be remembered. */
const noLog: RunLog = {
  runStarted: () => undefined,
  runGrew: () => undefined,
  runEnded: () => undefined,
  notRecorded: () => undefined,
  deleted: () => undefined,
  knownUntil: async () => undefined,
  replace: async () => undefined,
  readLater: () => undefined,
}

const lineOf = ({ start, end, bytes, why }: FinishedSlice): string =>
  `  ${new Date(start).toISOString()} to ${new Date(end).toISOString()}, ${bytes} bytes${why === undefined ? '' : `, ended by ${why}`}`

/** Repairs all that a crash or a lost list left behind, and tells what there is. */
export async function rebuildFootage({ store, keys }: StoredFootage): Promise<Result<string, string>> {
  const lines: string[] = []
  for (const stream of await listStreams(store)) {
    await using group = new SyncGroup()
    const fence = Number.MAX_SAFE_INTEGER
    const options = { store, stream, fence, group, runs: noLog, keys, previousWriter: 'dead', reach: 'all' } as const
    const { closed, listed, setAside } = await recoverStream(options)
    lines.push(
      `${nameOf(stream)}: ${closed.length} segments closed, ${listed.length} listed, ${setAside.length} set aside`,
      ...(await readCatalogue(store, stream, 0)).map(lineOf),
    )
  }
  return ok(`${lines.join('\n')}\n`)
}
