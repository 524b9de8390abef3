import { join } from 'node:path'
import { createLogger, type Logger } from '@sightline/platform/log'
import { openDataFolder, StartError } from '@sightline/platform/startup'
import { type Config, type EnvironmentSecrets, readConfig } from '../compose/config.ts'
import { socketFolder } from '../compose/front.ts'
import { lifecycle } from '../compose/lifecycle.ts'
import { readCredentials } from '../compose/machines/credentials.ts'
import { keepMachineWorkers } from '../compose/machines/machine-workers.ts'
import { settingsOfMachine, workerNames } from '../compose/worker-settings.ts'
import { runProgram } from './command-line.ts'
import { MEDIA_WORKER } from './prepared-processes.ts'
import { aborted, untilAskedToStop } from './stop-signal.ts'

/** What `npm run worker` runs on another machine: media workers that belong to an installation. Exit code 0 when asked to stop. */
async function main(): Promise<number> {
  const { config, given } = readConfig(process.env, process.stdout.isTTY === true)
  const log = createLogger({ ...config.log, name: 'sightline' })
  const { signal, fail } = untilAskedToStop()
  await using parts = lifecycle(log, signal)
  await start({ config, given, log, parts, fail })
  await aborted(signal)
  if (signal.reason instanceof Error) throw signal.reason
  log.info('stopping')
  return 0
}

interface Start {
  readonly config: Config
  readonly given: EnvironmentSecrets
  readonly log: Logger
  readonly parts: ReturnType<typeof lifecycle>
  readonly fail: (reason: string) => void
}

async function start({ config, given, log, parts, fail }: Start): Promise<void> {
  const { front } = config.machine
  const { databaseUrl } = given
  if (front === undefined || databaseUrl === undefined)
    throw new StartError(
      'npm run worker needs SIGHTLINE_FRONT and DATABASE_URL: where the front of the installation is, and its database. See docs/guide/several-machines.md.',
    )
  const dataFolder = await parts.start('data folder', () => openDataFolder(config.dataFolder))
  const credentials = await readCredentials(config.machine.credentials ?? join(dataFolder.path, 'worker.json'))
  const { user, password } = credentials.database
  const connection = {
    kind: 'url',
    url: databaseUrl,
    passwords: { media: password },
    users: { media: user },
  } as const
  const sockets = await parts.start('local sockets', socketFolder)
  const workerIds = workerNames(credentials.name, config.mediaWorkers)
  const workers = await parts.start('link to the front', async (signal) =>
    keepMachineWorkers({
      front,
      credentials,
      workerIds,
      settingsOf: ({ encryptsFootage, streamLimits }) =>
        settingsOfMachine({
          // Whether it is a demonstration, the front decides.
          config: { ...config, isDemo: false },
          given,
          name: credentials.name,
          disk: credentials.name,
          isOnlyDisk: false,
          dataFolder: dataFolder.path,
          connection,
          socketFolder: sockets.path,
          installation: {
            encryptsFootage,
            streamLimits: { perPerson: streamLimits.perPerson, perAccount: streamLimits.perAccount },
          },
        }),
      store: join(dataFolder.path, 'footage'),
      entry: MEDIA_WORKER,
      log,
      signal,
    }),
  )
  void workers.failed.then((error) =>
    fail(error instanceof StartError ? error.message : `The media workers could not start: ${String(error)}`),
  )
}

await runProgram(main)
// What a start that failed has left behind must not keep the process.
setTimeout(() => process.exit(), 1000).unref()
