import { randomInt } from 'node:crypto'
import type { Auth } from '@sightline/auth'
import { type DatabaseConnection, idSource, openDatabase } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { sealing } from '@sightline/platform/sealing'
import type { GivenSecrets } from '../config.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Secrets } from '../secrets.ts'
import { createDemonstration, demoPeople } from './demo-data.ts'
import { startSimulatedCameras } from './simulated-cameras.ts'

/** What is printed to whoever starts the demonstration; the password only by the start that made it. */
export interface Demonstration {
  readonly people: readonly string[]
  readonly password: string | undefined
}

/** Creates what is missing and starts the simulated cameras. */
export async function startDemonstration(given: {
  parts: Lifecycle
  connection: DatabaseConnection
  secrets: Secrets
  given: GivenSecrets
  auth: Auth
  log: Logger
}): Promise<Demonstration> {
  const { parts, connection, secrets, log } = given
  // Under the owner's role, which sees every account; nothing else in the running product has it.
  await using db = openDatabase({
    connection,
    role: 'owner',
    maxConnections: 2,
    applicationName: 'sightline-demo',
    log,
  })
  const password = given.given.demoPassword ?? newPassword()
  const key = sealing(secrets.installationKey)
  const isNew = await createDemonstration({ db, ids: idSource(db), sealing: key, auth: given.auth.plane, password })
  await parts.start('simulated cameras', () => startSimulatedCameras({ db, sealing: key }))
  return { people: demoPeople, password: isNew ? password : undefined }
}

// Without letters that look alike, so that it can be copied by eye: 20 of 54 signs are 115 bits.
const SIGNS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

function newPassword(): string {
  return Array.from({ length: 20 }, () => SIGNS[randomInt(SIGNS.length)]).join('')
}
