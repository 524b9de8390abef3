/** Sends camera alerts in a separate process, to be killed. Arguments: the connection as JSON, the time. */
import { writeSync } from 'node:fs'
import { manualClock } from '@sightline/platform/clock'
import { openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { alertDeps } from '../../server/api/src/alerts-testing.ts'
import { notifyDue } from '../../server/api/src/notification-settings/alerts/index.ts'

const [connection = '', now = ''] = process.argv.slice(2)
const db = openDatabase({
  connection: JSON.parse(connection),
  role: 'alerts',
  maxConnections: 2,
  applicationName: 'test-alerts',
  log: silentLogger,
})
const deps = alertDeps({ db, clock: manualClock(Number(now)) })
writeSync(1, 'begins\n')
await notifyDue(deps)
await db[Symbol.asyncDispose]()
