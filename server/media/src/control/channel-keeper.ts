import type { MotionPreview, MotionPreviewQuestion } from '@sightline/contract/detectors'
import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  CameraCommands,
} from '@sightline/contract/media-plane'
import type { Hub, MemoryBudget } from '../hub/index.ts'
import type { DiskRoom, EventTriggers, RunEnd, RunLog, StreamName, SyncGroup } from '../recording/index.ts'
import type { BackChannelResult, OnvifCommander, ReportedChange } from '../source/index.ts'
import { abilityStore } from './ability-store.ts'
import { saveOutcome, saveStep } from './addition-store.ts'
import { type CameraChannel, type ChannelDeps, openCameraChannel } from './camera-channel.ts'
import { cameraConcurrency } from './camera-concurrency.ts'
import { openLeases } from './camera-leases.ts'
import type { CameraLog } from './camera-log.ts'
import { type CameraNetworks, leavesNetworks } from './camera-networks.ts'
import { saveWarning } from './camera-warning-store.ts'
import { CameraWarnings } from './camera-warnings.ts'
import { type MotionChecked, toMotionChecked } from './check-up-job.ts'
import { checkUpStore } from './check-up-store.ts'
import { connectionVersion } from './connection-version.ts'
import { type CameraDetection, DetectionKeeper, noPreview } from './detection-keeper.ts'
import type { FootageKeyring } from './footage-keyring.ts'
import { habitStore } from './habit-store.ts'
import { Handovers } from './handovers.ts'
import { joinedRuns } from './joined-runs.ts'
import { releaseLease } from './lease-store.ts'
import { type ListedCameras, listCameras, loadServedCameras } from './listed-cameras.ts'
import type { MacLocator } from './mac-locator.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import type { Membership } from './membership.ts'
import { claimFreeStatuses } from './membership-store.ts'
import { isCommand } from './named-command.ts'
import { openNewcomers } from './newcomers.ts'
import { changePassword } from './password-change.ts'
import { type SampledCamera, toSample } from './statistics-keeper.ts'
import { statusQueue } from './status-queue.ts'
import { type CameraToServe, type StatusChange, saveStatus } from './store.ts'
import { openStoredPassword } from './stored-password.ts'
import { tryConnection } from './tried-connection.ts'
import { changeCameraUsers } from './user-changes.ts'
import type { CameraSituation, WorkerTally } from './worker-figures.ts'
import type { WorkerMemory, WorkerMemoryKeeper } from './worker-memory.ts'

export interface ChannelKeeperDeps extends MediaWorkerDeps {
  readonly locator: MacLocator
  readonly keys: FootageKeyring
  readonly memory: MemoryBudget
  readonly group: SyncGroup
  readonly room: DiskRoom
  readonly runs: RunLog
  readonly cameraLog: CameraLog
  readonly networks: CameraNetworks
  /** The time that leases are judged by: the same for all workers. */
  readonly leaseNow: () => number
  /** Whether this worker serves the camera. */
  readonly owns: Membership['owns']
  readonly tally: WorkerTally
  readonly admission: ChannelDeps['admission']
  /** For the process after this one. */
  readonly remembered: WorkerMemoryKeeper
  /** Resolves once the database knows that this worker runs; rejects while it is away. */
  readonly introduce: () => Promise<void>
}

export interface ChannelKeeper extends AsyncDisposable {
  readonly cameraIds: () => readonly number[]
  /** Undefined for a camera without a channel here, and for a stream that the camera doesn't have. */
  hubOf(cameraId: number, stream: StreamName): Hub | undefined
  /** What is recorded if the camera records only events; undefined without a channel here. */
  triggersOf(cameraId: number): EventTriggers | undefined
  /** What the motion detection of a camera finds now. */
  motionPreview(question: MotionPreviewQuestion): MotionPreview
  /** Asks a camera to do something; one without a channel here counts as offline. */
  command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>): Promise<CameraCommandAnswer<Name>>
  /** Undefined if the camera has no channel. */
  openLoudspeaker(cameraId: number): Promise<BackChannelResult> | undefined
  /** Whether pictures of the camera arrive. */
  isOnline(cameraId: number): boolean
  /** The client for requests to the camera; undefined without ONVIF. */
  device(cameraId: number): OnvifCommander | undefined
  /** What a check-up looks at; undefined without a channel here. */
  checked(cameraId: number): MotionChecked | undefined
  /** Whether the camera has no channel because of its mode. */
  isPrivate(cameraId: number): boolean
  problems(): readonly string[]
  situations(): readonly CameraSituation[]
  /** What is counted of each camera. */
  samples(): Iterable<SampledCamera>
  /** Opens the cameras that the process before this one had, until the database says which there are. */
  recall(memory: WorkerMemory): void
  /** Reads from the database which cameras there are. */
  refresh(): Promise<void>
  /** The same, with a line in the log if it fails. */
  refreshLater(): void
}

interface OpenChannel {
  readonly channel: CameraChannel
  readonly detection: CameraDetection
  readonly version: string
}

type Channels = Map<number, OpenChannel>

function planChannels(channels: Channels, { wanted }: ListedCameras, now: number): void {
  for (const camera of wanted.values()) {
    const open = channels.get(camera.cameraId)
    open?.channel.plan(camera)
    open?.detection.detections.plan(camera.detection, now)
  }
}

const isOnline = (open: OpenChannel | undefined): boolean => (open?.channel.situation ?? 'offline') !== 'offline'

const aboutOne = (
  find: (cameraId: number) => OpenChannel | undefined,
  deps: ChannelKeeperDeps & { readonly channels: Channels },
): Pick<ChannelKeeper, 'isOnline' | 'checked' | 'device' | 'samples' | 'openLoudspeaker'> => ({
  openLoudspeaker: (cameraId) => find(cameraId)?.channel.openLoudspeaker(),
  samples: () => [...deps.channels.values()].map(({ channel }) => toSample(channel)),
  device: (cameraId) => find(cameraId)?.channel.device,
  isOnline: (cameraId) => isOnline(find(cameraId)),
  checked: (cameraId) => toMotionChecked(find(cameraId), deps.motion !== undefined),
})

async function closeChannel({ channel, detection }: OpenChannel, why: RunEnd): Promise<void> {
  await Promise.all([detection[Symbol.asyncDispose](), channel.close(why)])
}

async function closeAll(channels: Channels): Promise<void> {
  await Promise.all([...channels.values()].map((open) => closeChannel(open, 'stopped')))
  channels.clear()
}

/** Closes the channels of cameras that are gone, private, or to be opened with other settings; all at the same time. */
async function closeOthers(
  channels: Channels,
  { wanted, hidden, moved }: ListedCameras,
  release: (cameraId: number) => Promise<void>,
): Promise<void> {
  const whyClosed = (cameraId: number): RunEnd => {
    if (hidden.has(cameraId)) return 'mode'
    return moved.has(cameraId) ? 'takeover' : 'stopped'
  }
  const others = [...channels].filter(([cameraId, { version }]) => {
    const camera = wanted.get(cameraId)
    return camera === undefined || connectionVersion(camera) !== version
  })
  for (const [cameraId] of others) channels.delete(cameraId)
  const close = async ([cameraId, open]: (typeof others)[number]) => {
    await closeChannel(open, whyClosed(cameraId))
    await release(cameraId)
  }
  await Promise.all(others.map(close))
}

/** Ends where another worker can continue. */
async function handOverCamera(
  channels: Channels,
  cameraId: number,
  { leaseDb, workerId, log }: ChannelKeeperDeps,
): Promise<void> {
  const open = channels.get(cameraId)
  await open?.channel.finishAtKeyPicture()
  // It was closed meanwhile, for another reason.
  if (open === undefined || channels.get(cameraId) !== open) return
  channels.delete(cameraId)
  await closeChannel(open, 'takeover')
  // A lease that isn't released expires.
  await releaseLease(leaseDb, { cameraId, workerId }).catch((err: unknown) =>
    log.warn({ err, cameraId }, 'could not release the lease of a camera'),
  )
}

const openHandovers = (channels: Channels, deps: ChannelKeeperDeps, lookAgain: () => void): Handovers =>
  new Handovers({
    db: deps.leaseDb,
    workerId: deps.workerId,
    handOver: (cameraId) => void handOverCamera(channels, cameraId, deps),
    lookAgain,
  })

/** One channel per camera in the database; changes there are followed. */
export function channelKeeper(deps: ChannelKeeperDeps): ChannelKeeper {
  const { db, leaseDb, log, now, workerId, remembered } = deps
  const partsOf = openParts(deps)
  const channels: Channels = new Map()
  const detectionKeeper = new DetectionKeeper(deps)
  const warnings = new CameraWarnings({ write: (record) => saveWarning(db, record), log })
  const statuses = statusQueue({ write: (change, at) => writeStatus(deps, change, at), now, log })
  let isClosing = false
  let listed = listCameras([])

  const open = ({ camera, password, fence }: OpenedCamera): void => {
    if (isClosing || channels.has(camera.cameraId)) return
    let detection: CameraDetection | undefined
    const channel = openCameraChannel({
      camera,
      password,
      ...partsOf(camera, fence),
      connect: deps.networks.connectOf(camera.accountId),
      saveStatus: statuses.save,
      ...additionOf(camera, deps, () => refreshLater()),
      note: (event) => deps.cameraLog.note({ ...keyOf(camera), ...event }),
      onMotion: (change) => detection && noteMotion(detection, change),
      onWarning: (warning, isActive) => warnings.note({ ...keyOf(camera), warning, isActive, at: now() }),
    })
    detection = detectionKeeper.open(channel)
    channels.set(camera.cameraId, { channel, detection, version: connectionVersion(camera) })
  }
  const newcomers = openNewcomers(deps, () => refreshLater())
  const handovers = openHandovers(channels, deps, () => refreshLater())
  const refreshNow = async () => {
    const { cameras, moved } = await loadServedCameras(deps, handovers, (cameraId) => isOnline(channels.get(cameraId)))
    if (isClosing) return
    remembered.listed(cameras)
    await newcomers.keep(cameras)
    listed = listCameras(cameras, moved)
    // Modes are obeyed before anything waits for a disk or the database.
    planChannels(channels, listed, now())
    await closeOthers(channels, listed, (cameraId) => releaseLease(leaseDb, { cameraId, workerId }))
    const added = [...listed.wanted.values()].filter(({ cameraId }) => !channels.has(cameraId))
    await claimFreeStatuses(db, { workerId, cameraIds: idsOf(added), now: now() })
    await prepareKeys(deps, cameras, listed)
    await Promise.all(added.map((camera) => withPassword(camera, deps).then(open).catch(warnOf(deps, camera))))
    remembered.changed()
  }
  const refreshing = joinedRuns(refreshNow)
  const refreshLater = () => void refreshing.run().catch((err: unknown) => log.warn({ err }, 'could not list cameras'))
  const usable = (cameraId: number) => findUsable(channels, listed, cameraId)
  return {
    ...aboutAll(channels),
    hubOf: (cameraId, stream) => usable(cameraId)?.channel.hub(stream),
    motionPreview: ({ cameraId, sensitivity }) => usable(cameraId)?.detection.preview(sensitivity) ?? noPreview,
    command: (question) => commandCamera(usable, question, deps),
    ...aboutOne(usable, { ...deps, channels }),
    isPrivate: (cameraId: number) => listed.hidden.has(cameraId),
    recall(memory) {
      listed = listCameras(memory.cameras)
      for (const opened of recallCameras(deps, memory, listed)) open(opened)
    },
    refresh: refreshing.run,
    refreshLater,
    async [Symbol.asyncDispose]() {
      isClosing = true
      // Recorders end first: a database that hangs must not keep footage from being closed.
      await closeAll(channels)
      await Promise.all([detectionKeeper, newcomers].map((each) => each[Symbol.asyncDispose]()))
      handovers[Symbol.dispose]()
      await refreshing.settled()
      await Promise.all([statuses[Symbol.asyncDispose](), warnings[Symbol.asyncDispose]()])
    },
  }
}

/** Nobody sees or commands a camera of another account, while it is recorded here for a few seconds more. */
const findUsable = (channels: Channels, { wanted }: ListedCameras, cameraId: number): OpenChannel | undefined =>
  wanted.get(cameraId)?.isTransferred === true ? undefined : channels.get(cameraId)

interface OpenedCamera {
  readonly camera: CameraToServe
  readonly password: string | undefined
  /** Of the lease that the process before this one held. */
  readonly fence?: number | undefined
}

async function withPassword(camera: CameraToServe, deps: ChannelKeeperDeps): Promise<OpenedCamera> {
  const password = await openStoredPassword(camera, deps)
  deps.remembered.opened(camera.cameraId, password)
  return { camera, password }
}

/** Those of which everything is known that a connection needs. */
function recallCameras(
  { networks, keys, remembered }: ChannelKeeperDeps,
  memory: WorkerMemory,
  { wanted }: ListedCameras,
): readonly OpenedCamera[] {
  networks.recall(memory.networks)
  keys.recall(memory.dayKeys)
  remembered.recall(memory)
  return [...wanted.values()]
    .map((camera) => ({
      camera,
      password: memory.passwords.get(camera.cameraId),
      fence: memory.fences.get(camera.cameraId),
    }))
    .filter(({ camera, password }) => (camera.passwordSealed === null) === (password === undefined))
}

/** What is written before the database knows of this worker would be taken for what was true before it started. */
async function writeStatus(deps: ChannelKeeperDeps, change: StatusChange, at: number): Promise<void> {
  await deps.introduce()
  await saveStatus(deps.db, { ...change, workerId: deps.workerId, now: at })
}

async function commandCamera<Name extends CameraCommandName>(
  find: (cameraId: number) => OpenChannel | undefined,
  question: CameraCommandQuestion<Name>,
  { networks, keyService }: Pick<ChannelKeeperDeps, 'networks' | 'keyService'>,
): Promise<CameraCommandAnswer<Name>> {
  const channel = find(question.cameraId)?.channel
  if (channel === undefined) return { kind: 'cameraOffline' }
  const { camera, device } = channel
  if (leavesNetworks(question, networks.networksOf(camera.accountId)))
    return { kind: 'done', output: { kind: 'addressRefused' } as CameraCommands[Name]['output'] }
  const openPassword = (of: CameraToServe, sealed: Buffer) => keyService.openPassword(of, sealed)
  const deps = { camera, connect: networks.connectOf(camera.accountId), openPassword }
  if (isCommand(question, 'changePassword')) return await changePassword(deps, question.input)
  if (isCommand(question, 'changeUsers')) return await changeCameraUsers({ ...deps, device }, question.input)
  if (isCommand(question, 'tryConnection')) return await tryConnection(deps, question.input)
  return await channel.command(question)
}

/** Where a channel reports how the addition of its camera goes. */
const additionOf = (
  camera: CameraToServe,
  { db, locator, now }: Pick<ChannelKeeperDeps, 'db' | 'locator' | 'now'>,
  onFailure: () => void,
): Pick<ChannelDeps, 'saveStep' | 'saveOutcome'> => ({
  saveStep: (step) => saveStep(db, camera, step),
  saveOutcome: async (outcome) => {
    // One that ONVIF found has claimed its MAC address before.
    const macAddress = camera.onvif === null ? await locator.macAddressAt(camera.address) : undefined
    const ended = await saveOutcome(db, camera, { ...outcome, macAddress, at: now() })
    // A camera that could not be added is let go at once.
    if (ended === 'failure') onFailure()
  },
})

const aboutAll = (channels: Channels): Pick<ChannelKeeper, 'cameraIds' | 'problems' | 'situations' | 'triggersOf'> => ({
  cameraIds: () => [...channels.keys()],
  problems: () => [...channels.values()].map(({ channel }) => channel.problem).filter((each) => each !== undefined),
  situations: () => [...channels.values()].map(({ channel }) => channel.situation),
  triggersOf: (cameraId) => channels.get(cameraId)?.channel.triggers,
})

const keyOf = ({ accountId, cameraId }: CameraToServe) => ({ accountId, cameraId })

function noteMotion({ detections }: CameraDetection, change: ReportedChange): void {
  if (change.kind === 'end') detections.end(change.type, change.at, 'camera')
  else detections.begin(change.type, change.at, 'camera', change.cameraTime)
}

/** The parts that all channels share, and the writers of each channel. */
function openParts(deps: ChannelKeeperDeps) {
  const leasesOf = openLeases(deps)
  const shared = sharedOf(deps)
  const { limitAsking, limitChecks } = cameraConcurrency()
  return (camera: CameraToServe, fence: number | undefined) => ({
    ...shared,
    sync: { db: deps.db },
    leases: { ...leasesOf(camera), recalled: fence === undefined ? undefined : { fence, isTakeover: false } },
    abilities: { ...abilityStore(deps, camera), limit: limitAsking },
    limitChecks,
    checkUps: checkUpStore(deps, camera),
    habitStore: habitStore(deps, camera),
  })
}

/** What is the same for all channels. */
const sharedOf = ({ keys, encryptsFootage, store, memory, group, room, runs, ...deps }: ChannelKeeperDeps) => ({
  keys,
  encryptsFootage,
  store,
  memory,
  group,
  room,
  runs,
  tally: deps.tally,
  admission: deps.admission,
  log: deps.log,
  now: deps.now,
})

const idsOf = (cameras: readonly CameraToServe[]): readonly number[] => cameras.map(({ cameraId }) => cameraId)

/** One camera without keys must not keep the others from being recorded. */
async function prepareKeys(
  deps: ChannelKeeperDeps,
  served: readonly CameraToServe[],
  { wanted }: ListedCameras,
): Promise<void> {
  const { keys, encryptsFootage, log } = deps
  keys.keepOnly(new Set(idsOf(served)))
  if (!encryptsFootage) return
  const prepare = (camera: CameraToServe) =>
    keys.prepare(camera).catch((err: unknown) => {
      log.error({ err, cameraId: camera.cameraId }, 'could not prepare the keys of a camera’s footage')
    })
  await Promise.all([...wanted.values()].map(prepare))
}

/** A camera that can't be opened is tried again with the next look. */
const warnOf =
  ({ log }: ChannelKeeperDeps, { cameraId }: CameraToServe) =>
  (err: unknown) =>
    log.error({ err, cameraId }, 'could not get the password of a camera')
