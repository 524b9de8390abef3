import type { Duplex } from 'node:stream'
import type { MotionPreview, MotionPreviewQuestion } from '@sightline/contract/detectors'
import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  DiscoveryAnswer,
  DiscoveryQuestion,
  RecordedPictureAnswer,
  RecordedPictureQuestion,
  SnapshotAnswer,
  SnapshotFormat,
  TalkAnswer,
  TalkQuestion,
} from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import { createAgreementVersion } from '@sightline/platform/legal-texts'
import type { Logger } from '@sightline/platform/log'
import type { Decoder } from '../decoder/index.ts'
import { MemoryBudget } from '../hub/index.ts'
import { type ChainHead, type DiskRoom, databaseRunLog, diskRoom, SyncGroup } from '../recording/index.ts'
import { CameraAdmission, watchCameraLoad } from './camera-admission.ts'
import { cameraDiscoveries } from './camera-discoveries.ts'
import { type CameraLog, openCameraLog } from './camera-log.ts'
import { cameraNetworks } from './camera-networks.ts'
import { type ChannelKeeper, channelKeeper } from './channel-keeper.ts'
import type { SignExported } from './clip-downloads.ts'
import { countViewer } from './clip-serving.ts'
import type { MotionOptions } from './detection-keeper.ts'
import { keepEventMonths } from './event-store.ts'
import type { ExportEncoding } from './export-clips.ts'
import { type FootageBucket, openFootageCopier } from './footage-copier.ts'
import { openFootageFiles } from './footage-files.ts'
import { footageKeyring } from './footage-keyring.ts'
import { headReporter } from './head-reporter.ts'
import { httpStreams, listenForPiped } from './http-streams.ts'
import { joinWorkers } from './joined-workers.ts'
import type { KeyService } from './key-service.ts'
import { releaseLeases } from './lease-store.ts'
import { watchLoop } from './loop-pressure.ts'
import { macLocator } from './mac-locator.ts'
import { keepMembership, type Membership } from './membership.ts'
import { removeWorker } from './membership-store.ts'
import type { StreamLimits } from './open-streams.ts'
import type { PictureOptions } from './picture-sources.ts'
import { recordedPictures } from './recorded-pictures.ts'
import { isRtspRequest, type RtspStreams, rtspStreams } from './rtsp-streams.ts'
import { elsewhere, type ServingDeps, serveViewer, type ViewedChannels } from './serve-viewer.ts'
import { type ServedCameras, withDevices } from './served-cameras.ts'
import { takeSnapshot } from './snapshot.ts'
import { storageSweeper } from './storage-sweeper.ts'
import { consumeTicket, dropOldLogEntries, insertLogEntries, loadCameraScopes, loadSessions } from './store.ts'
import { recordWatching } from './stream-audit.ts'
import { type StreamSessionSettings, type StreamSessions, streamSessions } from './stream-sessions.ts'
import { openTalks, type TalkDeps } from './talks.ts'
import { type StreamUpgradeHandler, streamUpgradeHandler } from './upgrade-handler.ts'
import { type WorkerFigures, type WorkerTally, workerTally } from './worker-figures.ts'
import { type WorkerMemory, type WorkerMemoryDeps, WorkerMemoryKeeper } from './worker-memory.ts'
import type { StreamRequest, WebRtcSettings } from './worker-messages.ts'
import { introduction, startServing } from './worker-start.ts'

export interface MediaWorkerDeps {
  readonly workerId: string
  /** Workers that start together with this one. */
  readonly peers?: readonly string[]
  /** The name of the disk with the store: the front's by default, another machine's name elsewhere. */
  readonly disk?: string
  /** Under the role `media`. */
  readonly db: Db
  /** The same with its own connection, only for leases, because viewers may keep those of `db` busy. */
  readonly leaseDb: Db
  readonly ids: IdSource
  /** Opens what only the parent process can open. */
  readonly keyService: KeyService
  /** Gets the new heads of lists of footage, to be signed. */
  readonly onHeads?: (heads: readonly ChainHead[]) => void
  /** Whether new footage is encrypted; what was encrypted before is readable in any case. */
  readonly encryptsFootage: boolean
  /** No other machine keeps footage. */
  readonly isOnlyDisk?: boolean
  readonly store: string
  readonly storeLimitBytes: number | undefined
  /** Where footage is copied to, if it is. */
  readonly s3: FootageBucket | undefined
  /** For media that waits for a slow disk or slow viewers. */
  readonly memoryBytes: number
  /** The folder of the operator's legal texts for brands. */
  readonly legalFolder: string
  readonly cameraNetworks: readonly string[]
  readonly decoder: Decoder | undefined
  /** How JPEGs of live video are made; undefined without a decoder. */
  readonly pictures?: PictureOptions | undefined
  /** How exported footage is re-encoded; undefined without a decoder. */
  readonly encoding?: ExportEncoding | undefined
  /** Decodes AAC for loudspeakers; undefined without a decoder. */
  readonly startTalkDecoder?: TalkDeps['startTalkDecoder']
  /** Encodes AAC for loudspeakers that take nothing else; undefined without an encoder. */
  readonly startTalkEncoder?: TalkDeps['startTalkEncoder']
  /** Undefined if the server doesn't look for motion itself. */
  readonly motion?: MotionOptions | undefined
  readonly streamLimits: StreamLimits
  /** Live video over WebRTC; undefined if it is off. */
  readonly webRtc?: WebRtcSettings | undefined
  /** Undefined if this is the only worker. */
  readonly askPermit?: StreamSessionSettings['askPermit']
  /** Has what is said of exported files signed; without it, no file proves itself. */
  readonly signExport?: SignExported
  /** Unix socket for handshakes that can't be handed over; if undefined, none are accepted. */
  readonly socketPath: string | undefined
  /** Keeps what this worker knows for the process after it; without it, the next one needs the database to start. */
  readonly remember?: (memory: WorkerMemory) => void
  /** What the process before it had remembered, which has ended. */
  readonly recalled?: WorkerMemory | undefined
  readonly log: Logger
  readonly now: () => number
}

/** Everything of the video plane that one process does: its cameras, their footage, their viewers. */
export interface MediaWorker extends AsyncDisposable {
  accept(request: StreamRequest, socket: Duplex, head: Uint8Array): void
  snapshot(question: { cameraId: number; format: SnapshotFormat }): Promise<SnapshotAnswer>
  /** A picture of a camera's footage; the camera may be private now. */
  recordedPicture(question: RecordedPictureQuestion): Promise<RecordedPictureAnswer>
  /** Asks a camera that this worker serves to do something. */
  command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>): Promise<CameraCommandAnswer<Name>>
  /** What the motion detection of a camera that this worker serves finds now. */
  motionPreview(question: MotionPreviewQuestion): Promise<MotionPreview>
  /** One step of talking through the loudspeaker of a camera that this worker serves. */
  talk(question: TalkQuestion): Promise<TalkAnswer>
  /** Begins a search for an account's cameras, or tells how it goes. */
  discovery(question: DiscoveryQuestion): Promise<DiscoveryAnswer>
  /** Access was revoked: open streams are reauthorized now. */
  revoked(): Promise<void>
  camerasChanged(): Promise<void>
  /** Other workers have left. */
  workersChanged(): void
  /** Someone added an event to a camera, which may be another worker's; `at` in milliseconds since 1970. */
  eventAdded(event: { readonly cameraId: number; readonly at: number }): void
  /** The cameras that this worker serves, and the recorders that it looks after. */
  cameraIds(): readonly number[]
  /** Whether the other workers see that this one lives. */
  isSeen(): boolean
  /** A sentence each; none when all is well. */
  problems(): readonly string[]
  figures(): Promise<WorkerFigures>
}

const LIST_EVERY_MS = 5000

export async function openMediaWorker(given: MediaWorkerDeps): Promise<MediaWorker> {
  const deps = { disk: 'disk', ...given }
  const { log } = deps
  const tally = workerTally()
  const group = new SyncGroup({ synced: tally.synced })
  const shared = openShared(deps, tally)
  const { membership, leaseNow } = joinWorkers(deps, () => served.refreshLater())
  const cameraLog = databaseCameraLog(deps, membership)
  const places = openPlaces(deps)
  const discoveries = cameraDiscoveries({ ...places, log })
  const beside = besideOthers(deps, { ...places, ...shared, membership })
  const own = { ...places, ...shared, ...beside, leaseNow, group, cameraLog, tally }
  const channels: ChannelKeeper = channelKeeper({ ...deps, ...own })
  const served: ServedCameras = withDevices(channels, { ...deps, ...own }, membership)
  const sessions = openSessions(deps)
  const footage = openFootageFiles(deps)
  const parts = { ...deps, ...footage, ...shared, group }
  const pictures = recordedPictures(parts)
  const talks = openTalks({ ...deps, openLoudspeaker: channels.openLoudspeaker })
  const upgrades = openUpgrades({ ...parts, footage, keeps: membership.keeps, talks }, { sessions, channels, tally })
  const http = await httpStreams(
    { ...parts, ...own, keeps: membership.keeps },
    { sessions, channels, tally, recorded: pictures },
  )
  const closeSocket = await listenForPiped(deps.socketPath, upgrades, http)
  await startServing({ introduce: beside.introduce, served, recalled: deps.recalled, log })
  const beating = keepMembership(membership, () => removeWorker(deps.leaseDb, deps.workerId))
  const isOwn = ({ cameraId }: { readonly cameraId: number }) => membership.isSteady && membership.keeps(cameraId)
  const copier = openFootageCopier({ ...deps, isOwn })
  const storage = storageSweeper({ ...parts, copier, membership, letGo: channels.refresh, databaseNow: leaseNow })
  const reporter = headReporter({ group, keeps: membership.keeps, report: deps.onHeads ?? (() => undefined), log })
  const listing = setInterval(served.refreshLater, LIST_EVERY_MS)
  return {
    accept: upgrades.accept,
    snapshot: (question) => snapshotOf(question, deps, channels),
    recordedPicture: pictures.take,
    command: served.command,
    motionPreview: async (question) => channels.motionPreview(question),
    talk: (question) => talks.take(question),
    discovery: discoveries.ask,
    revoked: () => sessions.confirmNow(),
    camerasChanged: () => served.refresh(),
    workersChanged: beating.beatNow,
    eventAdded: ({ cameraId, at }) => channels.triggersOf(cameraId)?.begin(`added ${at}`, { at, endsAt: at }),
    cameraIds: served.cameraIds,
    isSeen: () => membership.isSeen,
    problems: () => [shared.admission.problem ?? [], ...channels.problems(), ...copier.problems()].flat(),
    figures: () => figuresOf({ ...deps, ...shared }, tally, channels),
    async [Symbol.asyncDispose]() {
      clearInterval(listing)
      const left = beating[Symbol.asyncDispose]()
      for (const each of [storage, copier, sessions]) await each[Symbol.asyncDispose]()
      upgrades.close()
      for (const each of [pictures, footage]) each[Symbol.dispose]()
      for (const each of [talks, discoveries]) await each[Symbol.asyncDispose]()
      await closeSocket()
      for (const each of [served, reporter]) await each[Symbol.asyncDispose]()
      await left.then(() => cameraLog[Symbol.asyncDispose]())
      for (const each of [shared.room, shared.load]) each[Symbol.dispose]()
      for (const each of [group, shared.runs]) await each[Symbol.asyncDispose]()
      tally[Symbol.dispose]()
      await letGoOfLeases(deps)
    },
  }
}

/** What all cameras and viewers of the worker share. */
function openShared(
  { db, log, now, keyService, store, memoryBytes, disk = 'disk' }: MediaWorkerDeps,
  tally: WorkerTally,
) {
  const memory = new MemoryBudget(memoryBytes)
  const admission = new CameraAdmission(log)
  const hasViewers = () => Object.values(tally.viewers).some((count) => count > 0)
  return {
    runs: databaseRunLog(db, log, { store, disk }),
    keys: footageKeyring({ db, service: keyService, now }),
    room: diskRoom(store),
    memory,
    admission,
    load: watchCameraLoad(admission, () => ({ hasViewers: hasViewers(), heldShare: memory.heldShare })),
  }
}

/** What the other workers and the process after this one get to know. */
function besideOthers(
  { db, workerId, remember = () => undefined }: MediaWorkerDeps,
  { membership, ...known }: Pick<WorkerMemoryDeps, 'keys' | 'networks'> & { readonly membership: Membership },
) {
  return {
    owns: membership.owns,
    introduce: introduction({ db, workerId }, membership),
    remembered: new WorkerMemoryKeeper({ ...known, remember, workers: () => membership.workers }),
  }
}

/** Where cameras may be, and how they are found there. */
function openPlaces({ db, cameraNetworks: setting }: MediaWorkerDeps) {
  const networks = cameraNetworks(db, setting)
  return { networks, locator: macLocator({ networks }) }
}

async function letGoOfLeases({ leaseDb, workerId, log }: MediaWorkerDeps): Promise<void> {
  await releaseLeases(leaseDb, workerId).catch((err: unknown) => log.warn({ err }, 'could not release leases'))
}

/** At once: a worker that is late answers in the turn in which it is asked. */
const figuresOf = async (
  {
    db,
    leaseDb,
    room,
    admission,
  }: Pick<MediaWorkerDeps, 'db' | 'leaseDb'> & {
    readonly room: DiskRoom
    readonly admission: CameraAdmission
  },
  tally: Pick<WorkerTally, 'figures'>,
  channels: Pick<ChannelKeeper, 'situations'>,
): Promise<WorkerFigures> =>
  tally.figures({
    cameras: channels.situations(),
    refusedCameras: admission.refused,
    freeDiskBytes: room.freeBytes,
    database: { work: db.connections(), leases: leaseDb.connections() },
  })

async function snapshotOf(
  { cameraId, format }: { readonly cameraId: number; readonly format: SnapshotFormat },
  { decoder, now }: Pick<MediaWorkerDeps, 'decoder' | 'now'>,
  channels: Pick<ChannelKeeper, 'hubOf'>,
): Promise<SnapshotAnswer> {
  const hub = channels.hubOf(cameraId, 'main')
  return hub === undefined ? { kind: 'cameraOffline' } : takeSnapshot(hub, { format, now: now(), decoder })
}

/** The camera log in the database, and the events that it stands for; the first worker drops what is old. */
const databaseCameraLog = ({ db, log, now }: MediaWorkerDeps, membership: Membership): CameraLog =>
  openCameraLog({
    table: {
      write: (entries) => insertLogEntries(db, entries),
      drop: async (before) => {
        if (!membership.isFirst) return
        await dropOldLogEntries(db, before)
        await keepEventMonths(db, now())
      },
    },
    log,
    now,
  })

function openSessions({ db, now, legalFolder, streamLimits, askPermit }: MediaWorkerDeps): StreamSessions {
  return streamSessions({
    queries: {
      consumeTicket: (sha256, at) => consumeTicket(db, sha256, at),
      loadSessions: (sha256s) => loadSessions(db, sha256s),
      loadPlaces: (cameraIds) => loadCameraScopes(db, cameraIds),
    },
    now,
    limits: streamLimits,
    askPermit,
    agreementVersion: createAgreementVersion(legalFolder),
    watchLoop,
  })
}

interface StreamServing {
  readonly sessions: StreamSessions
  readonly channels: ViewedChannels
  readonly tally: WorkerTally
}

const openUpgrades = (deps: ServingDeps, parts: StreamServing): StreamUpgradeHandler => {
  const { sessions, channels, tally } = parts
  const sockets = streamUpgradeHandler({
    sessions,
    serve: (viewer) => countViewer(tally.viewers, viewer.session.use, serveViewer(viewer, deps, channels)),
    onOverload: () => void tally.refused.streams++,
    onBug: (err) => deps.log.error({ err }, 'a stream ended because of a bug'),
  })
  return withRtsp(sockets, openRtsp(deps, parts))
}

const openRtsp = (deps: ServingDeps, { sessions, channels, tally }: StreamServing): RtspStreams =>
  rtspStreams({
    sessions,
    channels,
    footage: { store: deps.store, keys: deps.keys, ...deps.footage },
    keeps: deps.keeps,
    isElsewhere: async (stream, time) => (await elsewhere(deps, stream)?.(time)) === true,
    now: deps.now,
    onBegin: (session, address) => recordWatching(deps, session, address),
    onOverload: () => void tally.refused.streams++,
    counted: ({ use }, stream) => countViewer(tally.viewers, use, stream()),
    onBug: (err) => deps.log.error({ err }, 'a stream over RTSP ended because of a bug'),
  })

/** Connections come the same way, whatever they speak. */
const withRtsp = (upgrades: StreamUpgradeHandler, rtsp: RtspStreams): StreamUpgradeHandler => ({
  accept: (request, socket, head) => (isRtspRequest(request) ? rtsp : upgrades).accept(request, socket, head),
  close() {
    upgrades.close()
    rtsp.close()
  },
})
