import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { Hub, MemoryBudget } from '../hub/index.ts'
import type { DiskRoom, EventTriggers, RunLog, SyncGroup } from '../recording/index.ts'
import { type CameraConnect, checkedConnect } from '../source/index.ts'
import { type CameraChannel, openCameraChannel } from './camera-channel.ts'
import { cameraIdentifier } from './camera-identifier.ts'
import type { CameraLog } from './camera-log.ts'
import { joinedRuns } from './joined-runs.ts'
import { lateLeases } from './late-leases.ts'
import { LEASE_MS } from './lease-keeper.ts'
import { leaseRenewals } from './lease-renewals.ts'
import { releaseLease, renewLeases, takeLease } from './lease-store.ts'
import type { MediaWorkerDeps } from './media-worker.ts'
import { claimStatuses } from './membership-store.ts'
import { statusQueue } from './status-queue.ts'
import { type CameraToServe, isUnidentified, loadCameras, saveIdentified, saveOutcome, saveStatus } from './store.ts'
import type { CameraSituation, WorkerTally } from './worker-figures.ts'

export interface ChannelKeeperDeps extends MediaWorkerDeps {
  readonly memory: MemoryBudget
  readonly group: SyncGroup
  readonly room: DiskRoom
  readonly runs: RunLog
  readonly cameraLog: CameraLog
  /** Whether this worker serves the camera. */
  readonly owns: (cameraId: number) => boolean
  readonly tally: WorkerTally
}

export interface ChannelKeeper extends AsyncDisposable {
  readonly cameraIds: () => readonly number[]
  /** Undefined for a camera without a channel here. */
  hubOf(cameraId: number): Hub | undefined
  /** What is recorded if the camera records only events; undefined without a channel here. */
  triggersOf(cameraId: number): EventTriggers | undefined
  /** Whether the camera has no channel because of its mode. */
  isPrivate(cameraId: number): boolean
  problems(): readonly string[]
  situations(): readonly CameraSituation[]
  /** Reads from the database which cameras there are. */
  refresh(): Promise<void>
  /** The same, with a line in the log if it fails. */
  refreshLater(): void
}

type Channels = Map<number, { readonly channel: CameraChannel; readonly version: string }>

interface ListedCameras {
  readonly wanted: ReadonlyMap<number, CameraToServe>
  /** Private ones: nothing of them is fetched, so nothing can be stored or shown. */
  readonly hidden: ReadonlySet<number>
}

function listCameras(cameras: readonly CameraToServe[]): ListedCameras {
  const identified = cameras.filter((camera) => !isUnidentified(camera))
  const isPrivate = ({ mode }: CameraToServe) => mode === 'private'
  const shown = identified.filter((camera) => !isPrivate(camera))
  return {
    wanted: new Map(shown.map((camera) => [camera.cameraId, camera])),
    hidden: new Set(identified.filter(isPrivate).map(({ cameraId }) => cameraId)),
  }
}

/** Closes the channels of cameras that are gone, private, or to be opened with other settings; all at the same time. */
async function closeOthers(
  channels: Channels,
  { wanted, hidden }: ListedCameras,
  release: (cameraId: number) => Promise<void>,
): Promise<void> {
  const others = [...channels].filter(([cameraId, { version }]) => {
    const camera = wanted.get(cameraId)
    return camera === undefined || versionOf(camera) !== version
  })
  for (const [cameraId] of others) channels.delete(cameraId)
  const close = async ([cameraId, { channel }]: (typeof others)[number]) => {
    await channel.close(hidden.has(cameraId) ? 'mode' : 'stopped')
    await release(cameraId)
  }
  await Promise.all(others.map(close))
}

/** One channel per camera in the database; changes there are followed. */
export function channelKeeper(deps: ChannelKeeperDeps): ChannelKeeper {
  const { db, leaseDb, log, now, workerId, store, memory, group, room, runs, tally } = deps
  const renew = leaseRenewals((leases) => renewLeases(leaseDb, { workerId, leases, expiresAt: now() + LEASE_MS }))
  const late = lateLeases(tally.leases, log)
  const connect = checkedConnect({ allowed: deps.cameraNetworks })
  const shared = { ...keysOf(deps), connect, store, memory, group, room, runs, tally, log, now }
  const channels: Channels = new Map()
  const statuses = statusQueue({ write: (change, at) => saveStatus(db, { ...change, workerId, now: at }), now, log })
  let isClosing = false
  let hidden: ReadonlySet<number> = new Set()

  const open = (camera: CameraToServe): CameraChannel => {
    const { accountId, cameraId } = camera
    const lease = { accountId, cameraId, workerId }
    return openCameraChannel({
      camera,
      password: passwordOf(camera, deps.encryption),
      ...shared,
      leases: {
        take: (above) => takeLease(leaseDb, { ...lease, above, now: now(), expiresAt: now() + LEASE_MS }),
        renew: (fence) => renew({ cameraId, fence }),
        late,
      },
      saveStatus: statuses.save,
      saveOutcome: async (outcome) => {
        await saveOutcome(db, camera, { ...outcome, at: now() })
        // A camera that could not be added is let go at once.
        if (outcome.status === 'failure') refreshLater()
      },
      note: (event) => deps.cameraLog.note({ accountId, cameraId, ...event }),
    })
  }
  const identifier = openIdentifier(deps, connect, () => refreshLater())
  const refreshNow = async () => {
    const cameras = (await loadCameras(db)).filter(({ cameraId }) => deps.owns(cameraId))
    if (isClosing) return
    identifier.keep(cameras.filter(isUnidentified))
    const listed = listCameras(cameras)
    hidden = listed.hidden
    // Modes are obeyed before anything waits for a disk or the database.
    const wanted = [...listed.wanted.values()]
    for (const camera of wanted) channels.get(camera.cameraId)?.channel.plan(camera)
    await closeOthers(channels, listed, (cameraId) => releaseLease(leaseDb, { cameraId, workerId }))
    const added = wanted.filter(({ cameraId }) => !channels.has(cameraId))
    await claimStatuses(db, { workerId, cameraIds: added.map(({ cameraId }) => cameraId), now: now() })
    await Promise.all(wanted.map((camera) => prepareKeys(deps, camera)))
    for (const camera of added) channels.set(camera.cameraId, { channel: open(camera), version: versionOf(camera) })
  }
  const refreshing = joinedRuns(refreshNow)
  const refreshLater = (): void => {
    refreshing.run().catch((err: unknown) => log.warn({ err }, 'could not list cameras'))
  }
  return {
    cameraIds: () => [...channels.keys()],
    hubOf: (cameraId: number) => channels.get(cameraId)?.channel.hub,
    triggersOf: (cameraId: number) => channels.get(cameraId)?.channel.triggers,
    isPrivate: (cameraId: number) => hidden.has(cameraId),
    problems: () =>
      [...channels.values()].map(({ channel }) => channel.problem).filter((problem) => problem !== undefined),
    situations: () => [...channels.values()].map(({ channel }) => channel.situation),
    refresh: refreshing.run,
    refreshLater,
    async [Symbol.asyncDispose]() {
      isClosing = true
      // Recorders end first: a database that hangs must not keep footage from being closed.
      await Promise.all([...channels.values()].map(({ channel }) => channel[Symbol.asyncDispose]()))
      channels.clear()
      await identifier[Symbol.asyncDispose]()
      await refreshing.settled()
      await statuses[Symbol.asyncDispose]()
    },
  }
}

const keysOf = ({ keys, encryptsFootage }: ChannelKeeperDeps) => ({ keys, encryptsFootage })

/** One camera without keys must not keep the others from being recorded. */
async function prepareKeys({ keys, encryptsFootage, log }: ChannelKeeperDeps, camera: CameraToServe): Promise<void> {
  if (!encryptsFootage) return
  await keys.prepare(camera).catch((err: unknown) => {
    log.error({ err, cameraId: camera.cameraId }, 'could not prepare the keys of a camera’s footage')
  })
}

const openIdentifier = (deps: ChannelKeeperDeps, connect: CameraConnect, onSaved: () => void) =>
  cameraIdentifier({
    connect,
    passwordOf: (camera) => passwordOf(camera, deps.encryption),
    saveIdentified: (camera, found) => saveIdentified(deps.db, camera, found),
    saveOutcome: (camera, outcome) => saveOutcome(deps.db, camera, { ...outcome, at: deps.now() }),
    onSaved,
    log: deps.log,
    now: deps.now,
  })

/** The settings whose change reopens a channel. */
const versionOf = (camera: CameraToServe): string =>
  JSON.stringify([
    camera.address,
    camera.rtspPort,
    camera.mainPath,
    camera.username,
    camera.passwordSealed?.toString('hex'),
    camera.allowBasic,
    // Tried again: whatever came of it before is no longer true.
    camera.additionStartedAt,
  ])

function passwordOf(camera: CameraToServe, encryption: EnvelopeEncryption): string | undefined {
  if (camera.passwordSealed === null) return undefined
  const place = { accountId: camera.accountId, table: 'cameras', row: camera.cameraId, column: 'password_sealed' }
  return encryption.open(place, camera.passwordSealed)
}
