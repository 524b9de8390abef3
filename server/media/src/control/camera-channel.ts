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
import type { BackChannelResult, CameraConnect, OnvifCommander, ReportedChange } from '../source/index.ts'
import type { AdditionOutcome } from './addition-store.ts'
import { type AdditionWatch, watchAddition } from './addition-watch.ts'
import type { AdoptionCheckUpDeps } from './adoption-check-up.ts'
import type { CameraAdmission } from './camera-admission.ts'
import { openDriver } from './camera-driver.ts'
import { type CameraEvent, type CameraEvents, cameraEvents } from './camera-events.ts'
import { type CameraReportsDeps, followCamera } from './camera-reports.ts'
import { mainStreamKey, type RunningChannel, serveInTurn } from './camera-serving.ts'
import { CameraTraffic } from './camera-traffic.ts'
import type { NoticedWarning } from './camera-warnings.ts'
import type { CardSyncDeps } from './card-sync.ts'
import type { CheckedCamera } from './check-up.ts'
import type { CheckUpStore } from './check-up-store.ts'
import type { FootageKeyring } from './footage-keyring.ts'
import { HabitKeeper, type HabitStore } from './habit-keeper.ts'
import type { LeaseDeps } from './lease-keeper.ts'
import { watchLiveness } from './liveness-watch.ts'
import { MicrophoneGate } from './microphone-gate.ts'
import { RecordingSwitch } from './recording-switch.ts'
import { type StatusKeeper, statusKeeper, toRecordingState } from './status-keeper.ts'
import type { CameraToServe, StatusChange } from './store.ts'
import { type KnownCertificate, openLoudspeaker } from './stream-connection.ts'
import { openSubStream } from './sub-stream.ts'
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
    /** Tells the worker that has the camera that this one is ready for it. */
    readonly announce: () => Promise<void>
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
  /**
   * Ends the footage before a key picture, where another worker can continue it. Resolves when it comes, or after some seconds: then
   * the channel is to be closed at once.
   */
  finishAtKeyPicture(): Promise<void>
  /** Like disposing of it; `why` is the reason that the footage ends. */
  close(why: RunEnd): Promise<void>
}

/** Longer than the usual distance of key pictures. */
const KEY_PICTURE_MS = 5000

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
      deps.runs.notRecorded(mainStreamKey(camera), slice?.end ?? deps.now(), 'disk')
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
  const running = serveInTurn({ ...parts, status, addition, events, liveness, latest }).catch((err: unknown) => {
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
    finishAtKeyPicture: () => finishRecorders([hubs.sub, hubs.main], stopping.signal),
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

/** One after the other: the channel closes with the last one. */
async function finishRecorders(hubs: readonly (Hub | undefined)[], signal: AbortSignal): Promise<void> {
  for (const hub of hubs) {
    const tooLong = sleep(KEY_PICTURE_MS, undefined, { signal }).catch(() => undefined)
    await Promise.race([hub?.finishRecorders(), tooLong])
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
    { recording, microphone, triggers }: Pick<RunningChannel, 'recording' | 'microphone' | 'triggers'>,
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
