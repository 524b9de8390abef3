import { systemClock } from '@sightline/platform/clock'
import { readSecrets } from '../compose/secrets.ts'
import { runInDatabase, runProgram } from './command-line.ts'
import { runCommand } from './machines/commands.ts'
import { readCommand, USAGE } from './machines/options.ts'

/** What `npm run workers` runs: the operator adds and revokes machines with media workers while the service runs. */
await runProgram(() =>
  runInDatabase({
    read: readCommand,
    usage: USAGE,
    run: async (command, db, config) => {
      const { authority, grantKey } = (await readSecrets(config.dataFolder)).machines
      return runCommand(command, { db, authority, grantKey, clock: systemClock })
    },
  }),
)
