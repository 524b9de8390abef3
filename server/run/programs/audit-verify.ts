import { StartError } from '@sightline/platform/startup'
import { readConfig } from '../compose/config.ts'
import { ownPublicKey, verify } from './audit/command.ts'
import { openOwnerDatabase } from './audit/database.ts'
import { readCommand, USAGE } from './audit/options.ts'
import { reportText } from './audit/report-text.ts'

/** Verifies the audit log for `npm run audit:verify`. Its usage lists the exit codes. */
async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2))
  if (!command.ok) {
    process.stderr.write(`${command.failure}\n\n${USAGE}`)
    return 2
  }
  const { config, given } = readConfig(process.env, false)
  switch (command.value.kind) {
    case 'help':
      process.stdout.write(USAGE)
      return 0
    case 'publicKey':
      process.stdout.write((await ownPublicKey(config)).export({ format: 'pem', type: 'spki' }))
      return 0
    case 'verify': {
      await using db = await openOwnerDatabase(config, given)
      const verified = await verify(db, config, command.value)
      process.stdout.write(reportText(verified))
      return verified.report.findingCount === 0 ? 0 : 1
    }
  }
}

/** Explains a missing database, or one of another version, to operators. */
function sentenceOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === '42P01') return 'The database was not set up by this version. Start Sightline on it first.'
  return code === 'ECONNREFUSED' ? 'The database is not responding.' : undefined
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof StartError ? error.message : (sentenceOf(error) ?? error))
  process.exitCode = 2
}
