import { join } from 'node:path'
import type { WorkerSettings } from '@sightline/media/control'
import { findFfmpeg } from '@sightline/media/decoder'
import { type DatabaseConnection, restrictRole } from '@sightline/platform/db'
import type { Config, EnvironmentSecrets } from './config.ts'
import { getLegalFolder } from './legal-folder.ts'

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
  const peers = Array.from({ length: config.mediaWorkers }, (_, index) => `media-${index + 1}`)
  const shared = {
    peers,
    connection: restrictRole(given.connection, 'media'),
    encryptsFootage: config.encryptsFootage,
    store: join(given.dataFolder, 'footage'),
    legalFolder: getLegalFolder(given.dataFolder),
    storeLimitBytes: config.isDemo ? DEMO_STORE_BYTES : undefined,
    s3: config.footageBucket && { ...config.footageBucket, secretKey: given.given.s3SecretKey ?? '' },
    memoryBytes: config.mediaMemoryBytes,
    cameraNetworks: config.isDemo ? [...config.cameraNetworks, SIMULATOR_NETWORK] : config.cameraNetworks,
    ffmpeg: findFfmpeg(process.env.PATH ?? ''),
    motionCameras: config.motionCameras,
    streamLimits: config.streams,
    log: config.log,
  }
  return peers.map((workerId) => ({ ...shared, workerId, socketPath: join(given.socketFolder, `${workerId}.sock`) }))
}
