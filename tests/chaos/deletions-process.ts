/** What carries deletions out and erases, in a process of its own, to be killed. Argument: the connection as JSON. */
import { writeSync } from 'node:fs'
import { systemClock } from '@sightline/platform/clock'
import { openDatabase } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { carryOut } from '../../server/api/src/account-deletion/carry-out.ts'
import { eraseDue } from '../../server/api/src/account-deletion/erase.ts'
import { deletionsParts } from '../../server/api/src/deletion-testing.ts'

const [connection = ''] = process.argv.slice(2)
const open = (role: 'app' | 'eraser') =>
  openDatabase({
    connection: JSON.parse(connection),
    role,
    maxConnections: 2,
    applicationName: 'test-deletions',
    log: silentLogger,
  })
const [app, eraser] = [open('app'), open('eraser')]
writeSync(1, 'begins\n')
await carryOut(deletionsParts(app, systemClock))
const auth = { forgetUser: async () => undefined }
await eraseDue({ db: eraser, auth, clock: systemClock, log: silentLogger })
await Promise.all([app[Symbol.asyncDispose](), eraser[Symbol.asyncDispose]()])
