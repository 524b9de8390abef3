// One process that sends what is in the outbox, until it is killed: `node sending-process.ts <settings as JSON>`.
import { systemClock } from '../../clock/index.ts'
import { type DatabaseConnection, openDatabase } from '../../db/index.ts'
import { silentLogger } from '../../log/index.ts'
import { sealing } from '../../sealing/index.ts'
import { smtpDelivery, startMailSender } from '../index.ts'

const given = JSON.parse(process.argv[2] ?? '') as { connection: DatabaseConnection; key: string; port: number }
const db = openDatabase({
  connection: given.connection,
  role: 'auth',
  maxConnections: 2,
  applicationName: 'test-mail-sender',
  log: silentLogger,
})
startMailSender({
  db,
  sealing: sealing(Buffer.from(given.key, 'base64')),
  deliver: smtpDelivery({
    server: { host: '127.0.0.1', port: given.port, security: 'off', login: undefined },
    from: 'no-reply@sender.example',
  }),
  clock: systemClock,
  log: silentLogger,
  everyMs: 20,
})
// The sender itself keeps no process alive.
setInterval(() => undefined, 2 ** 30)
