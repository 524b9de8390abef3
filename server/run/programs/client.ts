import { runCommand } from './clients/commands.ts'
import { readCommand, USAGE } from './clients/options.ts'
import { endWith, runInDatabase } from './command-line.ts'

/** The operator's hand on registered clients, what `npm run client` runs. */
await endWith(() => runInDatabase({ read: readCommand, usage: USAGE, run: runCommand }))
