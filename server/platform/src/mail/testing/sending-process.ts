// One process that sends what is in the outbox until it is killed; its input says how.
import { text } from 'node:stream/consumers'
import { systemClock } from '../../clock/index.ts'
import { type DatabaseConnection, openDatabase } from '../../db/index.ts'
import { silentLogger } from '../../log/index.ts'
import { sealing } from '../../sealing/index.ts'
import { smtpDelivery, startMailSender } from '../index.ts'

interface Settings {
  readonly connection: DatabaseConnection
  readonly key: string
  readonly port: number
}

const { connection, key, port } = JSON.parse(await text(process.stdin)) as Settings
const db = openDatabase({
  connection,
  role: 'auth',
  maxConnections: 2,
  applicationName: 'test-mail-sender',
  log: silentLogger,
})
startMailSender({
  db,
  sealing: sealing(Buffer.from(key, 'base64')),
  deliver: smtpDelivery({
    server: { host: '127.0.0.1', port, security: 'off', login: undefined },
    from: 'no-reply@sender.example',
  }),
  clock: systemClock,
  log: silentLogger,
  everyMs: 20,
})
// The sender itself keeps no process alive.
setInterval(() => undefined, 2 ** 30)
