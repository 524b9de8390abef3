/** Deletes and erases accounts in a separate process, until it is killed. Argument: the connection as JSON. */
import { writeSync } from 'node:fs'
import { type DatabaseConnection, openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { startDeletionWorker } from '../../server/api/src/deletion-testing.ts'

const [given = ''] = process.argv.slice(2)
const connection: DatabaseConnection = JSON.parse(given)
const open = (role: 'app' | 'eraser') =>
  openDatabase({ connection, role, maxConnections: 2, applicationName: 'test-deletions', log: silentLogger })
await startDeletionWorker(connection, { app: open('app'), eraser: open('eraser') })
writeSync(1, 'begins\n')
// The worker alone does not keep the process alive.
setInterval(() => undefined, 2 ** 30)
