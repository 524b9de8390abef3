import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { Hub, MemoryBudget } from '../hub/index.ts'
import type { DiskRoom, RunLog, SyncGroup } from '../recording/index.ts'
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
  problems(): readonly string[]
  situations(): readonly CameraSituation[]
  /** Reads from the database which cameras there are. */
  refresh(): Promise<void>
  /** The same, with a line in the log if it fails. */
  refreshLater(): void
}

/** One channel per camera in the database; changes there are followed. */
export function channelKeeper(deps: ChannelKeeperDeps): ChannelKeeper {
  const { db, leaseDb, log, now, workerId, store, memory, group, room, runs, tally } = deps
  const renew = leaseRenewals((leases) => renewLeases(leaseDb, { workerId, leases, expiresAt: now() + LEASE_MS }))
  const late = lateLeases(tally.leases, log)
  const connect = checkedConnect({ allowed: deps.cameraNetworks })
  const shared = { ...keysOf(deps), connect, store, memory, group, room, runs, tally, log, now }
  const channels = new Map<number, { channel: CameraChannel; version: string }>()
  const statuses = statusQueue({ write: (change, at) => saveStatus(db, { ...change, workerId, now: at }), now, log })
  let isClosing = false

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
        await saveOutcome(db, camera, outcome)
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
    const wanted = byId(cameras.filter((camera) => !isUnidentified(camera)))
    for (const [cameraId, { channel, version }] of [...channels]) {
      const camera = wanted.get(cameraId)
      if (camera !== undefined && versionOf(camera) === version) continue
      channels.delete(cameraId)
      await channel[Symbol.asyncDispose]()
      await releaseLease(leaseDb, { cameraId, workerId })
    }
    const added = [...wanted.keys()].filter((cameraId) => !channels.has(cameraId))
    await claimStatuses(db, { workerId, cameraIds: added, now: now() })
    await Promise.all([...wanted.values()].map((camera) => prepareKeys(deps, camera)))
    for (const camera of wanted.values()) {
      if (!channels.has(camera.cameraId))
        channels.set(camera.cameraId, { channel: open(camera), version: versionOf(camera) })
    }
  }
  const refreshing = joinedRuns(refreshNow)
  const refreshLater = (): void => {
    refreshing.run().catch((err: unknown) => log.warn({ err }, 'could not list cameras'))
  }
  return {
    cameraIds: () => [...channels.keys()],
    hubOf: (cameraId: number) => channels.get(cameraId)?.channel.hub,
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

const byId = (cameras: readonly CameraToServe[]) => new Map(cameras.map((camera) => [camera.cameraId, camera]))

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
    saveOutcome: (camera, outcome) => saveOutcome(deps.db, camera, outcome),
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
