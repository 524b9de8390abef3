import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { systemClock } from '@sightline/platform/clock'
import { idSource } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { readSecrets } from '../compose/secrets.ts'
import { runCommand } from './cameras/commands.ts'
import { readCommand, USAGE } from './cameras/options.ts'
import { runInDatabase, runProgram } from './command-line.ts'

/** A password never stands in an argument, where every user of the machine sees it: it is typed unseen, or piped in. */
async function askPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  const password = await terminal.question('')
  terminal.close()
  process.stderr.write('\n')
  return password
}

/** What `npm run camera` runs: the operator adds cameras while the service runs. */
await runProgram(() =>
  runInDatabase({
    read: readCommand,
    usage: USAGE,
    run: async (command, db, config) => {
      const { installationKey } = await readSecrets(config.dataFolder)
      const encryption = envelopeEncryption(installationKey)
      return runCommand(command, { db, ids: idSource(db), encryption, clock: systemClock, askPassword })
    },
  }),
)
