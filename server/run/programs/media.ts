import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import {
  type FromWorker,
  footageKeyring,
  type MediaWorker,
  openMediaWorker,
  type ToWorker,
  type WorkerSettings,
} from '@sightline/media/control'
import { ffmpegDecoder } from '@sightline/media/decoder'
import { footageKek } from '@sightline/media/recording'
import { type DatabaseConnection, idSource, openDatabase } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { createLogger, type Logger } from '@sightline/platform/log'
import { runAsChild } from '../compose/child-channel.ts'

/** A media worker in its own process: a camera that crashes it affects only its neighbours, for seconds. */
runAsChild<WorkerSettings<DatabaseConnection>, ToWorker, FromWorker>(async (settings, channel) => {
  const log = createLogger({ ...settings.log, name: settings.workerId })
  const open = (maxConnections: number, applicationName: string) =>
    openDatabase({ connection: settings.connection, role: 'media', maxConnections, applicationName, log })
  const db = open(6, settings.workerId)
  const leaseDb = open(1, `${settings.workerId} leases`)
  const worker = await openMediaWorker({
    workerId: settings.workerId,
    peers: settings.peers,
    db,
    leaseDb,
    ids: idSource(db),
    encryption: envelopeEncryption(Buffer.from(settings.installationKey)),
    keys: footageKeyring({ db, kek: footageKek(settings.installationKey), now: Date.now }),
    encryptsFootage: settings.encryptsFootage,
    store: settings.store,
    storeLimitBytes: settings.storeLimitBytes,
    memoryBytes: settings.memoryBytes,
    legalFolder: settings.legalFolder,
    cameraNetworks: settings.cameraNetworks,
    decoder: settings.ffmpeg === undefined ? undefined : ffmpegDecoder(settings.ffmpeg),
    streamLimits: settings.streamLimits,
    socketPath: settings.socketPath,
    log,
    now: Date.now,
  })
  channel.onMessage((message, handle) => obey(message, handle, { worker, channel, log }))
  const tellProblems = onChange<readonly string[]>((problems) => channel.send({ kind: 'health', problems }))
  const tellCameras = onChange<readonly number[]>((ids) => channel.send({ kind: 'cameras', ids }))
  const tell = () => {
    tellProblems(worker.problems())
    tellCameras(worker.cameraIds())
  }
  tell()
  const health = setInterval(tell, TELL_EVERY_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(health)
      await worker[Symbol.asyncDispose]()
      await Promise.all([db[Symbol.asyncDispose](), leaseDb[Symbol.asyncDispose]()])
    },
  }
})

/** What the parent process asks for. */
function obey(message: ToWorker, handle: unknown, { worker, channel, log }: Obeying): void {
  switch (message.kind) {
    case 'stream':
      // Without a handle the viewer disconnected on the way here.
      if (isSocket(handle)) worker.accept(message.request, handle, message.head)
      break
    case 'snapshot':
      worker
        .snapshot(message)
        .then((answer) => channel.send({ kind: 'snapshot', id: message.id, answer }))
        .catch((err: unknown) => log.error({ err }, 'a snapshot failed'))
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
  }
}

interface Obeying {
  readonly worker: MediaWorker
  readonly channel: { readonly send: (message: FromWorker) => unknown }
  readonly log: Logger
}

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

const isSocket = (handle: unknown): handle is Socket =>
  typeof handle === 'object' && handle !== null && 'write' in handle && !isServer(handle)
const isServer = (handle: object): handle is Server => 'listen' in handle
