import type { Socket } from 'node:net'
import {
  type ExportEncoding,
  type FromWorker,
  type KeyAnswer,
  type MediaWorker,
  type MediaWorkerDeps,
  type MotionOptions,
  openMediaWorker,
  type PictureOptions,
  remoteKeyService,
  type StreamOwner,
  type StreamPermit,
  type ToWorker,
  type WorkerMemory,
  type WorkerSettings,
} from '@sightline/media/control'
import {
  EncoderProbe,
  ffmpegDecoder,
  readEncodingAbilities,
  startGreyDecoder,
  startJpegDecoder,
  startPictureEncoder,
  startSoundDecoder,
  startSoundEncoder,
  startTalkDecoder,
  startTalkEncoder,
} from '@sightline/media/decoder'
import { type DatabaseConnection, idSource, openDatabase } from '@sightline/platform/db'
import { createLogger, type Logger } from '@sightline/platform/log'
import { type ParentChannel, runAsChild } from '../compose/child-channel.ts'
import { type Questions, questions } from '../compose/questions.ts'

/** The parent process may wait for the database. */
const KEYS_MS = 15_000
const PERMIT_MS = 5000
const SIGNATURE_MS = 10_000

type Channel = ParentChannel<ToWorker, FromWorker>

/** A media worker in its own process: a camera that crashes it affects only its neighbours, for seconds. */
runAsChild<WorkerSettings<DatabaseConnection>, ToWorker, FromWorker>(async (settings, channel) => {
  const log = createLogger({ ...settings.log, name: settings.workerId })
  const open = (maxConnections: number, applicationName: string) =>
    openDatabase({ connection: settings.connection, role: 'media', maxConnections, applicationName, log })
  const db = open(6, settings.workerId)
  const leaseDb = open(1, `${settings.workerId} leases`)
  const opened = Promise.withResolvers<MediaWorker>()
  // A failure ends the start below.
  opened.promise.catch(() => undefined)
  const keys = questions<KeyAnswer>(KEYS_MS)
  const permits = questions<boolean>(PERMIT_MS)
  const signatures = questions<string | undefined>(SIGNATURE_MS)
  channel.onMessage((message, handle) => {
    // Keys are needed to start; everything else waits until then.
    if (message.kind === 'keys') keys.answer(message.id, message.answer)
    else if (message.kind === 'permit') permits.answer(message.id, message.isGranted)
    else if (message.kind === 'exportSigned') signatures.answer(message.id, message.line)
    else opened.promise.then((worker) => obey(message, handle, { worker, channel, log })).catch(() => undefined)
  })
  const worker = await openMediaWorker({
    workerId: settings.workerId,
    peers: settings.peers,
    db,
    leaseDb,
    ids: idSource(db),
    keyService: remoteKeyService((question) => keys.ask((id) => channel.send({ kind: 'keys', id, question }))),
    onHeads: (heads) => channel.send({ kind: 'heads', heads }),
    encryptsFootage: settings.encryptsFootage,
    disk: settings.disk,
    isOnlyDisk: settings.isOnlyDisk,
    store: settings.store,
    storeLimitBytes: settings.storeLimitBytes,
    s3: settings.s3,
    memoryBytes: settings.memoryBytes,
    legalFolder: settings.legalFolder,
    cameraNetworks: settings.cameraNetworks,
    decoder: settings.ffmpeg === undefined ? undefined : ffmpegDecoder(settings.ffmpeg),
    motion: motionOf(settings, log),
    pictures: picturesOf(settings),
    encoding: encodingOf(settings),
    startTalkDecoder: talkDecoderOf(settings),
    startTalkEncoder: talkEncoderOf(settings),
    streamLimits: settings.streamLimits,
    webRtc: settings.webRtc,
    askPermit: (owner) => askPermit(permits, owner, channel),
    signExport: (subject, order) => signatures.ask((id) => channel.send({ kind: 'signExport', id, subject, order })),
    socketPath: settings.socketPath,
    remember: channel.remember,
    // Of the same program.
    recalled: channel.recalled as WorkerMemory | undefined,
    log,
    now: Date.now,
  })
  opened.resolve(worker)
  const telling = keepTelling(worker, channel)
  return {
    async [Symbol.asyncDispose]() {
      telling[Symbol.dispose]()
      await worker[Symbol.asyncDispose]()
      await Promise.all([db[Symbol.asyncDispose](), leaseDb[Symbol.asyncDispose]()])
    },
  }
})

/** All workers together count against the limits of streams; the parent process counts. */
async function askPermit(
  permits: Questions<boolean>,
  owner: StreamOwner,
  channel: Channel,
): Promise<StreamPermit | undefined> {
  let asked = 0
  const isGranted = await permits.ask((id) => {
    asked = id
    channel.send({ kind: 'permit', id, ...owner })
  })
  const release = () => channel.send({ kind: 'permitReleased', id: asked })
  if (isGranted === true) return { release }
  // Granted too late, perhaps.
  if (isGranted === undefined) release()
  return undefined
}

interface Obeying {
  readonly worker: MediaWorker
  readonly channel: Channel
  readonly log: Logger
}

/** What the parent process asks for. */
function obey(
  message: Exclude<ToWorker, { kind: 'keys' | 'permit' | 'exportSigned' }>,
  connection: Socket | undefined,
  { worker, channel, log }: Obeying,
): void {
  switch (message.kind) {
    case 'stream':
      if (connection !== undefined) worker.accept(message.request, connection, message.head)
      break
    case 'snapshot':
      worker
        .snapshot(message)
        .then((answer) => channel.send({ kind: 'snapshot', id: message.id, answer }))
        .catch((err: unknown) => log.error({ err }, 'a snapshot failed'))
      break
    case 'recordedPicture':
      worker
        .recordedPicture(message.question)
        .then((answer) => channel.send({ kind: 'recordedPicture', id: message.id, answer }))
        .catch((err: unknown) => log.error({ err }, 'a picture of footage failed'))
      break
    case 'command':
      worker
        .command(message.question)
        .then((answer) => channel.send({ kind: 'command', id: message.id, answer }))
        .catch((err: unknown) => log.error({ err, command: message.question.name }, 'a command to a camera failed'))
      break
    case 'motionPreview':
      worker
        .motionPreview(message.question)
        .then((answer) => channel.send({ kind: 'motionPreview', id: message.id, answer }))
        .catch((err: unknown) => log.error({ err }, 'a preview of motion failed'))
      break
    case 'talk':
      worker
        .talk(message.question)
        .then((answer) => channel.send({ kind: 'talk', id: message.id, answer }))
        .catch((err: unknown) => log.error({ err }, 'talking through a camera failed'))
      break
    case 'discovery':
      worker
        .discovery(message.question)
        .then((answer) => channel.send({ kind: 'discovery', id: message.id, answer }))
        .catch((err: unknown) => log.error({ err }, 'a search for cameras failed'))
      break
    case 'revoked':
      worker.revoked().catch((err: unknown) => log.error({ err }, 'could not confirm open streams'))
      break
    case 'figures':
      worker
        .figures()
        .then((figures) => channel.send({ kind: 'figures', id: message.id, figures }))
        .catch((err: unknown) => log.error({ err }, 'could not collect metrics'))
      break
    case 'eventAdded':
      worker.eventAdded(message)
      break
    case 'camerasChanged':
      worker.camerasChanged().catch((err: unknown) => log.error({ err }, 'could not list cameras'))
      break
    case 'workersChanged':
      worker.workersChanged()
      break
  }
}

/** Tells the parent process what changes about the worker. */
function keepTelling(worker: MediaWorker, channel: Channel): Disposable {
  const tellProblems = onChange<readonly string[]>((problems) => channel.send({ kind: 'health', problems }))
  const tellCameras = onChange<readonly number[]>((ids) => channel.send({ kind: 'cameras', ids }))
  const tellSeen = onChange<boolean>((isSeen) => channel.send({ kind: 'seen', isSeen }))
  const tell = () => {
    tellProblems(worker.problems())
    tellCameras(worker.cameraIds())
    tellSeen(worker.isSeen())
  }
  tell()
  const telling = setInterval(tell, TELL_EVERY_MS)
  return { [Symbol.dispose]: () => clearInterval(telling) }
}

function motionOf({ ffmpeg, motionCameras, peers, workerId }: Settings, log: Logger): MotionOptions | undefined {
  if (motionCameras === 0) return undefined
  if (ffmpeg !== undefined)
    return {
      cameras: motionCameras,
      startDecoder: (options) => startGreyDecoder({ ...options, ffmpeg }),
      startSoundDecoder: (options) => startSoundDecoder({ ...options, ffmpeg }),
    }
  // Said once, not by each worker.
  if (workerId === peers[0]) log.warn('SIGHTLINE_MOTION_CAMERAS has no effect: ffmpeg is not installed on this machine')
  return undefined
}

function picturesOf({ ffmpeg, pictureStreams: streams }: Settings): PictureOptions | undefined {
  if (ffmpeg === undefined || streams === 0) return undefined
  return {
    streams,
    startJpegDecoder: (options) => startJpegDecoder({ ...options, ffmpeg }),
    startSoundDecoder: (options) => startSoundDecoder({ ...options, ffmpeg }),
  }
}

function encodingOf({ ffmpeg }: Settings): ExportEncoding | undefined {
  if (ffmpeg === undefined) return undefined
  const abilities = new EncoderProbe(() => readEncodingAbilities(ffmpeg))
  return {
    abilities: () => abilities.ask(),
    startSoundEncoder: () => startSoundEncoder({ ffmpeg }),
    startPictureEncoder: (options) => startPictureEncoder({ ...options, ffmpeg }),
  }
}

const talkEncoderOf = ({ ffmpeg }: Settings): MediaWorkerDeps['startTalkEncoder'] =>
  ffmpeg === undefined ? undefined : (options) => startTalkEncoder({ ...options, ffmpeg })

const talkDecoderOf = ({ ffmpeg }: Settings): MediaWorkerDeps['startTalkDecoder'] =>
  ffmpeg === undefined ? undefined : (options) => startTalkDecoder({ ...options, ffmpeg })

type Settings = Pick<WorkerSettings<unknown>, 'ffmpeg' | 'motionCameras' | 'pictureStreams' | 'peers' | 'workerId'>

const TELL_EVERY_MS = 500

/** Tells a value when it is another one than before; an empty list at first is none. */
function onChange<T>(tell: (value: T) => void): (value: T) => void {
  let told = '[]'
  return (value) => {
    const text = JSON.stringify(value)
    if (text === told) return
    told = text
    tell(value)
  }
}
