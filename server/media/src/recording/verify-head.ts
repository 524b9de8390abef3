import { join } from 'node:path'
import { getKeyId } from '@sightline/platform/signed-line'
import { findHeadLine } from './head-descent.ts'
import { headPath, listBrokenHeads, readHeadFile } from './head-file.ts'
import type { HeadKey } from './head-keys.ts'
import { isTombstone, type ManifestEntry, readPlacedLines } from './manifest.ts'
import type { StreamKey } from './run-log.ts'
import { listHours } from './segment-files.ts'
import { hourText, MANIFEST, streamFolder } from './segment-name.ts'
import { isOlderHead, readHead, type SignedHead } from './signed-head.ts'

export interface HeadFinding {
  readonly path: string
  /** Counted from 1; undefined for the file as a whole. */
  readonly line?: number
  /** What is wrong there, a sentence without its full stop. */
  readonly what: string
}

export interface HeadReport {
  /** The head whose signature is valid and whose line is where it was signed. */
  readonly signed: SignedHead | undefined
  /** Lines after it, or all lines without one. */
  readonly unsignedLines: number
  readonly findings: readonly HeadFinding[]
}

/**
 * Heads are signed once a minute. What is so much newer than the last of them, or than the first key, should have been
 * signed.
 */
const SIGNED_WITHIN_MS = 5 * 60_000

const timeOf = (entry: ManifestEntry): number => (isTombstone(entry) ? entry.at : entry.end)
const timeText = (time: number): string => new Date(time).toISOString()

/** Lines of a stream after a head, in order; all of them without one. */
async function linesAfter(folder: string, head: SignedHead | undefined) {
  const found: { readonly path: string; readonly line: number; readonly time: number }[] = []
  for await (const hour of listHours(folder, head?.hour ?? 0)) {
    for (const { chained, line, end } of await readPlacedLines(folder, hour)) {
      if (chained === undefined || (head !== undefined && !isOlderHead(head, { ...head, hour, bytes: end }))) continue
      found.push({ path: join(folder, hourText(hour), MANIFEST), line, time: timeOf(chained.entry) })
    }
  }
  return found
}

/** What is wrong with the signature; undefined if a trusted key made it. */
function wrongSignature(head: SignedHead, keys: readonly HeadKey[]): string | undefined {
  const key = keys.find(({ publicKey }) => getKeyId(publicKey) === head.keyId)
  if (key === undefined) return `signed with key ${head.keyId}, which is not one of the trusted keys`
  if (!head.isSignedBy(key.publicKey)) return 'changed after it was signed'
  if (head.at > (key.retiredAt ?? Number.POSITIVE_INFINITY)) return `signed with key ${head.keyId} after its retirement`
  return undefined
}

/** What is wrong with the line that was signed; undefined if it is where it was. */
async function wrongPlace(folder: string, head: SignedHead): Promise<HeadFinding | undefined> {
  if ((await findHeadLine(folder, head)) !== undefined) return undefined
  const lines = await readPlacedLines(folder, head.hour)
  const path = join(folder, hourText(head.hour), MANIFEST)
  const signed = `the head that was signed at ${timeText(head.at)}`
  const last = lines.at(-1)
  if ((last?.end ?? 0) < head.bytes)
    return { path, line: lines.length, what: `cut off after this line: ${signed} had ${head.bytes} bytes here` }
  const line = lines.find(({ end }) => end >= head.bytes)?.line ?? lines.length
  return { path, line, what: `not what ${signed} says: it or a line before it was changed` }
}

async function checkHead(
  folder: string,
  stream: StreamKey,
  { path, line, keys }: { readonly path: string; readonly line: string; readonly keys: readonly HeadKey[] },
): Promise<{ readonly head: SignedHead | undefined; readonly findings: readonly HeadFinding[] }> {
  const head = readHead(line)
  const failed = (what: string) => ({ head: undefined, findings: [{ path, what }] })
  if (head === undefined) return failed('not a signed head')
  const { accountId, cameraId } = head
  if (accountId !== stream.accountId || cameraId !== stream.cameraId || head.stream !== stream.stream)
    return failed(`the head of another recording: ${accountId}/${cameraId}/${head.stream}`)
  const wrong = wrongSignature(head, keys)
  if (wrong !== undefined) return failed(wrong)
  const place = await wrongPlace(folder, head)
  return place === undefined ? { head, findings: [] } : { head: undefined, findings: [place] }
}

/** Lines that are too new to be unsigned. */
function unsignedFindings(
  after: Awaited<ReturnType<typeof linesAfter>>,
  head: SignedHead | undefined,
  since: number,
): readonly HeadFinding[] {
  const first = after.find(({ time }) => time > since + SIGNED_WITHIN_MS)
  if (first === undefined) return []
  const { path, line } = first
  const why =
    head === undefined
      ? `there is no signed head, but heads were signed from ${timeText(since)} on`
      : `the last signed head is older, of ${timeText(head.at)}`
  return [{ path, line, what: `this line and what follows are not signed: ${why}` }]
}

/**
 * Checks the signed head of a stream against its manifests. Their lines are checked by `verifyManifest`; both together
 * prove all lines up to the head.
 *
 * @param keys those of the installation, from a source that the reader trusts.
 */
export async function verifyHead(store: string, stream: StreamKey, keys: readonly HeadKey[]): Promise<HeadReport> {
  const folder = streamFolder(store, stream)
  const line = await readHeadFile(folder)
  const path = headPath(folder)
  const { head, findings } =
    line === undefined ? { head: undefined, findings: [] } : await checkHead(folder, stream, { path, line, keys })
  const after = await linesAfter(folder, head)
  const since = head?.at ?? Math.min(...keys.map(({ createdAt }) => createdAt))
  const unsigned = findings.length > 0 ? [] : unsignedFindings(after, head, since)
  const broken = (await listBrokenHeads(folder)).map((aside) => ({
    path: aside.path,
    what: `the list of footage did not continue this head, signed at ${timeText(readHead(aside.line)?.at ?? 0)}`,
  }))
  return { signed: head, unsignedLines: after.length, findings: [...findings, ...unsigned, ...broken] }
}
