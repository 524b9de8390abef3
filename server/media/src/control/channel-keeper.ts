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
import { saveIdentified, saveOutcome, saveStep } from './addition-store.ts'
import { type CameraChannel, type ChannelDeps, openCameraChannel } from './camera-channel.ts'
import { cameraConcurrency } from './camera-concurrency.ts'
import { cameraIdentifier } from './camera-identifier.ts'
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
import { joinedRuns } from './joined-runs.ts'
import { lateLeases } from './late-leases.ts'
import { LEASE_MS } from './lease-keeper.ts'
import { leaseRenewals } from './lease-renewals.ts'
import { releaseLease, renewLeases, takeLease } from './lease-store.ts'
import type { MacLocator } from './mac-locator.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import type { Membership } from './membership.ts'
import { claimStatuses } from './membership-store.ts'
import { isCommand } from './named-command.ts'
import { changePassword } from './password-change.ts'
import { replacementKeeper } from './replacement-keeper.ts'
import { type SampledCamera, toSample } from './statistics-keeper.ts'
import { statusQueue } from './status-queue.ts'
import { type CameraToServe, endHandovers, isUnidentified, loadCameras, saveStatus } from './store.ts'
import { tryConnection } from './tried-connection.ts'
import type { CameraSituation, WorkerTally } from './worker-figures.ts'

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

interface ListedCameras {
  readonly wanted: ReadonlyMap<number, CameraToServe>
  /** Private ones: nothing of them is fetched, so nothing can be stored or shown. */
  readonly hidden: ReadonlySet<number>
}

function listCameras(cameras: readonly CameraToServe[]): ListedCameras {
  const identified = cameras.filter((camera) => !isUnidentified(camera))
  const isPrivate = ({ mode }: CameraToServe) => mode === 'private'
  return {
    wanted: new Map(identified.filter((camera) => !isPrivate(camera)).map((camera) => [camera.cameraId, camera])),
    hidden: new Set(identified.filter(isPrivate).map(({ cameraId }) => cameraId)),
  }
}

function planChannel(open: OpenChannel | undefined, camera: CameraToServe, now: number): void {
  open?.channel.plan(camera)
  open?.detection.detections.plan(camera.detection, now)
}

const isOnline = (open: OpenChannel | undefined): boolean => (open?.channel.situation ?? 'offline') !== 'offline'

const aboutOne = (
  find: (cameraId: number) => OpenChannel | undefined,
  deps: ChannelKeeperDeps & { readonly channels: Channels },
): Pick<ChannelKeeper, 'isOnline' | 'checked' | 'device' | 'samples'> => ({
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
  { wanted, hidden }: ListedCameras,
  release: (cameraId: number) => Promise<void>,
): Promise<void> {
  const others = [...channels].filter(([cameraId, { version }]) => {
    const camera = wanted.get(cameraId)
    return camera === undefined || connectionVersion(camera) !== version
  })
  for (const [cameraId] of others) channels.delete(cameraId)
  const close = async ([cameraId, open]: (typeof others)[number]) => {
    await closeChannel(open, hidden.has(cameraId) ? 'mode' : 'stopped')
    await release(cameraId)
  }
  await Promise.all(others.map(close))
}

/** One channel per camera in the database; changes there are followed. */
export function channelKeeper(deps: ChannelKeeperDeps): ChannelKeeper {
  const { db, leaseDb, log, now, workerId } = deps
  const partsOf = openParts(deps)
  const channels: Channels = new Map()
  const detectionKeeper = new DetectionKeeper(deps)
  const warnings = new CameraWarnings({ write: (record) => saveWarning(db, record), log })
  const statuses = statusQueue({ write: (change, at) => saveStatus(db, { ...change, workerId, now: at }), now, log })
  let isClosing = false
  let listed = listCameras([])

  const open = async (camera: CameraToServe): Promise<void> => {
    const password = await passwordOf(camera, deps)
    if (isClosing) return
    let detection: CameraDetection | undefined
    const channel = openCameraChannel({
      camera,
      password,
      ...partsOf(camera),
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
  const refreshNow = async () => {
    const cameras = await loadOwnCameras(deps)
    if (isClosing) return
    await newcomers.keep(cameras)
    listed = listCameras(cameras)
    // Modes are obeyed before anything waits for a disk or the database.
    const wanted = [...listed.wanted.values()]
    for (const camera of wanted) planChannel(channels.get(camera.cameraId), camera, now())
    await closeOthers(channels, listed, (cameraId) => releaseLease(leaseDb, { cameraId, workerId }))
    const added = wanted.filter(({ cameraId }) => !channels.has(cameraId))
    await claimStatuses(db, { workerId, cameraIds: idsOf(added), now: now() })
    await prepareKeys(deps, { served: cameras, wanted })
    await Promise.all(added.map((camera) => open(camera).catch(warnOf(deps, camera))))
  }
  const refreshing = joinedRuns(refreshNow)
  const refreshLater = () => void refreshing.run().catch((err: unknown) => log.warn({ err }, 'could not list cameras'))
  const usable = (cameraId: number) => findUsable(channels, listed, cameraId)
  return {
    cameraIds: () => [...channels.keys()],
    hubOf: (cameraId, stream) => usable(cameraId)?.channel.hub(stream),
    triggersOf: (cameraId: number) => channels.get(cameraId)?.channel.triggers,
    motionPreview: ({ cameraId, sensitivity }) => usable(cameraId)?.detection.preview(sensitivity) ?? noPreview,
    command: (question) => commandCamera(usable, question, deps),
    openLoudspeaker: (cameraId) => usable(cameraId)?.channel.openLoudspeaker(),
    ...aboutOne(usable, { ...deps, channels }),
    isPrivate: (cameraId: number) => listed.hidden.has(cameraId),
    problems: () => problemsOf(channels),
    situations: () => [...channels.values()].map(({ channel }) => channel.situation),
    refresh: refreshing.run,
    refreshLater,
    async [Symbol.asyncDispose]() {
      isClosing = true
      // Recorders end first: a database that hangs must not keep footage from being closed.
      await closeAll(channels)
      await Promise.all([detectionKeeper, newcomers].map((each) => each[Symbol.asyncDispose]()))
      await refreshing.settled()
      await Promise.all([statuses[Symbol.asyncDispose](), warnings[Symbol.asyncDispose]()])
    },
  }
}

/** Nobody sees or commands a camera of another account, while it is recorded here for a few seconds more. */
const findUsable = (channels: Channels, { wanted }: ListedCameras, cameraId: number): OpenChannel | undefined =>
  wanted.get(cameraId)?.isTransferred === true ? undefined : channels.get(cameraId)

/** With the networks that they can be in. */
async function loadOwnCameras({ db, networks, owns }: ChannelKeeperDeps): Promise<readonly CameraToServe[]> {
  await networks.refresh()
  await endHandovers(db)
  return (await loadCameras(db)).filter(({ cameraId, machines }) => owns(cameraId, machines))
}

async function commandCamera<Name extends CameraCommandName>(
  find: (cameraId: number) => OpenChannel | undefined,
  question: CameraCommandQuestion<Name>,
  { networks, keyService }: Pick<ChannelKeeperDeps, 'networks' | 'keyService'>,
): Promise<CameraCommandAnswer<Name>> {
  const channel = find(question.cameraId)?.channel
  if (channel === undefined) return { kind: 'cameraOffline' }
  const { camera } = channel
  if (leavesNetworks(question, networks.networksOf(camera.accountId)))
    return { kind: 'done', output: { kind: 'addressRefused' } as CameraCommands[Name]['output'] }
  const openPassword = (of: CameraToServe, sealed: Buffer) => keyService.openPassword(of, sealed)
  const deps = { camera, connect: networks.connectOf(camera.accountId), openPassword }
  if (isCommand(question, 'changePassword')) return await changePassword(deps, question.input)
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

const problemsOf = (channels: Channels): readonly string[] =>
  [...channels.values()].map(({ channel }) => channel.problem).filter((problem) => problem !== undefined)

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
  return (camera: CameraToServe) => ({
    ...shared,
    sync: { db: deps.db },
    leases: leasesOf(camera),
    abilities: { ...abilityStore(deps, camera), limit: limitAsking },
    limitChecks,
    checkUps: checkUpStore(deps, camera),
    habitStore: habitStore(deps, camera),
  })
}

function openLeases({ db, leaseDb, workerId, leaseNow, now, tally, log }: ChannelKeeperDeps) {
  const renew = leaseRenewals((leases) => renewLeases(leaseDb, { workerId, leases, expiresAt: leaseNow() + LEASE_MS }))
  const late = lateLeases(tally.leases, log)
  return ({ accountId, cameraId }: CameraToServe): ChannelDeps['leases'] => {
    const lease = { accountId, cameraId, workerId }
    /** Its status is another worker's, which had the camera while the channel here stayed open. */
    let isForeign = false
    return {
      async take(above) {
        const taken = await takeLease(leaseDb, { ...lease, above, now: leaseNow(), expiresAt: leaseNow() + LEASE_MS })
        isForeign ||= taken?.isTakeover === true
        if (taken === undefined || !isForeign) return taken
        await claimStatuses(db, { workerId, cameraIds: [cameraId], now: now() })
        isForeign = false
        return taken
      },
      renew: (fence) => renew({ cameraId, fence }),
      late,
    }
  }
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

type Served = { readonly served: readonly CameraToServe[]; readonly wanted: readonly CameraToServe[] }

/** One camera without keys must not keep the others from being recorded. */
async function prepareKeys(deps: ChannelKeeperDeps, { served, wanted }: Served): Promise<void> {
  const { keys, encryptsFootage, log } = deps
  keys.keepOnly(new Set(idsOf(served)))
  if (!encryptsFootage) return
  const prepare = (camera: CameraToServe) =>
    keys.prepare(camera).catch((err: unknown) => {
      log.error({ err, cameraId: camera.cameraId }, 'could not prepare the keys of a camera’s footage')
    })
  await Promise.all(wanted.map(prepare))
}

/** A camera that can't be opened is tried again with the next look. */
const warnOf =
  ({ log }: ChannelKeeperDeps, { cameraId }: CameraToServe) =>
  (err: unknown) =>
    log.error({ err, cameraId }, 'could not get the password of a camera')

const openIdentifier = (deps: ChannelKeeperDeps, onSaved: () => void) =>
  cameraIdentifier({
    connectOf: deps.networks.connectOf,
    passwordOf: (camera) => passwordOf(camera, deps),
    saveStep: (camera, step) => saveStep(deps.db, camera, step),
    locator: deps.locator,
    saveIdentified: (camera, found) => saveIdentified(deps.db, camera, found),
    saveOutcome: async (camera, outcome) => {
      await saveOutcome(deps.db, camera, { ...outcome, at: deps.now() })
    },
    onSaved,
    log: deps.log,
    now: deps.now,
  })

/** Devices that aren't connected yet: new cameras, and those that are to take the place of others. */
function openNewcomers(deps: ChannelKeeperDeps, onSaved: () => void) {
  const identifier = openIdentifier(deps, onSaved)
  const replacements = replacementKeeper({
    ...deps,
    connectOf: deps.networks.connectOf,
    passwordOf: (camera) => passwordOf(camera, deps),
    onReplaced: onSaved,
  })
  return {
    async keep(cameras: readonly CameraToServe[]): Promise<void> {
      identifier.keep(cameras.filter(isUnidentified))
      // Modes are obeyed whatever becomes of these.
      await replacements.refresh().catch((err: unknown) => deps.log.warn({ err }, 'could not list replacements'))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([identifier[Symbol.asyncDispose](), replacements[Symbol.asyncDispose]()])
    },
  }
}

const passwordOf = async (
  camera: Pick<CameraToServe, 'accountId' | 'cameraId' | 'passwordSealed'>,
  { keyService }: Pick<MediaWorkerDeps, 'keyService'>,
): Promise<string | undefined> =>
  camera.passwordSealed === null ? undefined : await keyService.openPassword(camera, camera.passwordSealed)
