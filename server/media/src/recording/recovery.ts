import { constants, copyFile, open, rename, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { reconcile } from './catalogue.ts'
import { syncFolder } from './durable-folder.ts'
import { Manifest, readManifest, type SegmentEntry } from './manifest.ts'
import type { RunEnd, RunLog, StreamKey } from './run-log.ts'
import { contentRoot } from './segment-crypto.ts'
import { hoursBack, listOnDisk } from './segment-files.ts'
import { encodeIndex, getPartsEnd, NO_KEY, type SegmentEnd, type SegmentIndex } from './segment-layout.ts'
import { DAMAGED, type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'
import { type KeyFinder, NotASegment } from './segment-reader.ts'
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
  /** Opens encrypted segments, so that those that were left open get their digests. */
  readonly keys?: KeyFinder
  /**
   * Whether the previous writer is known to have ended. If it may still wake up (the default), its file is replaced
   * with a copy, so that its later writes have no effect.
   */
  readonly previousWriter?: 'dead' | 'unknown'
  /** Whether the log is known not to answer: it then reads the files later, as it does if it fails. */
  readonly isLogAway?: boolean
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
  /** Encrypted with a key that is not there: put in order like the others, but without digests of their content. */
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

/** What recovery found in the files of one stream, and what is left to do with them. */
export interface RecoveryPlan {
  readonly report: RecoveryReport
  /**
   * Puts the files in order: replaces, closes and lists them, in an order in which a power failure loses nothing. Safe
   * beside a recorder of the same stream. If it rejects, because the disk fails, the next call continues.
   */
  settle(): Promise<void>
}

/**
 * Reads the segments that the crash of an earlier writer left open, and updates the log from the files. It waits for no
 * sync, so that a slow disk doesn't delay the new recording: that may start as soon as this resolves, while
 * {@link RecoveryPlan.settle} works. It may be repeated, and a crash during it does no harm.
 */
export async function planRecovery(options: RecoveryOptions): Promise<RecoveryPlan> {
  const { store, stream, group } = options
  const folder = streamFolder(store, stream)
  const findings: Findings = { closed: [], listed: [], setAside: [], sealed: [] }
  const repairs: Repair[] = []
  for (const name of await unlistedSegments(folder, options)) {
    repairs.push(await examine(segmentPath(folder, name), { findings, options }))
  }
  const lines = repairs.map(({ line }) => line).filter((line) => line !== undefined)
  const settled = Promise.withResolvers<void>()
  // Footage doesn't wait for the log of it.
  if (options.isLogAway === true || !(await reconcile({ store, stream, unlisted: lines }, options.runs)))
    options.runs.readLater(stream, settled.promise)
  return {
    report: findings,
    async settle() {
      if (repairs.length === 0) return settled.resolve()
      let failure: unknown
      await using manifest = await Manifest.open({ store, stream, group, failed: (cause) => (failure = cause) })
      for (let repair = repairs[0]; repair !== undefined; repair = repairs[0]) {
        await settleOne(repair, manifest)
        repairs.shift()
      }
      await group.flush()
      if (failure !== undefined)
        throw new Error(`could not write the recovery of ${folder} to disk`, { cause: failure })
      settled.resolve()
    },
  }
}

/**
 * Recovers the segments of one stream after a crash: cuts off an incomplete tail, writes the INDEX, adds the line to
 * the manifest, and updates the log from the files.
 */
export async function recoverStream(options: RecoveryOptions): Promise<RecoveryReport> {
  const { report, settle } = await planRecovery(options)
  await settle()
  return report
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
    const unlisted = (await listOnDisk(folder, hour)).filter(
      (name) => !known.has(name.segmentId) && name.fence <= fence,
    )
    missing.push(...unlisted)
    looked++
    if (reach !== 'all' && looked >= LEAST_HOURS && unlisted.length === 0) break
  }
  return missing.sort((a, b) => a.start - b.start)
}

interface Context {
  readonly findings: Findings
  readonly options: RecoveryOptions
}

/** What is to be done with one file. */
interface Repair {
  readonly path: string
  act(): Promise<void>
  /** Added to the manifest afterwards. */
  readonly line: SegmentEntry | undefined
}

/** A file that was deleted meanwhile, because it was too old or its account is gone, needs nothing any more. */
async function settleOne({ path, line, act }: Repair, manifest: Manifest): Promise<void> {
  if (!(await isThere(path))) return
  await act()
  if (line !== undefined) await manifest.append(line, toHour(line.start))
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw new Error(`could not read ${path}`, { cause })
  }
}

async function examine(path: string, context: Context): Promise<Repair> {
  try {
    return await repairOf(path, await scanSegment(path, context.options.keys), context)
  } catch (cause) {
    if (cause instanceof NotASegment) return await setAside(path, cause.message, context)
    throw new Error(`could not recover ${path}`, { cause })
  }
}

async function repairOf(path: string, scan: Scan, context: Context): Promise<Repair> {
  const { findings, options } = context
  if (scan.index !== undefined) {
    findings.listed.push(path)
    return { path, line: await wholeLine(path, scan, scan.index), act: async () => undefined }
  }
  if (scan.parts.length === 0) return await setAside(path, 'no complete part in it', context)
  const damaged = await nameForWhatIsBehind(path, scan, findings)
  findings.closed.push({ path, parts: scan.parts.length, cutBytes: scan.fileBytes - scan.soundBytes })
  const { cutOff = 'restart' } = options
  const { parts, digests } = scan
  const root = contentRoot(parts, digests)
  if (root === undefined && scan.head.header.keyId !== NO_KEY) findings.sealed.push(path)
  const { version } = scan.head.header
  const index = encodeIndex({ version, parts, digests, end: cutOff, sha256: scan.hash.copy().digest() })
  const sha256 = scan.hash.copy().update(index).digest('hex')
  return {
    path,
    line: {
      ...lineOf(scan, cutOff),
      bytes: scan.soundBytes + index.length,
      sha256,
      ...(root && { contentRoot: root }),
    },
    async act() {
      if (damaged !== undefined) await copyFile(path, damaged, constants.COPYFILE_FICLONE)
      await closeTorn(path, { index, soundBytes: scan.soundBytes, options })
    },
  }
}

/** A tail with complete parts isn't the result of a crash: something damaged the file, so all of it is set aside. */
async function nameForWhatIsBehind(path: string, scan: Scan, { setAside }: Findings): Promise<string | undefined> {
  if (scan.fileBytes === scan.soundBytes || !(await hasLaterParts(path, scan))) return undefined
  const copy = await freeName(path)
  setAside.push({ path: copy, why: `damaged at byte ${scan.soundBytes}, followed by complete parts` })
  return copy
}

interface Closing {
  readonly index: Uint8Array
  readonly soundBytes: number
  readonly options: RecoveryOptions
}

/**
 * Cuts the file off and adds the INDEX. If the previous writer may still have it open, this happens in a copy that then
 * takes the name, so that the writer can't change it. The copy is on the disk before it is renamed: what was in the old
 * file may have been there already.
 */
async function closeTorn(path: string, { index, soundBytes, options }: Closing): Promise<void> {
  const { group, previousWriter } = options
  if (previousWriter === 'dead') return group.runLater(() => finishFile(path, index, soundBytes))
  const copy = `${path}.copy`
  await group.runLater(async () => {
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    await finishFile(copy, index, soundBytes)
  })
  await rename(copy, path)
  await group.runLater(() => syncFolder(dirname(path)))
}

async function finishFile(path: string, index: Uint8Array, soundBytes: number): Promise<void> {
  await using file = await open(path, 'r+')
  await file.truncate(soundBytes)
  const { bytesWritten } = await file.write(index, 0, index.length, soundBytes)
  if (bytesWritten !== index.length) throw new Error(`${path}: INDEX not written, disk full?`)
  await file.datasync()
}

function lineOf({ head, parts }: Scan, why: SegmentEnd): Omit<SegmentEntry, 'bytes' | 'sha256'> {
  const { segmentId, start, fence, runId, segmentInRun, kind, origin } = head.header
  return {
    segmentId,
    start,
    end: getPartsEnd(parts) ?? start,
    fence,
    runId,
    segmentInRun,
    kind,
    ...(origin && { origin }),
    parts: parts.length,
    why,
  }
}

async function wholeLine(path: string, scan: Scan, { end, digests }: SegmentIndex): Promise<SegmentEntry> {
  const root = contentRoot(scan.parts, digests)
  await using file = await open(path, 'r')
  const index = Buffer.alloc(scan.fileBytes - scan.soundBytes)
  await file.read(index, 0, index.length, scan.soundBytes)
  const sha256 = scan.hash.copy().update(index).digest('hex')
  return { ...lineOf(scan, end), bytes: scan.fileBytes, sha256, ...(root && { contentRoot: root }) }
}

async function freeName(path: string): Promise<string> {
  for (let count = 0; ; count++) {
    const name = `${path}${count === 0 ? '' : `.${count}`}${DAMAGED}`
    if (!(await isThere(name))) return name
  }
}

async function setAside(path: string, why: string, { findings, options }: Context): Promise<Repair> {
  const name = await freeName(path)
  findings.setAside.push({ path: name, why: why.replace(path, basename(path)) })
  return {
    path,
    line: undefined,
    async act() {
      await rename(path, name)
      await options.group.runLater(() => syncFolder(dirname(path)))
    },
  }
}
