import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { createLogger, type Logger, withSourcePositions } from '@sightline/platform/log'
import { openDataFolder, StartError } from '@sightline/platform/startup'
import { type Config, type EnvironmentSecrets, printableConfig, readConfig } from '../compose/config.ts'
import { startDatabase } from '../compose/database.ts'
import { startDatabaseReserve } from '../compose/database-reserve.ts'
import { type Lifecycle, lifecycle } from '../compose/lifecycle.ts'
import { loadSecrets } from '../compose/secrets.ts'
import { webRtcPorts } from '../compose/webrtc-settings.ts'
import { checkPort, checkUdpPort } from './port-check.ts'
import { type PreparedProcesses, prepareProcesses } from './prepared-processes.ts'
import { aborted, untilAskedToStop } from './stop-signal.ts'

/** How long a start may go on after a stop was requested. */
const START_PATIENCE_MS = 2000
/** How long the process may go on after everything has stopped. */
const LINGER_MS = 1000

/** Everything on one machine, in one process tree: what `npm start` runs. Exit code 0 when it was asked to stop. */
async function main(): Promise<number> {
  if (process.argv.includes('--print-config')) {
    readConfig(process.env, false)
    process.stdout.write(printableConfig(process.env))
    return 0
  }
  const { config, given } = readConfig(process.env, process.stdout.isTTY === true)
  const log = createLogger({ ...config.log, name: 'sightline' })
  const { signal } = untilAskedToStop()
  await using parts = lifecycle(log, signal)
  try {
    const starting = startAll({ config, given, log, parts })
    // Its failure after a stop was requested is no news.
    starting.catch(() => undefined)
    // A part that can't be cancelled must not keep a stop from being obeyed.
    await Promise.race([starting, aborted(signal).then(() => sleep(START_PATIENCE_MS, undefined, { ref: false }))])
    await aborted(signal)
  } catch (error) {
    // A stop was requested while starting: cancelling is the right outcome.
    if (!signal.aborted) throw error
  }
  log.info('stopping')
  return 0
}

interface Start {
  readonly config: Config
  readonly given: EnvironmentSecrets
  readonly log: Logger
  readonly parts: Lifecycle
}

/**
 * Loading programs takes most of a start. The imports above are limited to what comes first: checks that may refuse the
 * start, and the starters of PostgreSQL and the other processes, which start while the planes load here.
 */
async function startAll(start: Start): Promise<void> {
  const { config, given, log, parts } = start
  // Checks that may refuse the start come first, before there is anything to stop.
  const dataFolder = await parts.start('data folder', () => openDataFolder(config.dataFolder))
  await checkPorts(config)
  const geoLocator = config.placeDatabase === undefined ? undefined : await openPlaces(config.placeDatabase)
  const secrets = await loadSecrets(dataFolder)
  // Before the database, which can't start on a full disk.
  const reserve = await parts.start('database reserve', () => startDatabaseReserve({ folder: dataFolder.path, log }))
  const starting = startDatabase({ parts, dataFolder, secrets, given, mediaWorkers: config.mediaWorkers, log })
  // Awaited below; until then its failure must not count as unhandled.
  starting.catch(() => undefined)
  const { startPlanes } = await import('./planes.ts')
  const processes = await parts.start('child processes', async () => prepared(config))
  const database = await starting
  await startPlanes({ ...start, reserve, dataFolder: dataFolder.path, secrets, geoLocator, processes, database })
}

function prepared(config: Config): PreparedProcesses & AsyncDisposable {
  const processes = prepareProcesses(config)
  return { ...processes, [Symbol.asyncDispose]: async () => processes[Symbol.dispose]() }
}

async function openPlaces(file: string) {
  const auth = await import('@sightline/auth')
  return auth.openGeoLocator(file)
}

async function checkPorts(config: Config): Promise<void> {
  const { listen, metricsPort, rtspPort } = config
  await checkPort(listen.host, listen.port, 'SIGHTLINE_PORT')
  if (rtspPort !== undefined) await checkPort(listen.host, rtspPort, 'SIGHTLINE_RTSP_PORT')
  for (const { host, port } of webRtcPorts(config)) await checkUdpPort(host, port, 'SIGHTLINE_WEBRTC_PORT')
  if (metricsPort !== undefined) await checkPort('127.0.0.1', metricsPort, 'SIGHTLINE_METRICS_PORT')
}

try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof StartError) console.error(error.message)
  else
    console.error(`Sightline could not start because of an unexpected error.\n${withSourcePositions(inspect(error))}`)
  process.exitCode = 1
}
if (process.connected) process.disconnect()
// What a start that failed has left behind must not keep the process.
setTimeout(() => process.exit(), LINGER_MS).unref()
