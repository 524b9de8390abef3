import { StartRefused } from '@sightline/platform/startup'
import { runCommand } from './clients/commands.ts'
import { readCommand, USAGE } from './clients/options.ts'
import { openRunningDatabase } from './clients/running-database.ts'
import { readConfig } from './config.ts'

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
  const done = await runCommand(command.value, db)
  if (done.ok) process.stdout.write(done.value)
  else process.stderr.write(`${done.failure}\n`)
  return done.ok ? 0 : 1
}

/** What a database that is not there, or not of this version, is to an operator. */
function sentenceOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === '42P01') return 'The database is not of this version: start Sightline on it first.'
  return code === 'ECONNREFUSED' ? 'The database does not answer: start Sightline first.' : undefined
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : (sentenceOf(error) ?? error))
  process.exitCode = 1
}
