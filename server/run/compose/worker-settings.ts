import { join } from 'node:path'
import type { WorkerSettings } from '@sightline/media/control'
import { findFfmpeg } from '@sightline/media/decoder'
import { type DatabaseConnection, restrictRole } from '@sightline/platform/db'
import type { Config, EnvironmentSecrets } from './config.ts'
import { getLegalFolder } from './legal-folder.ts'
import { webRtcPort } from './webrtc-settings.ts'

const GIB = 2 ** 30
/** A demo must not fill a disk: the oldest footage is deleted first. */
const DEMO_STORE_BYTES = 2 * GIB
/** The simulator listens there; refused without the demonstration. */
const SIMULATOR_NETWORK = '127.0.0.0/8'

/** The settings sent to each media worker. */
export function workerSettings(given: {
  config: Config
  given: Pick<EnvironmentSecrets, 's3SecretKey'>
  dataFolder: string
  connection: DatabaseConnection
  socketFolder: string
}): readonly WorkerSettings<DatabaseConnection>[] {
  const { config } = given
  return settingsOfMachine({
    ...given,
    name: 'media',
    disk: 'disk',
    isOnlyDisk: config.workerListen === undefined,
    connection: restrictRole(given.connection, 'media'),
    installation: { encryptsFootage: config.encryptsFootage, streamLimits: config.streams },
  })
}

/** The names of the workers of a machine. */
export const workerNames = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`)

/** The settings sent to each media worker of a machine; its own, and those that are the same for the whole installation. */
export function settingsOfMachine(given: {
  config: Config
  given: Pick<EnvironmentSecrets, 's3SecretKey'>
  /** Its workers' names begin with it. */
  name: string
  disk: string
  isOnlyDisk: boolean
  dataFolder: string
  /** Under the role `media`. */
  connection: DatabaseConnection
  socketFolder: string
  installation: Pick<WorkerSettings<never>, 'encryptsFootage' | 'streamLimits'>
}): readonly WorkerSettings<DatabaseConnection>[] {
  const { config } = given
  const peers = workerNames(given.name, config.mediaWorkers)
  const shared = {
    ...given.installation,
    peers,
    connection: given.connection,
    disk: given.disk,
    isOnlyDisk: given.isOnlyDisk,
    store: join(given.dataFolder, 'footage'),
    legalFolder: getLegalFolder(given.dataFolder),
    storeLimitBytes: config.isDemo ? DEMO_STORE_BYTES : undefined,
    s3: config.footageBucket && { ...config.footageBucket, secretKey: given.given.s3SecretKey ?? '' },
    memoryBytes: config.mediaMemoryBytes,
    cameraNetworks: config.isDemo ? [...config.cameraNetworks, SIMULATOR_NETWORK] : config.cameraNetworks,
    ffmpeg: findFfmpeg(process.env.PATH ?? ''),
    motionCameras: config.motionCameras,
    pictureStreams: config.pictureStreams,
    log: config.log,
  }
  return peers.map((workerId, index) => ({
    ...shared,
    workerId,
    webRtc: webRtcPort(config, index),
    socketPath: join(given.socketFolder, `${workerId}.sock`),
  }))
}
