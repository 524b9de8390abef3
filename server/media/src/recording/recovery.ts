import { constants, copyFile, open, rename, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { reconcile } from './catalogue.ts'
import { syncFolder } from './durable-folder.ts'
import { Manifest, readManifest, type SegmentEntry } from './manifest.ts'
import type { RunEnd, RunLog, StreamKey } from './run-log.ts'
import { hoursBack, listSegments } from './segment-files.ts'
import { encodeIndex, getPartsEnd, type SegmentEnd } from './segment-layout.ts'
import { DAMAGED, type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'
import { NotASegment, UnknownKey } from './segment-reader.ts'
import { hasLaterParts, type Scan, scanSegment } from './segment-scan.ts'
import type { SyncGroup } from './sync-group.ts'

export interface RecoveryOptions {
  readonly store: string
  readonly stream: StreamKey
  /** This writer's fence: segments of a newer one are left alone. */
  readonly fence: number
  readonly group: SyncGroup
  /** Updated from the files. */
  readonly runs: RunLog
  /**
   * Whether the previous writer is known to have ended. If it may still wake up (the default), its file is replaced
   * with a copy, so that its later writes have no effect.
   */
  readonly previousWriter?: 'dead' | 'unknown'
  /** The end reason of unclosed footage; `restart` by default. */
  readonly cutOff?: RunEnd
  /** `recent`, the default: from the newest hour back to one in which all is in order. `all`: every hour, for a rebuild. */
  readonly reach?: 'recent' | 'all'
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

/** This many hours are always checked, because a segment begins in one and is closed in the next. */
const LEAST_HOURS = 2

/**
 * Recovers the segments of one stream after a crash: cuts off an incomplete tail, writes the INDEX, adds the line to
 * the manifest, and updates the log from the files. Run it before the stream is recorded again. It may be repeated, and
 * a crash during it does no harm.
 */
export async function recoverStream(options: RecoveryOptions): Promise<RecoveryReport> {
  const { store, stream, group } = options
  const folder = streamFolder(store, stream)
  const findings: Findings = { closed: [], listed: [], setAside: [], sealed: [] }
  let failure: unknown
  await using manifest = await Manifest.open({ store, stream, group, failed: (cause) => (failure = cause) })
  for (const name of await unlistedSegments(folder, options)) {
    await new SegmentRecovery(segmentPath(folder, name), { manifest, findings, options }).run()
  }
  await group.flush()
  if (failure !== undefined) throw new Error(`could not write the recovery of ${folder} to disk`, { cause: failure })
  await reconcile(store, stream, options.runs)
  return findings
}

/**
 * Segments without a line in the manifest, oldest first. A segment's line is in the manifest of its hour or a later
 * one.
 */
async function unlistedSegments(folder: string, { fence, reach }: RecoveryOptions): Promise<readonly SegmentName[]> {
  const known = new Set<string>()
  const missing: SegmentName[] = []
  let looked = 0
  for await (const hour of hoursBack(folder)) {
    for (const { entry } of await readManifest(folder, hour)) known.add(entry.segmentId)
    const unlisted = (await listSegments(folder, hour)).filter(
      (name) => !known.has(name.segmentId) && name.fence <= fence,
    )
    missing.push(...unlisted)
    looked++
    if (reach !== 'all' && looked >= LEAST_HOURS && unlisted.length === 0) break
  }
  return missing.sort((a, b) => a.start - b.start)
}

interface Context {
  readonly manifest: Manifest
  readonly findings: Findings
  readonly options: RecoveryOptions
}

class SegmentRecovery {
  readonly #path: string
  readonly #context: Context

  constructor(path: string, context: Context) {
    this.#path = path
    this.#context = context
  }

  async run(): Promise<void> {
    const { findings } = this.#context
    try {
      await this.#recover(await scanSegment(this.#path))
    } catch (cause) {
      if (cause instanceof NotASegment) findings.setAside.push(await setAside(this.#path, cause.message))
      else if (cause instanceof UnknownKey) findings.sealed.push(this.#path)
      else throw new Error(`could not recover ${this.#path}`, { cause })
    }
  }

  async #recover(scan: Scan): Promise<void> {
    const { findings } = this.#context
    if (scan.index !== undefined) {
      await this.#list(await wholeLine(this.#path, scan, scan.index.end))
      findings.listed.push(this.#path)
    } else if (scan.parts.length === 0) {
      findings.setAside.push(await setAside(this.#path, 'no complete part in it'))
    } else {
      await this.#keepWhatIsBehind(scan)
      await this.#closeTorn(scan)
      findings.closed.push({ path: this.#path, parts: scan.parts.length, cutBytes: scan.fileBytes - scan.soundBytes })
    }
  }

  /** A tail with complete parts isn't the result of a crash: something damaged the file, so all of it is set aside. */
  async #keepWhatIsBehind(scan: Scan): Promise<void> {
    if (scan.fileBytes === scan.soundBytes || !(await hasLaterParts(this.#path, scan))) return
    const copy = await freeName(this.#path)
    await copyFile(this.#path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    this.#context.findings.setAside.push({
      path: copy,
      why: `damaged at byte ${scan.soundBytes}, followed by complete parts`,
    })
  }

  async #closeTorn(scan: Scan): Promise<void> {
    if (this.#context.options.previousWriter !== 'dead') await replaceByCopy(this.#path)
    const { cutOff = 'restart' } = this.#context.options
    const index = encodeIndex({ parts: scan.parts, end: cutOff, sha256: scan.hash.copy().digest() })
    await using file = await open(this.#path, 'r+')
    await file.truncate(scan.soundBytes)
    const { bytesWritten } = await file.write(index, 0, index.length, scan.soundBytes)
    if (bytesWritten !== index.length) throw new Error(`${this.#path}: INDEX not written, disk full?`)
    await file.datasync()
    const sha256 = scan.hash.copy().update(index).digest('hex')
    await this.#list({ ...lineOf(scan, cutOff), bytes: scan.soundBytes + index.length, sha256 })
  }

  #list(line: SegmentEntry): Promise<void> {
    return this.#context.manifest.append(line, toHour(line.start))
  }
}

/** Same name, same bytes, another file: a writer that has the old one open can't change it. */
async function replaceByCopy(path: string): Promise<void> {
  const copy = `${path}.copy`
  await copyFile(path, copy, constants.COPYFILE_FICLONE)
  await rename(copy, path)
  await syncFolder(dirname(path))
}

function lineOf({ head, parts }: Scan, why: SegmentEnd): Omit<SegmentEntry, 'bytes' | 'sha256'> {
  const { segmentId, start, fence, runId, segmentInRun, kind } = head.header
  return {
    segmentId,
    start,
    end: getPartsEnd(parts) ?? start,
    fence,
    runId,
    segmentInRun,
    kind,
    parts: parts.length,
    why,
  }
}

async function wholeLine(path: string, scan: Scan, why: SegmentEnd): Promise<SegmentEntry> {
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
