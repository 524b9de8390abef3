import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { CardImport, type CardImportOptions, type CardSound } from '../recording/index.ts'
import {
  type CameraConnect,
  type CardRecording,
  findCardRecordings,
  findReplayAddress,
  OnvifCommander,
  replayRtsp,
} from '../source/index.ts'
import { ONVIF_PATH } from './camera-addition.ts'
import type { CameraToServe } from './store.ts'
import { type FillableGap, gapsToFill, isSoundKept, maySync, SETTLED_MS } from './sync-plan.ts'
import {
  addSynced,
  beginSyncJob,
  endFinishedJobs,
  endSyncJob,
  loadSyncFacts,
  saveCard,
  stopSyncJobs,
} from './sync-store.ts'
import { syncTurns } from './sync-turn.ts'

export interface CardSyncDeps extends Omit<CardImportOptions, 'dayKey'> {
  readonly camera: CameraToServe
  readonly password: string | undefined
  readonly connect: CameraConnect
  readonly db: Db
  readonly dayKey: CardImportOptions['dayKey'] | undefined
  /** With its latest settings. */
  readonly latest: () => CameraToServe
  readonly isOnline: () => boolean
  /** How long a camera has to be back before a gap is filled; a test may want it short. */
  readonly settledMs?: number | undefined
  readonly log: Logger
  readonly now: () => number
}

const LOOK_EVERY_MS = 10_000
const ASK_CARD_EVERY_MS = 5 * 60_000
const SETTLE_MS = 15_000
const OFF_CHECK_MS = 500
/** A card whose newest recording is this recent is recording. */
const RECENT_MS = 10 * 60_000
const COMMAND_MS = 30_000
/** Footage that is fetched with one connection, and becomes one segment. */
const CHUNK_MS = 60_000
/** A camera with long groups of pictures sends some of the time after it too. */
const MAX_GROUP_MS = 20_000
const MAX_CHUNK_BYTES = 48 * 1024 * 1024
/** Whatever a camera sends without a key picture, or without pictures, no more is taken with one connection. */
const MAX_REPLAY_BYTES = 2 * MAX_CHUNK_BYTES
/** One connection lasts no longer: all other cameras of the worker wait for it. */
const MAX_REPLAY_MS = 5 * 60_000
/** Chunks of a gap are this long on average, beside some short ones: a camera whose time stands still never ends. */
const LEAST_CHUNK_MS = 5000
const SHORT_CHUNKS = 10
/** On average: live video of other cameras goes first. */
const MAX_BYTES_PER_SECOND = 1_000_000
const MAX_TRIES = 3

/** One gap at a time in each worker, whatever the number of cameras. */
const inTurn = syncTurns()

/** Fills gaps in the footage of a camera from its card until the signal aborts. Never rejects. */
export async function keepSynced(deps: CardSyncDeps, signal: AbortSignal): Promise<void> {
  const { camera, log } = deps
  if (camera.onvif === null) return
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  const device = openDevice(deps)
  const tries = new Map<number, number>()
  let askedAt: number | undefined
  await wait(SETTLE_MS)
  while (!signal.aborted) {
    try {
      if (deps.isOnline() && (askedAt === undefined || performance.now() - askedAt >= ASK_CARD_EVERY_MS)) {
        askedAt = performance.now()
        await lookAtCard(deps, device, signal)
      }
      await syncOnce(deps, { device, tries, signal })
    } catch (err) {
      if (!signal.aborted) log.warn({ err, cameraId: camera.cameraId }, 'could not fill gaps from the card')
    }
    await wait(LOOK_EVERY_MS)
  }
}

function openDevice({ camera, password, connect }: CardSyncDeps): OnvifCommander {
  const { onvif, address, username, allowBasic, mainPath, input } = camera
  return new OnvifCommander({
    address: { host: address, port: onvif?.port ?? 0, path: ONVIF_PATH, isSecure: onvif?.isSecure ?? false },
    credentials: username === null ? undefined : { username, password: password ?? '' },
    allowBasic,
    certificate: onvif?.certificate,
    connect,
    stream: { mainPath, input },
  })
}

const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(COMMAND_MS)])

const isInput = ({ motionSources }: CameraToServe): boolean => motionSources !== null

async function listRecordings(camera: CameraToServe, device: OnvifCommander, signal: AbortSignal) {
  // Everything that the camera says about times is by its own clock.
  const clock = await device.client.readClock()
  return clock.ok ? await findCardRecordings(device, limited(signal), { ofInput: isInput(camera) }) : clock
}

async function lookAtCard({ db, camera, now }: CardSyncDeps, device: OnvifCommander, signal: AbortSignal) {
  const found = await listRecordings(camera, device, signal)
  if (found.ok)
    return await saveCard(
      db,
      camera,
      found.value.some(({ until }) => now() - until < RECENT_MS),
    )
  if (found.failure.isUnsupported === true) await saveCard(db, camera, false)
}

interface Round {
  readonly device: OnvifCommander
  /** How often a gap was tried, by its start. */
  readonly tries: Map<number, number>
  readonly signal: AbortSignal
}

/** The gaps that may be filled now, one after the other. */
async function syncOnce(deps: CardSyncDeps, round: Round): Promise<void> {
  const { db, now } = deps
  const plan = deps.latest()
  const isOff = () => !deps.latest().cloudSync || !maySync(deps.latest())
  if (isOff()) return await stopSyncJobs(db, plan, now())
  if (!deps.isOnline()) return
  const { formerPlans, ...known } = await loadSyncFacts(db, plan, now())
  const facts = { ...known, plan, formerPlans: formerPlans(plan), since: plan.additionStartedAt, now: now() }
  const gaps = gapsToFill(facts, deps.settledMs ?? SETTLED_MS)
  await endFinishedJobs(db, plan, { gaps, now: now() })
  for (const gap of gaps) {
    if (round.signal.aborted || isOff() || !deps.isOnline()) return
    const isHeard = (time: number) => isSoundKept(facts, time)
    await inTurn(() => fillWhileWanted(deps, round, { gap, isOff, isHeard }), round.signal)
  }
}

/** Ends within a second when sync is turned off or the camera's mode ends it. */
async function fillWhileWanted(
  deps: CardSyncDeps,
  round: Round,
  { gap, isOff, isHeard }: Pick<Filling, 'gap' | 'isHeard'> & { readonly isOff: () => boolean },
): Promise<void> {
  const off = new AbortController()
  const watch = setInterval(() => isOff() && off.abort(), OFF_CHECK_MS)
  try {
    await fillGap(deps, { ...round, signal: AbortSignal.any([round.signal, off.signal]) }, { gap, isHeard })
  } finally {
    clearInterval(watch)
  }
  if (off.signal.aborted) await stopSyncJobs(deps.db, deps.camera, deps.now())
}

async function fillGap(
  deps: CardSyncDeps,
  { device, tries, signal }: Round,
  { gap, isHeard }: Pick<Filling, 'gap' | 'isHeard'>,
): Promise<void> {
  const { db, camera, now, log, dayKey } = deps
  if (signal.aborted) return
  const jobId = await beginSyncJob(db, camera, { gap, now: now() })
  const tried = (tries.get(gap.start) ?? 0) + 1
  tries.set(gap.start, tried)
  const filling = new CardImport({ ...deps, ...(dayKey === undefined ? {} : { dayKey }) })
  const there = await filling.tidy(gap.start, gap.end)
  const from = there.reduce((end, slice) => Math.max(end, slice.end), gap.start)
  const outcome = await fetchInto(deps, {
    device,
    filling,
    gap: { ...gap, start: from },
    isHeard,
    synced: (ms) => addSynced(db, camera, jobId, ms),
    signal,
  })
  if (signal.aborted) return void tries.set(gap.start, tried - 1)
  if (outcome.isFinal || tried >= MAX_TRIES) {
    tries.delete(gap.start)
    await endSyncJob(db, camera, jobId, { now: now(), note: outcome.note })
  }
  log.info({ cameraId: camera.cameraId, note: outcome.note }, 'a gap was filled from the card')
}

interface Filling {
  readonly device: OnvifCommander
  readonly filling: CardImport
  readonly gap: FillableGap
  /** Whether sound of that time may be kept: the microphone was on. */
  readonly isHeard: (time: number) => boolean
  readonly synced: (ms: number) => Promise<void>
  readonly signal: AbortSignal
}

interface Outcome {
  /** Trying again would bring nothing more. */
  readonly isFinal: boolean
  readonly note: string | null
}

const nothingThere: Outcome = { isFinal: true, note: 'nothing was recorded on the device at this time' }
const cutOff: Outcome = { isFinal: false, note: 'the camera stopped sending before the end of the gap' }
const notReached = (detail: string): Outcome => ({
  isFinal: false,
  note: `the recordings on the device could not be read: ${detail}`,
})

/** Where the recording of a gap is replayed. */
async function locate(
  camera: CameraToServe,
  { device, gap, signal }: Filling,
): Promise<Pick<Replayed, 'address' | 'recording'> | Outcome> {
  const found = await listRecordings(camera, device, signal)
  if (!found.ok) {
    const { isUnsupported, detail } = found.failure
    if (isUnsupported !== true) return notReached(detail)
    return { isFinal: true, note: `the recordings can't be searched by ONVIF Profile G: ${detail}` }
  }
  const recording = found.value.find(({ from, until }) => from < gap.end && until > gap.start)
  if (recording === undefined) return nothingThere
  const address = await findReplayAddress(device, recording, limited(signal))
  return address.ok ? { address: address.value, recording } : notReached(address.failure.detail)
}

async function fetchInto(deps: CardSyncDeps, job: Filling): Promise<Outcome> {
  const { gap, signal } = job
  const located = await locate(deps.camera, job)
  if ('isFinal' in located) return located
  let from = Math.max(gap.start, located.recording.from)
  let hasFootage = false
  let left = SHORT_CHUNKS + Math.ceil((gap.end - from) / LEAST_CHUNK_MS)
  while (!signal.aborted && from < gap.end && left-- > 0) {
    const began = performance.now()
    const chunk = await fetchChunk(deps, { ...job, ...located }, from)
    if (typeof chunk === 'string') return notReached(chunk)
    const isKept = await keepChunk(job, chunk)
    hasFootage ||= isKept
    if (chunk.next === undefined) {
      const end = Math.min(gap.end, located.recording.until)
      if (chunk.isCutOff && end - (chunk.units.at(-1)?.wallClock ?? from) > LEAST_CHUNK_MS) return cutOff
      break
    }
    from = chunk.next.wallClock
    const dueMs = (chunk.bytes / MAX_BYTES_PER_SECOND) * 1000 - (performance.now() - began)
    if (dueMs > 0) await sleep(dueMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return hasFootage ? { isFinal: !signal.aborted, note: null } : nothingThere
}

/** Whether there was something in it. */
async function keepChunk({ filling, gap, synced }: Filling, { track, units, next, sound }: Chunk): Promise<boolean> {
  if (track === undefined || units.length === 0) return false
  const written = await filling.add({ track, units, next, sound, why: gap.why })
  await synced(written.end - written.start)
  return true
}

interface Chunk {
  readonly track: TrackConfig | undefined
  readonly units: readonly AccessUnit[]
  readonly sound: CardSound | undefined
  /** Where the next one begins; undefined if this is the last. */
  readonly next: AccessUnit | undefined
  readonly bytes: number
  /** Whether more of the range may be on the card. */
  readonly isCutOff: boolean
}

interface Replayed extends Filling {
  readonly address: Parameters<typeof replayRtsp>[0]['address']
  readonly recording: CardRecording
}

/** About a minute of pictures from that time on, whole groups of them; a sentence if the camera fails. */
async function fetchChunk(
  { camera, password, connect }: CardSyncDeps,
  { device, address, gap, isHeard, signal }: Replayed,
  from: number,
): Promise<Chunk | string> {
  const limit = Math.min(from + CHUNK_MS, gap.end)
  const units: AccessUnit[] = []
  let track: TrackConfig | undefined
  let next: AccessUnit | undefined
  const heard: AccessUnit[] = []
  let soundTrack: TrackConfig | undefined
  /** Sound may come somewhat after the pictures of its time. */
  let heardUntil = 0
  let bytes = 0
  const hear = (unit: AccessUnit, config: TrackConfig): void => {
    heardUntil = unit.wallClock
    if (soundTrack !== undefined && !isSameTrack(soundTrack, config)) return
    soundTrack = config
    const isLater = next !== undefined && unit.wallClock >= next.wallClock
    if (!isLater && unit.wallClock >= from && unit.wallClock < gap.end && isHeard(unit.wallClock)) heard.push(unit)
  }
  const isSoundDue = (end: AccessUnit, wallClock: number): boolean =>
    soundTrack !== undefined && heardUntil < end.wallClock && wallClock < end.wallClock + SOUND_DELAY_MS
  const tooMuch = new AbortController()
  const tooLong = AbortSignal.timeout(MAX_REPLAY_MS)
  const replayed = await replayRtsp({
    address,
    credentials: camera.username === null ? undefined : { username: camera.username, password: password ?? '' },
    allowBasic: camera.allowBasic,
    connect,
    pin: { sha256: address.isSecure === true ? (camera.certificateSha256 ?? undefined) : undefined },
    signal: AbortSignal.any([signal, tooMuch.signal, tooLong]),
    from,
    to: Math.min(limit + MAX_GROUP_MS, gap.end),
    clockAheadMs: device.client.clockAheadMs,
    received: (count) => {
      bytes += count
      if (bytes > MAX_REPLAY_BYTES) tooMuch.abort()
    },
    picture(unit, config) {
      const { wallClock, isKey } = unit
      // What was in the air when enough had come.
      if (next !== undefined) return isSoundDue(next, wallClock)
      if (wallClock < from || (units.length === 0 && !isKey)) return true
      const isOver = wallClock >= limit || bytes > MAX_CHUNK_BYTES
      if (wallClock + PICTURE_MS > gap.end) return false
      if (isKey && isOver && units.length > 0) {
        next = unit
        return soundTrack !== undefined
      }
      // Other parameters begin another segment.
      if (track !== undefined && !isSameTrack(track, config)) {
        next = unit
        return soundTrack !== undefined
      }
      track = config
      units.push(unit)
      return true
    },
    // A microphone that is off isn't listened to.
    sound: !isHeard(from) && !isHeard(limit) ? undefined : hear,
  })
  if (tooLong.aborted) return 'the camera sends too slowly'
  if (!replayed.ok && units.length === 0) return replayed.failure.detail
  const sound = soundTrack === undefined || heard.length === 0 ? undefined : { track: soundTrack, units: heard }
  return { track, units, sound, next, bytes, isCutOff: !replayed.ok || replayed.value === 'silent' }
}

/** How much later than the pictures of a time its sound may come, in time of the footage. */
const SOUND_DELAY_MS = 1000

/** The last picture lasts that long. */
const PICTURE_MS = 40

const isSameTrack = (one: TrackConfig, other: TrackConfig): boolean => one.codecString === other.codecString
