import { createInterface } from 'node:readline/promises'
import { systemClock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import { mailOutbox } from '@sightline/platform/mail'
import { sealing } from '@sightline/platform/sealing'
import { readConfig } from '../compose/config.ts'
import { openBrands } from '../compose/front.ts'
import { openRunningDatabase } from '../compose/running-database.ts'
import { readSecrets } from '../compose/secrets.ts'
import { endWith, say } from './command-line.ts'
import { runCommand } from './people/commands.ts'
import { readCommand, USAGE } from './people/options.ts'

/** The operator's hand on people who cannot help themselves, what `npm run person` runs. Exit code 2 where the words cannot be understood. */
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
  const { installationKey } = await readSecrets(config.dataFolder)
  const outbox = mailOutbox(sealing(installationKey), systemClock)
  const parts = { db, ids: idSource(db), brands: openBrands(config, db), outbox, confirm }
  return say(await runCommand(command.value, parts))
}

/** Nobody who is not there is taken to agree: without a terminal `--yes` is needed. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [yes/no] `)
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}

await endWith(main)
