import { createHash, randomBytes } from 'node:crypto'
import { EXPORT_DAYS, type ExportFailure, MAX_EXPORT_BYTES } from '@sightline/contract/exports'
import type { ClipSound } from '@sightline/contract/footage-proof'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { CLIP_PATH } from '@sightline/contract/streams'
import { type Clock, MS_PER_DAY, MS_PER_MINUTE, repeatEvery } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { JobOutcome, JobTasks, RunningJob } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { fail, ok } from '@sightline/platform/result'
import { tokenSha256 } from '@sightline/platform/sessions'
import type { ArtefactFiles, ArtefactWriter } from './artefact-file.ts'
import { loadBrandLogo } from './brand-logo.ts'
import { fitsOrder, toDerivedOrder } from './derived-order.ts'
import { fileGaps } from './file-gaps.ts'
import {
  beginAttempt,
  type ExportAttempt,
  type ExportedCamera,
  type ExportedGap,
  expireExports,
  insertClipTicket,
  loadAsker,
  loadCameras,
  loadWanted,
  lockUnfinished,
  markDone,
  markFailed,
  markInProgress,
  markQueued,
} from './making-store.ts'
import { keyContext, passwordContext } from './sealing-contexts.ts'
import { type ExportKey, type ExportRow, lockQuota } from './store.ts'
import { writeZip, type ZipClip } from './zip-artefact.ts'

export interface ExportTaskDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly media: Pick<MediaPlane, 'exportedClip' | 'clipEnd'>
  readonly encryption: EnvelopeEncryption
  readonly artefacts: ArtefactFiles
  /** Bytes that may still be written to the disk of the artefacts; undefined if that isn't known. */
  readonly freeBytes: () => Promise<number | undefined>
  /** Fingerprint of the key that signs. */
  readonly signer: string
  /** The page that checks exported files. */
  readonly checkPage: () => Promise<string | undefined>
  readonly clock: Clock
  readonly log: Logger
}

/** How soon an export stops after it is canceled or its user loses the right to it. */
const WATCH_MS = 400
/** Reserved for the database and the recorder. */
const RESERVE_BYTES = 1024 ** 3
/** An MP4 file of footage has a signed manifest, a ZIP file some more. */
const OVERHEAD = 1.05
/** Interrupted attempts after which an export has failed. */
const MAX_ATTEMPTS = 8
const TICKET_MS = 5 * MS_PER_MINUTE

/** Makes the exports whose pictures are re-encoded, which take long: in a lane of their own, so that evidence doesn't wait for them. */
export const derivedExportTasks = (deps: ExportTaskDeps): JobTasks => ({
  makeDerivedExport: { run: (key, job) => makeExport(deps, key, job) },
})

/** Makes the files of exports, and removes expired ones. After a process is killed, its exports restart within ten seconds. */
export const exportTasks = (deps: ExportTaskDeps): JobTasks => ({
  makeExport: { run: (key, job) => makeExport(deps, key, job) },
  sweepExports: {
    everyMs: MS_PER_MINUTE,
    async run() {
      await sweepExports(deps)
      return ok(undefined)
    },
  },
})

/** A permanent failure: another attempt wouldn't help. */
class ExportFailed extends Error {
  readonly failure: ExportFailure
  constructor(failure: ExportFailure, detail: string) {
    super(detail)
    this.failure = failure
  }
}

/** The export was canceled or deleted, or another process has taken it over. */
class ExportGone extends Error {}

/** A temporary failure: a later attempt may succeed. */
class NotNow extends Error {
  readonly failure: ExportFailure
  constructor(failure: ExportFailure, detail: string) {
    super(detail)
    this.failure = failure
  }
}

const CODEC_CHANGE =
  'the camera changed its video codec in this time: export before and after the change separately, or as recorded, without additions'
const LOST_RIGHT = 'the person who asked for the export may no longer export this footage'

/** With the user who asked for it. */
type OwnedKey = ExportKey & { readonly userId: number }

interface Making {
  readonly row: ExportRow
  readonly of: ExportAttempt & OwnedKey
  readonly exportedBy: string
  readonly hasSound: boolean
  readonly cameras: ReadonlyMap<number, ExportedCamera>
  /** The brand's, as PNG, if it goes into the pictures. */
  readonly logo: Buffer | undefined
}

async function makeExport(deps: ExportTaskDeps, key: OwnedKey, job: RunningJob): Promise<JobOutcome> {
  const { db, artefacts, log } = deps
  const making = await begin(deps, key)
  if (making === undefined || making === 'notAuthorized') return ok(undefined)
  const { of } = making
  await artefacts.drop(of.exportId)
  const outcome = await attempt(deps, making, job).catch((error: unknown) => error)
  if (outcome === undefined) return ok(undefined)
  await artefacts.remove(of)
  if (outcome instanceof ExportGone) return ok(undefined)
  const isLast = of.attempt >= MAX_ATTEMPTS && !job.signal.aborted
  const { failure, detail } = failureOf(outcome)
  if (outcome instanceof ExportFailed || isLast) {
    const listedUntil = deps.clock.now() + EXPORT_DAYS * MS_PER_DAY
    await db.inTenant(of, (tx) => markFailed(tx, of, { failure, detail, listedUntil }))
    log.warn({ exportId: of.exportId, failure, detail }, 'an export failed')
    return ok(undefined)
  }
  if (!(outcome instanceof NotNow)) log.warn({ err: outcome, exportId: of.exportId }, 'an export was interrupted')
  await db.inTenant(of, (tx) => markQueued(tx, of))
  return fail({ reason: `export interrupted: ${failure}`, retry: { kind: 'backoff' } })
}

function failureOf(error: unknown): { readonly failure: ExportFailure; readonly detail: string } {
  if (error instanceof ExportFailed || error instanceof NotNow) return { failure: error.failure, detail: error.message }
  return { failure: 'interrupted', detail: 'the export was interrupted several times: try again' }
}

/** Undefined if no export is due. */
async function begin({ db, clock }: ExportTaskDeps, key: OwnedKey): Promise<Making | 'notAuthorized' | undefined> {
  return await db.inTenant(key, async (tx) => {
    const row = await lockUnfinished(tx, key)
    if (row === undefined) return undefined
    const of = { ...key, attempt: row.attempt + 1 }
    await beginAttempt(tx, of)
    const asker = await loadAsker(tx, row)
    if (asker?.mayExport !== true) {
      const listedUntil = clock.now() + EXPORT_DAYS * MS_PER_DAY
      await markFailed(tx, of, { failure: 'notAuthorized', detail: LOST_RIGHT, listedUntil })
      return 'notAuthorized'
    }
    const logo = row.logo ? await loadBrandLogo(tx, key.accountId) : undefined
    const hasSound = asker.hasSound && row.speed === 1
    return { row, of, exportedBy: asker.name, hasSound, cameras: await loadCameras(tx, row), logo }
  })
}

/** Writes the file of an export. @throws the reason if it fails. */
async function attempt(deps: ExportTaskDeps, making: Making, job: RunningJob): Promise<undefined> {
  const { db, artefacts, encryption, clock } = deps
  const { row, of, hasSound } = making
  const free = await deps.freeBytes()
  if (free !== undefined && free < row.estimated_bytes * OVERHEAD + RESERVE_BYTES) throw diskFull()
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, job.signal])
  await using writer = await artefacts.create(of)
  const hash = createHash('sha256')
  const write = async (content: Uint8Array): Promise<void> => {
    signal.throwIfAborted()
    hash.update(content)
    await writer.write(content).catch(toFailure)
  }
  const watching = watch(deps, making, { writer, ending, signal })
  try {
    const { sounds, gaps } = await writeContent(deps, making, { write, signal })
    await writer.finish().catch(toFailure)
    signal.throwIfAborted()
    const now = clock.now()
    const file = {
      keySealed: encryption.seal(keyContext(of), writer.key.toString('base64')),
      bytes: writer.bytes,
      sha256: hash.digest(),
      hasSound,
      sound: sounds.has(undefined) ? null : (SOUNDS.find((sound) => sounds.has(sound)) ?? ('none' as const)),
      gaps,
      exportedAt: now,
      signer: deps.signer,
      expiresAt: row.kept_until ?? now + EXPORT_DAYS * MS_PER_DAY,
    }
    if (!(await db.inTenant(of, (tx) => markDone(tx, of, file)))) throw new ExportGone()
  } catch (error) {
    // The reason for the abort says more than the connection error that followed.
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    ending.abort(new ExportGone())
    await watching
  }
  return undefined
}

const diskFull = () =>
  new ExportFailed('diskFull', 'the disk of the server has no room for this export: free space, or export less')

function toFailure(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') throw diskFull()
  throw error
}

const overQuota = () =>
  new ExportFailed(
    'diskFull',
    `the file is larger than expected, and exports of an account have at most ${MAX_EXPORT_BYTES / 1024 ** 3} GiB: delete one, or export less`,
  )

/**
 * Reports progress, and stops the export once it is canceled, its user loses the right to it, or room gets short: pictures that are
 * re-encoded may be larger than what was recorded.
 */
async function watch(
  { db, log, freeBytes }: ExportTaskDeps,
  { row, of }: Making,
  {
    writer,
    ending,
    signal,
  }: { readonly writer: ArtefactWriter; readonly ending: AbortController; readonly signal: AbortSignal },
): Promise<void> {
  const look = async () => {
    const { bytes } = writer
    const progress = Math.min(99, Math.floor((bytes / Math.max(1, row.estimated_bytes)) * 100))
    const isLarger = bytes > row.estimated_bytes * OVERHEAD
    const found = await db.inTenant(of, async (tx) => ({
      isThere: await markInProgress(tx, of, { progress, bytes }),
      asker: await loadAsker(tx, row),
      used: isLarger ? (await lockQuota(tx, of.accountId)).bytes : 0,
    }))
    const free = await freeBytes()
    if (!found.isThere) ending.abort(new ExportGone())
    else if (found.asker?.mayExport !== true) ending.abort(new ExportFailed('notAuthorized', LOST_RIGHT))
    else if (found.used > MAX_EXPORT_BYTES) ending.abort(overQuota())
    else if (free !== undefined && free < RESERVE_BYTES) ending.abort(diskFull())
  }
  // Without the database, permission can't be confirmed; finishing the file needs it.
  const tryLook = () =>
    look().catch((err: unknown) => log.warn({ err, exportId: of.exportId }, 'could not look after an export'))
  await tryLook()
  await repeatEvery(signal, WATCH_MS, tryLook)
}

/** Of several clips, the one of which a reader has to know most. */
const SOUNDS = ['leftOut', 'hidden', 'replaced', 'encoded', 'kept', 'none'] as const

interface Writing {
  readonly write: (content: Uint8Array) => Promise<void>
  readonly signal: AbortSignal
}

interface Written {
  /** How the clips have their sound. */
  readonly sounds: ReadonlySet<ClipSound | undefined>
  /** Of an MP4 file; null if not all of them are known. */
  readonly gaps: readonly ExportedGap[] | null
}

async function writeContent(deps: ExportTaskDeps, making: Making, { write, signal }: Writing): Promise<Written> {
  const { row, of, exportedBy } = making
  if (row.format === 'mp4') return await writeMp4(deps, making, { write, signal })
  const password =
    row.password_sealed === null ? undefined : deps.encryption.open(passwordContext(of), row.password_sealed)
  const subject = {
    exportId: of.exportId,
    name: row.name,
    reason: row.reason,
    exportedBy,
    from: row.started_at,
    till: row.ended_at,
    now: deps.clock.now(),
    signer: deps.signer,
    overlay: row.overlay,
    watermark: row.watermark,
    logo: row.logo,
    speed: row.speed,
  }
  const clips = allClips(deps, making, signal)
  const checkPage = await deps.checkPage()
  const files = await writeZip({ subject, password, clips, checkPage }, write)
  if (files.length === 0) throw noFootage()
  return { sounds: new Set(files.map(({ sound }) => sound)), gaps: null }
}

const noFootage = () => new ExportFailed('noFootage', 'the footage no longer exists')

async function writeMp4(deps: ExportTaskDeps, making: Making, { write, signal }: Writing): Promise<Written> {
  let written: ZipClip | undefined
  for await (const clip of allClips(deps, making, signal)) {
    if (written !== undefined) {
      const detail = `footage from ${new Date(clip.from).toISOString()} on is on another machine: export it as zip, or in two parts`
      throw new ExportFailed('severalMachines', detail)
    }
    written = clip
    for await (const chunk of clip.chunks) await write(chunk)
  }
  if (written === undefined) throw noFootage()
  return { sounds: new Set([written.sound]), gaps: fileGaps(written, making.row) }
}

async function* allClips(deps: ExportTaskDeps, making: Making, signal: AbortSignal): AsyncGenerator<ZipClip> {
  for (const cameraId of making.row.camera_ids) yield* clipsOf(deps, making, { cameraId, signal })
}

/** The clips of a camera: one, or one of each machine that has a part of its footage. */
async function* clipsOf(
  deps: ExportTaskDeps,
  making: Making,
  { cameraId, signal }: { readonly cameraId: number; readonly signal: AbortSignal },
): AsyncGenerator<ZipClip> {
  const { accountId } = making.of
  const { name: cameraName = `camera ${cameraId}`, timeZone = 'UTC' } = making.cameras.get(cameraId) ?? {}
  const { started_at: begins, ended_at: ends } = making.row
  for (let from = begins; from < ends; ) {
    const till = Math.min(ends, await deps.media.clipEnd({ accountId, cameraId, stream: 'main', from, till: ends }))
    if (till <= from) return
    const answer = await openClip(deps, making, { cameraId, cameraName, timeZone, from, till, signal })
    if (answer !== undefined) yield { cameraId, cameraName, from, till, ...answer }
    from = till
  }
}

interface WantedClip {
  readonly cameraId: number
  readonly cameraName: string
  readonly timeZone: string
  readonly from: number
  readonly till: number
  readonly signal: AbortSignal
}

/** Undefined if there is no footage. @throws NotNow if the worker with the footage can't send it now. */
async function openClip(
  { db, media, clock }: ExportTaskDeps,
  { row, of, exportedBy, hasSound, logo }: Making,
  { cameraId, cameraName, timeZone, from, till, signal }: WantedClip,
): Promise<Omit<ZipClip, 'cameraId' | 'cameraName' | 'from' | 'till'> | undefined> {
  const ticket = randomBytes(32).toString('base64url')
  const order = {
    exportId: String(of.exportId),
    cameraName: cameraName.slice(0, 200),
    exportedBy,
    ...(row.reason !== '' && { reason: row.reason }),
  }
  if (row.logo && logo === undefined) throw new ExportFailed('noLogo', 'the brand no longer has a logo as PNG')
  const derived = toDerivedOrder(row, { timeZone, logo })
  const bound = { sha256: tokenSha256(ticket), userId: row.user_id, expiresAt: clock.now() + TICKET_MS }
  await db.inTenant(of, (tx) =>
    insertClipTicket(tx, { ...of, ...bound, cameraId, from, till, hasSound, order, derived }),
  )
  const answer = await media.exportedClip(
    `${CLIP_PATH}?camera_id=${cameraId}&export_id=${of.exportId}&ticket=${ticket}`,
    signal,
  )
  if (answer.kind === 'noEncoder' || (answer.kind === 'clip' && !fitsOrder(answer, derived)))
    throw new ExportFailed(
      'noEncoder',
      'the machine with the footage has no encoder for overlay, watermark, logo and speed',
    )
  if (answer.kind === 'codecChange') throw new ExportFailed('noEncoder', CODEC_CHANGE)
  if (answer.kind === 'clip') return answer
  if (answer.kind === 'noFootage') return undefined
  throw new NotNow(
    answer.kind === 'busy' ? 'interrupted' : 'away',
    'the machine with the footage can’t be reached: try again later',
  )
}

/** Removes files that are no longer needed: of expired, deleted and interrupted exports, and of deleted accounts. */
export async function sweepExports({
  db,
  artefacts,
  clock,
}: Pick<ExportTaskDeps, 'db' | 'artefacts' | 'clock'>): Promise<void> {
  await db.transaction((tx) => expireExports(tx, clock.now()))
  const files = await artefacts.list()
  if (files.length === 0) return
  const wanted = await db.transaction((tx) =>
    loadWanted(
      tx,
      files.map(({ exportId }) => exportId),
      clock.now(),
    ),
  )
  for (const file of files) if (!wanted.has(`${file.exportId}-${file.attempt}`)) await artefacts.remove(file)
}
