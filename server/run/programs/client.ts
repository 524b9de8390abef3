import { readConfig } from '../compose/config.ts'
import { openRunningDatabase } from '../compose/running-database.ts'
import { runCommand } from './clients/commands.ts'
import { readCommand, USAGE } from './clients/options.ts'
import { endWith, say } from './command-line.ts'

/** The operator's hand on registered clients, what `npm run client` runs. Exit code 2 where the words cannot be understood. */
async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2))
  if (!command.ok) {
    process.stderr.write(`${command.failure}\n\n${USAGE}`)
    return 2
  }
  if (command.value.kind === 'help') {
    process.stdout.write(USAGE)
    return 0
  }
  const { config, given } = readConfig(process.env, false)
  await using db = await openRunningDatabase(config, given)
  return say(await runCommand(command.value, db))
}

await endWith(main)
