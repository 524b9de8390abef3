// One process that sends what is in the outbox until it is killed; its input says how.
import { text } from 'node:stream/consumers'
import { systemClock } from '../../clock/index.ts'
import { type DatabaseConnection, openDatabase } from '../../db/index.ts'
import { envelopeEncryption } from '../../envelope-encryption/index.ts'
import { startJobWorker } from '../../jobs/index.ts'
import { silentLogger } from '../../log/index.ts'
import { mailTasks, smtpDelivery } from '../index.ts'

interface Settings {
  readonly connection: DatabaseConnection
  readonly key: string
  readonly port: number
}

const { connection, key, port } = JSON.parse(await text(process.stdin)) as Settings
const log = silentLogger
const db = openDatabase({ connection, role: 'auth', maxConnections: 2, applicationName: 'test-mail-sender', log })
const deliver = smtpDelivery({
  server: { host: '127.0.0.1', port, security: 'off', login: undefined },
  from: 'no-reply@sender.example',
})
const tasks = mailTasks({
  db,
  encryption: envelopeEncryption(Buffer.from(key, 'base64')),
  deliver,
  clock: systemClock,
  log,
})
await startJobWorker({ connection, lanes: [{ tasks, concurrency: 1 }], log })
// The worker itself keeps no process alive.
setInterval(() => undefined, 2 ** 30)
