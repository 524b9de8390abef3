import type { Db } from '@sightline/platform/db'
import type { Result } from '@sightline/platform/result'
import { StartError } from '@sightline/platform/startup'
import { type Config, readConfig } from '../compose/config.ts'
import { openRunningDatabase } from '../compose/running-database.ts'

const HELP = { kind: 'help' } as const
type Help = typeof HELP

interface OperatorCommand<Command> {
  readonly read: (words: readonly string[]) => Result<Command | Help, string>
  readonly usage: string
  readonly run: (command: Command, db: Db, config: Config) => Promise<Result<string, string>>
}

/**
 * Runs the command that this process was started with in the database of the running product. Exit code 2 if the
 * arguments are invalid.
 */
export async function runInDatabase<Command>({ read, usage, run }: OperatorCommand<Command>): Promise<number> {
  const command = read(process.argv.slice(2))
  if (!command.ok) {
    process.stderr.write(`${command.failure}\n\n${usage}`)
    return 2
  }
  if (isHelp(command.value)) {
    process.stdout.write(usage)
    return 0
  }
  const { config, given } = readConfig(process.env, false)
  await using db = await openRunningDatabase(config, given)
  return say(await run(command.value, db, config))
}

const isHelp = (command: unknown): command is Help =>
  typeof command === 'object' && command !== null && 'kind' in command && command.kind === HELP.kind

/** Ends the process with the exit code of an operator's command; with 1 and a sentence if it fails. */
export async function runProgram(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    console.error(error instanceof StartError ? error.message : (sentenceOf(error) ?? error))
    process.exitCode = 1
  }
}

/** Explains a missing database, or one of another version, to operators. */
function sentenceOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === '42P01') return 'The database was not set up by this version. Start Sightline on it first.'
  return code === 'ECONNREFUSED' ? 'The database is not responding. Start Sightline first.' : undefined
}

/** Results go to stdout, errors to stderr; returns the exit code. */
export function say(done: Result<string, string>): number {
  if (done.ok) process.stdout.write(done.value)
  else process.stderr.write(`${done.failure}\n`)
  return done.ok ? 0 : 1
}
