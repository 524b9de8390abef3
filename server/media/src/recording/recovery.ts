import { constants, copyFile, open, rename, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { syncFolder } from './durable-folder.ts'
import { type Manifest, readManifest, type SegmentLine } from './manifest.ts'
import type { StreamKey } from './run-log.ts'
import { hoursBack, segmentsOf } from './segment-files.ts'
import { encodeIndex, endOf, type SegmentEnd } from './segment-layout.ts'
import { DAMAGED, hourOf, type SegmentName, segmentPath, streamFolder } from './segment-name.ts'
import { NotASegment, UnknownKey } from './segment-reader.ts'
import { hasPartsBehind, type Scan, scanSegment } from './segment-scan.ts'

export interface RecoveryOptions {
  readonly store: string
  readonly stream: StreamKey
  /** Of this writer: segments of a newer one are left alone. */
  readonly fence: number
  readonly manifest: Manifest
  /**
   * Whether the writer before us is known to have ended. If it may still wake up, its file is replaced by a copy, so that
   * what it writes then goes nowhere.
   */
  readonly previousWriter: 'dead' | 'unknown'
  /** `recent`: from the newest hour back to one in which all is in order. `all`: every hour, for a rebuild. */
  readonly reach: 'recent' | 'all'
}

export interface RecoveryReport {
  /** Were open when their writer died; now indexed and in the manifest. */
  readonly closed: readonly { readonly path: string; readonly parts: number; readonly cutBytes: number }[]
  /** Were whole, but their line was missing in the manifest. */
  readonly listed: readonly string[]
  /** What could not be read, under its new name. Nothing is ever deleted here. */
  readonly setAside: readonly { readonly path: string; readonly why: string }[]
  /** Encrypted with a key that this program does not have; untouched. */
  readonly sealed: readonly string[]
}

interface Findings extends RecoveryReport {
  readonly closed: { path: string; parts: number; cutBytes: number }[]
  readonly listed: string[]
  readonly setAside: { path: string; why: string }[]
  readonly sealed: string[]
}

/** In order or not, so many hours are always looked through: a segment begins in one and is closed in the next. */
const LEAST_HOURS = 2

/**
 * Brings the segments of one stream in order after a crash: a torn tail is cut off, the INDEX written, the line added to
 * the manifest. Run before the stream is recorded again. May be repeated; a crash in it does no harm.
 */
export async function recoverStream(options: RecoveryOptions): Promise<RecoveryReport> {
  const folder = streamFolder(options.store, options.stream)
  const findings: Findings = { closed: [], listed: [], setAside: [], sealed: [] }
  for (const name of await unlistedSegments(folder, options))
    await recoverSegment(segmentPath(folder, name), options, findings)
  return findings
}

/** Segments without a line in the manifest, oldest first. A line stands in the manifest of its hour or a later one. */
async function unlistedSegments(folder: string, { fence, reach }: RecoveryOptions): Promise<readonly SegmentName[]> {
  const known = new Set<string>()
  const missing: SegmentName[] = []
  let looked = 0
  for await (const hour of hoursBack(folder)) {
    for (const { entry } of await readManifest(folder, hour)) known.add(entry.segmentId)
    const unlisted = (await segmentsOf(folder, hour)).filter(
      (name) => !known.has(name.segmentId) && name.fence <= fence,
    )
    missing.push(...unlisted)
    looked++
    if (reach === 'recent' && looked >= LEAST_HOURS && unlisted.length === 0) break
  }
  return missing.sort((a, b) => a.start - b.start)
}

async function recoverSegment(path: string, options: RecoveryOptions, findings: Findings): Promise<void> {
  try {
    const scan = await scanSegment(path)
    if (scan.index !== undefined) {
      await options.manifest.append(await wholeLine(path, scan, scan.index.end), hourOf(scan.head.header.start))
      findings.listed.push(path)
    } else if (scan.parts.length === 0) {
      findings.setAside.push(await setAside(path, 'no whole part in it'))
    } else {
      await closeTorn(path, scan, options, findings)
    }
  } catch (cause) {
    if (cause instanceof NotASegment) findings.setAside.push(await setAside(path, cause.message))
    else if (cause instanceof UnknownKey) findings.sealed.push(path)
    else throw new Error(`${path} could not be recovered`, { cause })
  }
}

async function closeTorn(path: string, scan: Scan, options: RecoveryOptions, findings: Findings): Promise<void> {
  const cutBytes = scan.fileBytes - scan.soundBytes
  if (cutBytes > 0 && (await hasPartsBehind(path, scan))) {
    const copy = await freeName(path)
    await copyFile(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    findings.setAside.push({ path: copy, why: `damage at byte ${scan.soundBytes}, whole parts behind it` })
  }
  if (options.previousWriter === 'unknown') await replaceByCopy(path)
  const index = encodeIndex({ parts: scan.parts, end: 'restart', sha256: scan.hash.copy().digest() })
  await using file = await open(path, 'r+')
  await file.truncate(scan.soundBytes)
  const { bytesWritten } = await file.write(index, 0, index.length, scan.soundBytes)
  if (bytesWritten !== index.length) throw new Error(`${path}: INDEX not written, disk full?`)
  await file.datasync()
  const sha256 = scan.hash.copy().update(index).digest('hex')
  const line = { ...lineOf(scan, 'restart'), bytes: scan.soundBytes + index.length, sha256 }
  await options.manifest.append(line, hourOf(scan.head.header.start))
  findings.closed.push({ path, parts: scan.parts.length, cutBytes })
}

/** Same name, same bytes, another file: a writer that holds the old one open cannot reach it. */
async function replaceByCopy(path: string): Promise<void> {
  const copy = `${path}.copy`
  await copyFile(path, copy, constants.COPYFILE_FICLONE)
  await rename(copy, path)
  await syncFolder(dirname(path))
}

function lineOf({ head, parts }: Scan, why: SegmentEnd): Omit<SegmentLine, 'bytes' | 'sha256'> {
  const { segmentId, start, fence, runId, segmentInRun, kind } = head.header
  return { segmentId, start, end: endOf(parts) ?? start, fence, runId, segmentInRun, kind, parts: parts.length, why }
}

async function wholeLine(path: string, scan: Scan, why: SegmentEnd): Promise<SegmentLine> {
  await using file = await open(path, 'r')
  const index = Buffer.alloc(scan.fileBytes - scan.soundBytes)
  await file.read(index, 0, index.length, scan.soundBytes)
  return { ...lineOf(scan, why), bytes: scan.fileBytes, sha256: scan.hash.copy().update(index).digest('hex') }
}

async function freeName(path: string): Promise<string> {
  for (let count = 0; ; count++) {
    const name = `${path}${count === 0 ? '' : `.${count}`}${DAMAGED}`
    const isTaken = await stat(name).then(
      () => true,
      () => false,
    )
    if (!isTaken) return name
  }
}

async function setAside(path: string, why: string): Promise<{ path: string; why: string }> {
  const name = await freeName(path)
  await rename(path, name)
  await syncFolder(dirname(path))
  return { path: name, why: why.replace(path, basename(path)) }
}
