// A process that writes the requested emails until it is killed; stdin configures it.
import { text } from 'node:stream/consumers'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type DatabaseConnection, idSource, openDatabase } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { startJobWorker } from '@sightline/platform/jobs'
import { silentLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { accountMailTasks } from './account-mails/index.ts'

interface Settings {
  readonly connection: DatabaseConnection
  readonly host: string
}

const { connection, host } = JSON.parse(await text(process.stdin)) as Settings
const log = silentLogger
const db = openDatabase({ connection, role: 'auth', maxConnections: 2, applicationName: 'test-mail-writer', log })
const clock = systemClock
const brands = brandSource(createBrandLookup(db), { scheme: 'http', ownHosts: () => [host], clock })
// What it encrypts is never read, because it is killed before its transaction ends.
const outbox = mailOutbox(envelopeEncryption(Buffer.alloc(32)), clock)
const tasks = accountMailTasks({ db, ids: idSource(db), clock, brands, outbox })
await startJobWorker({ connection, lanes: [{ tasks, concurrency: 1 }], log })
// The worker itself keeps no process alive.
setInterval(() => undefined, 2 ** 30)
