import { idSource } from '@sightline/platform/db'
import { runInDatabase, runProgram } from './command-line.ts'
import { runFirmwareCommand } from './firmware/commands.ts'
import { FIRMWARE_USAGE, readFirmwareCommand } from './firmware/options.ts'

/** What `npm run firmware` runs: the operator offers firmware to all accounts. */
await runProgram(() =>
  runInDatabase({
    read: readFirmwareCommand,
    usage: FIRMWARE_USAGE,
    run: (command, db) => runFirmwareCommand(command, { db, ids: idSource(db) }),
  }),
)
