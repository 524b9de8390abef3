import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import type { Auth } from '@sightline/auth'
import { getScheme } from '@sightline/edge'
import { type DatabaseConnection, idSource, openDatabase } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import type { Logger } from '@sightline/platform/log'
import type { Config, EnvironmentSecrets } from '../compose/config.ts'
import { toTlsSetting } from '../compose/front.ts'
import type { Secrets } from '../compose/secrets.ts'
import { createDemonstration, isInUseWithoutDemonstration } from './demo-data.ts'
import { type BrandAddress, openDemoHosts } from './demo-hosts.ts'
import type { DemoIdentity } from './demo-people.ts'
import { startSimulatedCameras } from './simulated-cameras.ts'
import { findUnprinted, keepUnprinted, type UnprintedPassword } from './unprinted-password.ts'

/** The printed introduction to the demo; includes the password only the first time. */
export interface Demonstration {
  readonly people: readonly DemoIdentity[]
  readonly password: UnprintedPassword | undefined
  /** Empty for a public address, because names below `localhost` don't work there. */
  readonly brands: readonly BrandAddress[]
  /** Resolves when everyone can sign in. */
  readonly passwords: Promise<void>
  /** Starts the simulated cameras and stores their addresses. */
  readonly startCameras: (signal: AbortSignal) => Promise<AsyncDisposable>
}

/** Creates the missing parts of the demo; undefined if the installation is in use without one. */
export async function prepareDemonstration(given: {
  config: Config
  dataFolder: string
  connection: DatabaseConnection
  secrets: Secrets
  given: EnvironmentSecrets
  auth: Auth
  /** A simulator that waits for its cameras. */
  simulator: ChildProcess | undefined
  log: Logger
}): Promise<Demonstration | undefined> {
  const { connection, secrets, log } = given
  // Runs as the owner role, which sees every account; the rest of the running product doesn't have it.
  const open = () =>
    openDatabase({ connection, role: 'owner', maxConnections: 2, applicationName: 'sightline-demo', log })
  const key = envelopeEncryption(secrets.installationKey)
  await using db = open()
  if (await isInUseWithoutDemonstration(db)) return undefined
  const left = await findUnprinted(given.dataFolder)
  const kept = left ?? (await keepUnprinted(given.dataFolder, given.given.demoPassword ?? newPassword()))
  const { password } = kept
  const parts = { db, ids: idSource(db), encryption: key, auth: given.auth.plane, password }
  const { isNew, people, passwords } = await createDemonstration(parts)
  const isUnprinted = isNew || left !== undefined
  if (!isUnprinted) await kept.forget()
  const { listen, publicUrl } = given.config
  const at = { scheme: getScheme(toTlsSetting(given.config, '')), port: listen.port }
  const brands = publicUrl === undefined ? await openDemoHosts(db, at) : []
  return {
    people,
    brands,
    passwords,
    password: isUnprinted ? kept : undefined,
    async startCameras(signal) {
      await using cameraDb = open()
      return await startSimulatedCameras({ db: cameraDb, encryption: key, log, signal, prepared: given.simulator })
    },
  }
}

// Without letters that look alike, so that it can be copied by eye: 20 of 54 characters are 115 bits.
const SIGNS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

function newPassword(): string {
  return Array.from({ length: 20 }, () => SIGNS[randomInt(SIGNS.length)]).join('')
}
