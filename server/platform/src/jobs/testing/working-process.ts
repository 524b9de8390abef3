// A process that runs jobs until it is killed; stdin configures the database. Emails are announced and never finish.
import { text } from 'node:stream/consumers'
import type { DatabaseConnection } from '../../db/index.ts'
import { silentLogger } from '../../log/index.ts'
import { startJobWorker } from '../index.ts'

const { connection } = JSON.parse(await text(process.stdin)) as { readonly connection: DatabaseConnection }
const tasks = {
  sendMail: {
    run: () => {
      process.stdout.write('running\n')
      return new Promise<never>(() => undefined)
    },
  },
}
await startJobWorker({ connection, lanes: [{ tasks, concurrency: 1 }], log: silentLogger })
// The worker itself keeps no process alive.
setInterval(() => undefined, 2 ** 30)
