import { runCommand } from './clients/commands.ts'
import { readCommand, USAGE } from './clients/options.ts'
import { runInDatabase, runProgram } from './command-line.ts'

/** The operator's hand on registered clients, what `npm run client` runs. */
await runProgram(() => runInDatabase({ read: readCommand, usage: USAGE, run: runCommand }))
