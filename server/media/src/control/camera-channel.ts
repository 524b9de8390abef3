import { setTimeout as sleep } from 'node:timers/promises'
import type { AdditionStep } from '@sightline/contract/camera-additions'
import type { CameraCommandAnswer, CameraCommandName, CameraCommandQuestion } from '@sightline/contract/media-plane'
import type { Logger } from '@sightline/platform/log'
import { createHub, type Hub, type MemoryBudget } from '../hub/index.ts'
import {
  type DiskRoom,
  EventTriggers,
  healthText,
  type RecordingHealth,
  type RunEnd,
  type RunLog,
  type StreamName,
  type SyncGroup,
} from '../recording/index.ts'
import {
  type BackChannelResult,
  type CameraConnect,
  type CameraHabits,
  fault,
  type OnvifCommander,
  type ReportedChange,
} from '../source/index.ts'
import { absenceLog } from './absence-log.ts'
import type { AdditionOutcome } from './addition-store.ts'
import { type AdditionWatch, watchAddition } from './addition-watch.ts'
import { type AdoptionCheckUpDeps, checkOnAdoption } from './adoption-check-up.ts'
import type { CameraAdmission } from './camera-admission.ts'
import { openDriver } from './camera-driver.ts'
import { type CameraEvent, type CameraEvents, cameraEvents } from './camera-events.ts'
import { type CameraReportsDeps, type FollowedCamera, followCamera } from './camera-reports.ts'
import { CameraTraffic } from './camera-traffic.ts'
import type { NoticedWarning } from './camera-warnings.ts'
import { type CardSyncDeps, keepSynced } from './card-sync.ts'
import type { CheckedCamera } from './check-up.ts'
import type { CheckUpStore } from './check-up-store.ts'
import type { FootageKeyring } from './footage-keyring.ts'
import { HabitKeeper, type HabitStore } from './habit-keeper.ts'
import { keepLease, type LeaseDeps, type LeaseHandle } from './lease-keeper.ts'
import { type LivenessWatch, watchLiveness } from './liveness-watch.ts'
import { MicrophoneGate } from './microphone-gate.ts'
import { RecordingSwitch } from './recording-switch.ts'
import { type StatusKeeper, statusKeeper, toRecordingState } from './status-keeper.ts'
import type { CameraToServe, StatusChange } from './store.ts'
import { type KnownCertificate, keepConnected, openLoudspeaker, playStream } from './stream-connection.ts'
import { keepRecording, type RecordedStream } from './stream-recording.ts'
import { openSubStream, type SubStream } from './sub-stream.ts'
import type { CameraSituation, WorkerTally } from './worker-figures.ts'

export interface ChannelDeps {
  readonly camera: CameraToServe
  readonly password: string | undefined
  readonly connect: CameraConnect
  readonly store: string
  readonly keys: FootageKeyring
  readonly encryptsFootage: boolean
  /** The memory for media, shared by all cameras of the worker. */
  readonly memory: MemoryBudget
  readonly group: SyncGroup
  readonly room?: DiskRoom
  readonly runs: RunLog
  readonly leases: Pick<LeaseDeps, 'renew' | 'late' | 'recalled'> & {
    /** Like {@link LeaseDeps.take}, with a fence above the given one. */
    readonly take: (above: number) => ReturnType<LeaseDeps['take']>
  }
  readonly saveStatus: (change: StatusChange) => Promise<void>
  /** Gets each step of adding a new camera that succeeded. */
  readonly saveStep: (step: AdditionStep) => Promise<void>
  /** Called once with the result of adding a new camera. */
  readonly saveOutcome: (outcome: AdditionOutcome) => Promise<void>
  /** Gets the camera's events for its owner. */
  readonly note: (event: CameraEvent) => void
  /** Motion that the camera reports. */
  readonly onMotion: (change: ReportedChange) => void
  /** Whether a warning about the camera applies. */
  readonly onWarning: (warning: NoticedWarning, isActive: boolean) => void
  /** What the camera can do. */
  readonly abilities: CameraReportsDeps['abilities']
  readonly habitStore: HabitStore
  /** The results of check-ups. */
  readonly checkUps: CheckUpStore
  readonly limitChecks: AdoptionCheckUpDeps['limitChecks']
  /** Which cameras the worker has room for. */
  readonly admission: Pick<CameraAdmission, 'join' | 'leave' | 'enter'>
  /** For filling gaps from the camera's card. */
  readonly sync: Pick<CardSyncDeps, 'db' | 'settledMs'>
  readonly tally: Pick<WorkerTally, 'recorded' | 'openReceived'>
  readonly log: Logger
  readonly now: () => number
}

/** One camera: what connects to it, records it, and shows it to viewers through its hub. */
export interface CameraChannel extends AsyncDisposable {
  readonly camera: CameraToServe
  /** Undefined for a stream that the camera doesn't have. */
  hub(stream: StreamName): Hub | undefined
  /** A sentence for the operator while footage cannot be written. */
  readonly problem: string | undefined
  readonly situation: CameraSituation
  /** The camera with its latest settings: when to record, whether with sound, and whether gaps are filled. */
  plan(settings: CameraToServe): void
  /** What is recorded if only events are. */
  readonly triggers: EventTriggers
  readonly recording: RecordingSwitch
  /** Asks the camera to do something; given up when the channel closes. */
  command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>): Promise<CameraCommandAnswer<Name>>
  /** The client for its requests; undefined without ONVIF. */
  readonly device: OnvifCommander | undefined
  /** What a check-up looks at. */
  readonly checked: CheckedCamera
  /** Opens the camera's loudspeaker; it closes with the channel. */
  openLoudspeaker(): Promise<BackChannelResult>
  /** Like disposing of it; `why` is the reason that the footage ends. */
  close(why: RunEnd): Promise<void>
}

/** After a bug. */
const RETRY_MS = 5000
/** How long to wait for a slow camera. */
const COMMAND_MS = 12_000

export function openCameraChannel(given: ChannelDeps): CameraChannel {
  const { deps, traffic } = withTraffic(given)
  const { camera, log } = deps
  deps.admission.join(camera.cameraId)
  const hubs = { main: createHub(deps.memory), sub: camera.subPath === null ? undefined : createHub(deps.memory) }
  const certificate: KnownCertificate = { sha256: camera.certificateSha256 ?? undefined }
  const stopping = new AbortController()
  const status = statusKeeper(deps)
  const addition = watchAddition({ ...deps, certificate: () => certificate.sha256 })
  const events = cameraEvents(deps.note, deps.now)
  const recording = new RecordingSwitch(camera, deps.now)
  const microphone = new MicrophoneGate(camera.microphone)
  const triggers = new EventTriggers(camera.preRollMs)
  const latest = { camera }
  const health = healthReport(deps, { status, events, addition })
  const liveness = watchLiveness({
    health: health.report,
    stalled: (slice) => {
      if (slice !== undefined) deps.runs.runGrew(slice)
      deps.runs.notRecorded(streamOf(camera), slice?.end ?? deps.now(), 'disk')
    },
  })
  const known = openHabits(deps, status)
  const { habits, habitKeeper } = known
  const beside = { ...known, recording, microphone, triggers, certificate, onState: status.subStream }
  const driver = openDriver(camera, { ...deps, habits })
  const followed = followCamera({ ...deps, pirInputs: () => latest.camera.detection.pir.inputs, driver })
  const sub = hubs.sub && openSubStream({ ...deps, ...beside, path: camera.subPath ?? '', hub: hubs.sub })
  const checked = toChecked({ ...deps, latest, hubs, traffic, habits, device: driver.device })
  const parts = { ...deps, ...beside, checked, hub: hubs.main, sub, followed, signal: stopping.signal }
  const running = run({ ...parts, status, addition, events, liveness, latest }).catch((err: unknown) => {
    log.error({ err, cameraId: camera.cameraId }, 'a camera channel ended because of a bug')
    health.problem = `camera ${camera.cameraId} is unavailable because of a bug: restart the server`
  })
  return {
    camera,
    hub: (stream) => hubs[stream],
    triggers,
    recording,
    get problem() {
      return health.problem
    },
    get situation() {
      return status.situation
    },
    plan: followPlan(latest, { recording, microphone, triggers }),
    device: driver.device,
    checked,
    command: (question) =>
      habitKeeper.commanded(question.name, () =>
        followed.command(question, AbortSignal.any([stopping.signal, AbortSignal.timeout(COMMAND_MS)])),
      ),
    openLoudspeaker: () => openLoudspeaker({ ...deps, habits, certificate }, stopping.signal),
    async close(why) {
      stopping.abort(why)
      deps.admission.leave(camera.cameraId)
      await Promise.all([running, driver[Symbol.asyncDispose]()])
      for (const each of [recording, addition, liveness]) each[Symbol.dispose]()
      sub?.[Symbol.dispose]()
      for (const hub of [hubs.main, hubs.sub]) hub?.[Symbol.dispose]()
      events.closed()
      await status.stop()
    },
    [Symbol.asyncDispose]() {
      return this.close('stopped')
    },
  }
}

/** What was learned of the camera earlier, and what keeps what is learned now. */
function openHabits(deps: ChannelDeps, status: StatusKeeper) {
  const habits = deps.habitStore.recalled
  const isOnline = () => status.situation !== 'offline'
  return { habits, isOnline, habitKeeper: new HabitKeeper({ ...deps, habits, isOnline }) }
}

/** What arrives is counted for the camera besides for its worker. */
function withTraffic(given: ChannelDeps): { readonly deps: ChannelDeps; readonly traffic: CameraTraffic } {
  const traffic = new CameraTraffic(given.tally)
  const tally = { recorded: given.tally.recorded, openReceived: () => traffic.openReceived() }
  return { deps: { ...given, tally }, traffic }
}

interface CheckedDeps extends Pick<ChannelDeps, 'password'>, Pick<CheckedCamera, 'habits' | 'device'> {
  readonly latest: { readonly camera: CameraToServe }
  readonly hubs: Pick<CheckedCamera, 'main' | 'sub'>
  readonly traffic: CameraTraffic
}

const toChecked = ({ latest, password, hubs, traffic, habits, device }: CheckedDeps): CheckedCamera => ({
  get camera() {
    return latest.camera
  },
  password,
  main: hubs.main,
  sub: hubs.sub,
  received: () => traffic.totals,
  habits,
  device,
})

/** Settings that change without another connection. */
const followPlan =
  (
    latest: { camera: CameraToServe },
    { recording, microphone, triggers }: Pick<Running, 'recording' | 'microphone' | 'triggers'>,
  ) =>
  (settings: CameraToServe): void => {
    latest.camera = settings
    recording.set(settings)
    microphone.set(settings.microphone)
    triggers.plan(settings.preRollMs)
  }

/** Passes on how the recording goes; `problem` is a sentence for the operator while footage can't be written. */
function healthReport(
  { camera: { cameraId }, log }: ChannelDeps,
  {
    status,
    events,
    addition,
  }: { readonly status: StatusKeeper; readonly events: CameraEvents; readonly addition: AdditionWatch },
) {
  const state = {
    problem: undefined as string | undefined,
    report(health: RecordingHealth): void {
      const before = state.problem
      const isFault = health.kind !== 'ok' && health.kind !== 'off' && health.kind !== 'standby'
      state.problem = isFault ? `camera ${cameraId} is not being recorded: ${healthText(health)}` : undefined
      status.recording(toRecordingState(health))
      events.recording(health)
      addition.recording(health)
      // A fault is met again at each try; a log that repeats it would only fill the disk further.
      if (state.problem === before) return
      if (state.problem === undefined) log.info({ cameraId }, 'recording resumed')
      else log.error({ cameraId, err: 'cause' in health ? health.cause : undefined }, state.problem)
    },
  }
  return state
}

interface Running extends ChannelDeps {
  /** Of the main stream. */
  readonly hub: Hub
  readonly sub: SubStream | undefined
  /** What the camera itself detects. */
  readonly followed: FollowedCamera
  readonly signal: AbortSignal
  readonly status: StatusKeeper
  readonly addition: AdditionWatch
  readonly events: CameraEvents
  readonly liveness: LivenessWatch
  readonly recording: RecordingSwitch
  readonly microphone: MicrophoneGate
  readonly triggers: EventTriggers
  /** What was learned of the camera. */
  readonly habits: CameraHabits
  readonly habitKeeper: HabitKeeper
  readonly certificate: KnownCertificate
  readonly checked: CheckedCamera
  readonly isOnline: () => boolean
  /** With its latest settings. */
  readonly latest: { readonly camera: CameraToServe }
}

/** As long as the channel is wanted: get the lease, then show and record the camera until the lease is lost. */
async function run(parts: Running): Promise<void> {
  const { signal } = parts
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  const newest = { fence: 0 }
  let { recalled } = parts.leases
  while (!signal.aborted) {
    const take = () => parts.leases.take(newest.fence)
    const leases = { ...parts.leases, recalled, take }
    const lease = await keepLease({ ...leases, monotonic: () => performance.now(), wait, signal })
    // If it isn't the camera's any more, another one is taken.
    recalled = undefined
    if (lease === undefined) return
    try {
      await serveUnder(lease, { ...parts, newest, cutOff: lease.isTakeover ? 'takeover' : 'restart' })
    } catch (err) {
      // A bug must not leave a camera unrecorded until the next start, nor its status as it was.
      parts.log.error(
        { err, cameraId: parts.camera.cameraId },
        'a camera channel failed because of a bug; it starts again',
      )
      const cause = fault('closed', 'internal error')
      parts.status.connection({ kind: 'offline', cause, retryInMs: RETRY_MS })
      await wait(RETRY_MS)
    } finally {
      lease.stop()
    }
  }
}

type Lease = Pick<RecordedStream, 'lease' | 'cutOff' | 'newest'>

async function serveUnder(lease: LeaseHandle, parts: Running & Omit<Lease, 'lease'>): Promise<void> {
  const { camera, hub, status, addition, events, runs, now, liveness, sub, followed } = parts
  const stream = streamOf(camera)
  const noteAbsence = absenceLog({ stream, runs, now })
  // A recorder that stops on its own has lost its lease, even if the lease is renewed just after: everything restarts
  // under another one.
  const over = new AbortController()
  const signal = AbortSignal.any([parts.signal, lease.lost, over.signal])
  const recording = keepRecording({ ...parts, stream, lease, signal }).finally(() => over.abort('restart'))
  const connected = keepConnected(
    { hub, liveness, microphone: parts.microphone, habits: parts.habits },
    {
      play: (publish, playSignal) =>
        playStream({ ...parts, path: camera.mainPath, onStep: addition.step }, publish, playSignal),
      onState: (state) => {
        addition.connection(state)
        status.connection(state)
        events.connection(state)
        noteAbsence(state)
        sub?.mainChanged(state)
        followed.mainChanged(state)
      },
      signal,
    },
  ).finally(() => over.abort('restart'))
  const beside = sub?.serve({ lease, cutOff: parts.cutOff, newest: parts.newest, signal })
  const synced = keepSynced(syncOf(parts, lease, stream), signal)
  const checkedUp = checkOnAdoption(parts, signal)
  const learned = parts.habitKeeper.keep(signal)
  // None may continue while its replacement runs.
  await Promise.allSettled([recording, connected, beside, synced, checkedUp, learned, followed.serve(signal)])
  await connected
  await recording
}

/** What fills gaps of the main stream under this lease. */
const syncOf = (parts: Running, lease: LeaseHandle, stream: CardSyncDeps['stream']): CardSyncDeps => ({
  ...parts,
  ...parts.sync,
  stream,
  lease,
  dayKey: parts.encryptsFootage ? (time) => parts.keys.dayKey(parts.camera, time) : undefined,
  latest: () => parts.latest.camera,
})

const streamOf = ({ accountId, cameraId }: CameraToServe) => ({ accountId, cameraId, stream: 'main' as const })
