import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceJobPhase } from '@sightline/contract/device-jobs'
import { isSameVersion } from '@sightline/contract/firmware'
import {
  type FirmwareUpload,
  type OnvifCommander,
  type OnvifFault,
  readVersion,
  startFirmwareUpgrade,
  upgradeSystemFirmware,
} from '../source/index.ts'
import {
  beginUpgrade,
  cancelSameUpgrades,
  type FirmwareToInstall,
  isIntact,
  loadFirmware,
  readParts,
  saveVersion,
} from './firmware-store.ts'
import { endJob, requeueJob, saveProgress } from './job-store.ts'
import type { JobDeps } from './jobs.ts'

/** From its beginning: the upload, the wait, and the restart of the slowest. */
const DEADLINE_MS = 45 * 60_000
const UPLOAD_MS = 20 * 60_000
/** How long we wait for it to come back: twice what it says, but no less than this, and no more. */
const DOWN_MS = { least: 3 * 60_000, most: 15 * 60_000 } as const
const TURN_EVERY_MS = 1000
const LOOK_EVERY_MS = 2000
const CALL_MS = 10_000
/** A worker that was started just now has to connect first. */
const CONNECTED_WITHIN_MS = 30_000
/** The progress at which the upload begins and ends, in percent. */
const UPLOAD = { from: 5, until: 60 } as const

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

/** Why an upgrade failed. `spares`: others with the same image aren't concerned. */
interface Failure {
  readonly why: string
  readonly spares?: true
}

/**
 * Installs firmware. After a restart during the installation, the worker keeps watching it. After an orderly stop during the upload, the
 * next worker begins anew; after a kill the job fails, and the device keeps its old version. The job is done only if the version has changed
 * and the device works.
 */
export async function runFirmwareUpgrade(deps: JobDeps): Promise<void> {
  const { job, target, db, now, signal } = deps
  const isNew = job.state === 'queued'
  if (isNew && !(await isItsTurn(deps))) return
  const image = await loadFirmware(db, job.jobId)
  const failure = isNew ? await install(deps, image) : await resume(deps, image)
  // A device keeps its version while it doesn't have the whole file.
  if (signal.aborted) return await requeueJob(db, job.jobId)
  if (failure === undefined) {
    target.note({ level: 'info', event: 'firmwareUpgraded', detail: `version ${image?.version}` })
    return await endJob(db, job.jobId, now())
  }
  target.note({ level: 'error', event: 'firmwareFailed', detail: failure.why })
  await endJob(db, job.jobId, now(), failure.why)
  if (failure.spares === true || image === undefined) return
  const { accountId } = job
  await cancelSameUpgrades(db, { accountId, imageId: image.imageId, now: now() })
}

/** Waits until the account has a free place; false if it was canceled meanwhile, or if we stop. */
async function isItsTurn({ job, db, now, signal }: JobDeps): Promise<boolean> {
  while (!signal.aborted) {
    const turn = await beginUpgrade(db, job, { now: now(), deadline: now() + DEADLINE_MS })
    if (turn !== 'wait') return turn === 'begun'
    await pause(TURN_EVERY_MS, signal)
  }
  return false
}

async function resume(deps: JobDeps, image: FirmwareToInstall | undefined): Promise<Failure | undefined> {
  const { phase } = deps.job
  if (phase !== 'Installing' && phase !== 'Restarting')
    return { why: 'the server was restarted during the upload: try again', spares: true }
  return await waitForVersion(deps, { image, wasAway: true, downMs: DOWN_MS.most })
}

async function install(deps: JobDeps, image: FirmwareToInstall | undefined): Promise<Failure | undefined> {
  if (image === undefined) return { why: 'this firmware was removed', spares: true }
  if (!(await isIntact(deps.db, image))) return { why: "the stored file is damaged: its checksum doesn't match" }
  const device = await connectedDevice(deps)
  if (device === undefined) return { why: "it doesn't respond", spares: true }
  const before = await readVersion(device, callSignal(deps))
  if (!before.ok) return { why: sentence(before.failure), spares: true }
  if (!isFor(image, before.value))
    return { why: `this firmware is for ${image.brand} ${image.model}, not for this device`, spares: true }
  const started = await startFirmwareUpgrade(device, callSignal(deps))
  if (!started.ok && started.failure.isUnsupported !== true) return { why: sentence(started.failure) }
  // Older cameras take the image in one message, at once.
  const to = started.ok ? started.value : undefined
  await report(deps, 'Initializing', UPLOAD.from)
  await pause(to?.delayMs ?? 0, deps.signal)
  const refusal = await upload(deps, { device, image, to })
  if (refusal !== undefined) return { why: refusal }
  await report(deps, 'Installing', UPLOAD.until)
  const downMs = Math.min(DOWN_MS.most, Math.max(DOWN_MS.least, (to?.downTimeMs ?? 0) * 2))
  return await waitForVersion(deps, { image, wasAway: false, downMs, before: before.value.firmwareVersion })
}

const callSignal = ({ signal }: JobDeps): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(CALL_MS * 3)])

const report = ({ db, job }: JobDeps, phase: DeviceJobPhase, progress: number): Promise<void> =>
  saveProgress(db, job.jobId, { phase, progress })

const isFor = (
  image: FirmwareToInstall,
  { brand, model }: { readonly brand: string; readonly model: string },
): boolean =>
  image.brand.toLowerCase() === brand.trim().toLowerCase() && image.model.toLowerCase() === model.trim().toLowerCase()

async function connectedDevice({ target, now, signal }: JobDeps): Promise<OnvifCommander | undefined> {
  const giveUpAt = now() + CONNECTED_WITHIN_MS
  while (!(await target.works())) {
    if (signal.aborted || now() >= giveUpAt) return undefined
    await pause(LOOK_EVERY_MS, signal)
  }
  return target.device()
}

function sentence({ kind, detail, isUnsupported }: OnvifFault): string {
  if (isUnsupported === true) return "it can't be upgraded from here: it has no firmware upgrade by ONVIF"
  if (kind === 'credentialsIncorrect')
    return 'it rejected its user name and password: they need to be those of an administrator'
  return detail
}

interface Upload {
  readonly device: OnvifCommander
  readonly image: FirmwareToInstall
  /** Undefined: in one message with the request. */
  readonly to: FirmwareUpload | undefined
}

/** Sends the image; a sentence if the device doesn't take it. */
async function upload(deps: JobDeps, { device, image, to }: Upload): Promise<string | undefined> {
  const { db, signal } = deps
  let saved = 0
  async function* parts() {
    let sent = 0
    for await (const bytes of readParts(db, image)) {
      yield bytes
      sent += bytes.length
      const progress = UPLOAD.from + Math.floor((sent / image.sizeBytes) * (UPLOAD.until - UPLOAD.from))
      if (progress > saved) await report(deps, 'Downloading', progress)
      saved = progress
    }
  }
  await report(deps, 'Downloading', UPLOAD.from)
  const sent = { sizeBytes: image.sizeBytes, parts, timeoutMs: UPLOAD_MS, signal }
  const reply =
    to === undefined
      ? await upgradeSystemFirmware(device, sent)
      : await device.client.upload({ ...sent, address: to.address })
  if (!reply.ok) {
    const why = sentence(reply.failure)
    return reply.failure.isUnsupported === true ? why : `the upload broke off: ${why}`
  }
  const { status } = reply.value
  if (status >= 200 && status < 300) return undefined
  // ONVIF Core §8.3.10; faults of SOAP have the status 400.
  if (status === (to === undefined ? 400 : 415)) return 'it rejected the file: this firmware is not for it, or damaged'
  return `it didn't accept the file (status ${status})`
}

interface Waiting {
  readonly image: FirmwareToInstall | undefined
  readonly wasAway: boolean
  readonly downMs: number
  /** What it reported before; undefined if nobody knows. */
  readonly before?: string
}

/** What was seen of a device since it has the file. */
interface Sight {
  readonly wasAway: boolean
  /** What it reports now; undefined while it doesn't work. */
  readonly version: string | undefined
}

/** Waits until the device works with another version; a failure if it doesn't. */
async function waitForVersion(deps: JobDeps, waiting: Waiting): Promise<Failure | undefined> {
  const { job, db, now, signal } = deps
  const since = now()
  let seen: Sight = { wasAway: waiting.wasAway, version: undefined }
  while (!signal.aborted && now() - since < waiting.downMs) {
    await pause(LOOK_EVERY_MS, signal)
    seen = await look(deps, seen.wasAway)
    if (seen.version !== undefined && isUpgraded(seen.version, waiting)) {
      await saveVersion(db, job, seen.version)
      return undefined
    }
    if (seen.wasAway && seen.version !== undefined)
      return { why: `it restarted, but still has version ${seen.version}` }
    const share = Math.min(1, (now() - since) / waiting.downMs)
    const progress = UPLOAD.until + Math.floor(share * (95 - UPLOAD.until))
    await report(deps, seen.wasAway ? 'Restarting' : 'Installing', progress)
  }
  const version = seen.version === undefined ? 'the same version' : `version ${seen.version}`
  if (!seen.wasAway) return { why: `it accepted the file, but still has ${version}` }
  return { why: "it didn't come back in time after the upgrade: check its power and its network" }
}

async function look(deps: JobDeps, wasAway: boolean): Promise<Sight> {
  const works = await deps.target.works()
  const device = works ? deps.target.device() : undefined
  const read = device === undefined ? undefined : await readVersion(device, callSignal(deps))
  return { wasAway: wasAway || !works, version: read?.ok === true ? read.value.firmwareVersion : undefined }
}

const isUpgraded = (version: string, { image, before }: Waiting): boolean =>
  before === undefined ? image !== undefined && isSameVersion(version, image.version) : version !== before
