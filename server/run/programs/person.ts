import { createInterface } from 'node:readline/promises'
import { systemClock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { mailOutbox } from '@sightline/platform/mail'
import { openBrands } from '../compose/front.ts'
import { readSecrets } from '../compose/secrets.ts'
import { runInDatabase, runProgram } from './command-line.ts'
import { runCommand } from './people/commands.ts'
import { readCommand, USAGE } from './people/options.ts'

/** Without a terminal no one can confirm, so `--yes` is required. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [yes/no] `)
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}

/** What `npm run person` runs: the operator helps people who can't help themselves. */
await runProgram(() =>
  runInDatabase({
    read: readCommand,
    usage: USAGE,
    run: async (command, db, config) => {
      const { installationKey } = await readSecrets(config.dataFolder)
      const outbox = mailOutbox(envelopeEncryption(installationKey), systemClock)
      return runCommand(command, { db, ids: idSource(db), brands: openBrands(config, db), outbox, confirm })
    },
  }),
)
