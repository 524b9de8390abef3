import { join } from 'node:path'
import { artefactFiles } from '@sightline/api'
import type { GeoLocator } from '@sightline/auth'
import { hasFootage } from '@sightline/media/control'
import { type Db, openDatabase, type Role } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { startAuditSigner } from '../compose/audit-signer.ts'
import type { Config, EnvironmentSecrets } from '../compose/config.ts'
import type { ProductDatabase } from '../compose/database.ts'
import type { DatabaseReserve } from '../compose/database-reserve.ts'
import { exportSigner } from '../compose/export-signer.ts'
import { prepareFirstRun } from '../compose/first-run/index.ts'
import { footageReaders } from '../compose/footage-readers.ts'
import {
  type AskProblems,
  builtPages,
  openBrands,
  openExporting,
  readiness,
  socketFolder,
  startAuth,
  startFront,
  startSessions,
} from '../compose/front.ts'
import { startHeadSigner } from '../compose/head-signer.ts'
import { startJobs } from '../compose/jobs.ts'
import { openKeyService } from '../compose/key-service.ts'
import type { Lifecycle } from '../compose/lifecycle.ts'
import { openMachineServer } from '../compose/machines/machine-server.ts'
import { openMailing } from '../compose/mail/index.ts'
import { type MediaWorkers, startMediaWorkers } from '../compose/media-workers.ts'
import { jobMetrics } from '../compose/metrics/job-metrics.ts'
import { startMetrics } from '../compose/metrics/metrics.ts'
import { requestMetrics } from '../compose/metrics/request-metrics.ts'
import { EVERYWHERE, keepPlacements } from '../compose/placements.ts'
import { openPush } from '../compose/push.ts'
import type { Secrets } from '../compose/secrets.ts'
import type { WorkerDesk } from '../compose/worker-connection.ts'
import { workerSettings } from '../compose/worker-settings.ts'
import { prepareDemonstration } from '../demo/demonstration.ts'
import { MEDIA_WORKER, type PreparedProcesses } from './prepared-processes.ts'
import { welcome } from './welcome.ts'

export interface PlanesDeps {
  readonly config: Config
  readonly given: EnvironmentSecrets
  readonly log: Logger
  readonly parts: Lifecycle
  /** Path. */
  readonly dataFolder: string
  readonly secrets: Secrets
  readonly geoLocator: GeoLocator | undefined
  readonly processes: PreparedProcesses
  readonly reserve: Pick<DatabaseReserve, 'problems'>
  readonly database: ProductDatabase
}

/** For the keys of the media workers and the heads of lists of footage. */
const KEY_CONNECTIONS = 4

/** Everything that depends on the database. */
export async function startPlanes(deps: PlanesDeps): Promise<void> {
  const { config, given, log, parts, dataFolder, secrets, geoLocator, processes } = deps
  const { connection } = deps.database
  const pools = new Map<Role, Db>()
  const pool = async (role: Role, maxConnections = 16): Promise<Db> => {
    const opened = await parts.start(`database pool ${role}`, async () =>
      openDatabase({ connection, role, maxConnections, applicationName: `sightline-${role}`, log }),
    )
    pools.set(role, opened)
    return opened
  }
  const requests = requestMetrics()
  // Starts before the parts that write entries, so that it stops after them.
  const ofSealer = { db: await pool('sealer'), config, secrets, log }
  const signer = await parts.start('audit sealer', async () => startAuditSigner(ofSealer))
  const app = await pool('app')
  const brands = openBrands(config, app)
  const sessions = await startSessions(parts, { app, log, dataFolder })
  const revocations = [() => sessions.forget()]
  const authDb = await pool('auth')
  const pages = await builtPages()
  const auth = await parts.start('authorization server', () =>
    startAuth({
      db: authDb,
      secrets,
      brands,
      pages,
      log,
      settings: config.tokens,
      geoLocator,
      onRevoked: () => revocations.forEach((tell) => void tell()),
    }),
  )
  const mailing = openMailing({ config, given, dataFolder, authDb, secrets, log })
  const { simulator } = processes
  const demo = config.isDemo
    ? await prepareDemonstration({ config, dataFolder, connection, secrets, given, auth, simulator, log })
    : undefined
  if (demo === undefined) processes.dismissSimulator()
  const firstRun = config.isDemo ? undefined : await prepareFirstRun({ connection, authDb, auth, brands, pages, log })
  const sockets = await parts.start('local sockets', socketFolder)
  const settings = workerSettings({ config, given, dataFolder, socketFolder: sockets.path, connection })
  // Cameras first: a worker that can't reach them would report them offline.
  if (demo !== undefined && config.simulatesCameras) await parts.start('simulated cameras', demo.startCameras)
  const { mediaWorker: prepared } = processes
  const ofMedia = { media: await pool('media', KEY_CONNECTIONS), sealer: ofSealer.db }
  const media = await startMedia(ofMedia, { ...deps, settings, prepared })
  revocations.push(() => media.revoked())
  const opened = { config, app, auth, firstRun, mailing, brands, sessions, media, requests, secrets, log }
  const push = openPush(config, secrets)
  const artefacts = artefactFiles(join(dataFolder, 'exports'))
  await demo?.passwords
  await parts.start('front door', () => startFront({ ...opened, dataFolder, push, artefacts }))
  const exporting = openExporting({ artefacts, secrets })
  const ofPlanes = { app, alerts: await pool('alerts'), eraser: await pool('eraser'), media: media.plane }
  const ofJobs = { connection, ...ofPlanes, mailTasks: mailing.tasks, auth, brands, push, exporting, secrets, log }
  await parts.start('jobs', async () => startJobs(ofJobs))
  const { metricsPort } = config
  if (metricsPort !== undefined) {
    const jobs = jobMetrics(await pool('jobs'))
    const problemsOf = [deps.database, deps.reserve, media, signer, mailing, jobs].map((part) => part.problems)
    const problems = askAll(() => readiness(app, media), ...problemsOf)
    const measured = { problems, figures: media.figures, audit: signer, mails: mailing, jobs, requests, pools }
    await parts.start('metrics', () => startMetrics(metricsPort, measured))
  }
  await welcome(config, { demo, firstRun, mailKey: mailing.key })
}

type StartMedia = Pick<PlanesDeps, 'parts' | 'dataFolder' | 'secrets' | 'log' | 'config'> &
  Pick<Parameters<typeof startMediaWorkers>[0], 'settings' | 'prepared'>

/** The media workers, and what this process does for them. */
async function startMedia(dbs: { readonly media: Db; readonly sealer: Db }, deps: StartMedia): Promise<MediaWorkers> {
  const { parts, dataFolder, secrets, log, settings, prepared, config } = deps
  const keyService = openKeyService(dbs.media, secrets)
  // Stops after the workers, which report their last heads when they stop.
  const headSigner = await parts.start('footage signer', async () =>
    startHeadSigner({ db: dbs.sealer, dataFolder, secrets, log }),
  )
  const { workerListen: listen, encryptsFootage, streams: streamLimits } = config
  const { authority, grantKey } = secrets.machines
  const welcome = {
    encryptsFootage,
    streamLimits: { perPerson: streamLimits.perPerson, perAccount: streamLimits.perAccount },
  }
  const common = { db: dbs.sealer, mediaDb: dbs.media, authority, grantKey, welcome, log, now: Date.now }
  const several = {
    openMachines:
      listen && ((desk: WorkerDesk, onGone: () => void) => openMachineServer({ ...common, listen, desk, onGone })),
    footageReaders: listen && footageReaders(dbs.media, Date.now),
    hasFootage: (cameraId: number, disk: string) => hasFootage(dbs.media, cameraId, disk),
    signExport: exportSigner(secrets, Date.now),
  }
  const workers = await parts.start('media workers', (signal) => {
    const placements = listen === undefined ? EVERYWHERE : keepPlacements(dbs.media, log, signal)
    const given = { settings, entry: MEDIA_WORKER, keyService, headSigner, prepared, placements, ...several }
    return startMediaWorkers({ ...given, log, signal })
  })
  return { ...workers, problems: () => [...workers.problems(), ...headSigner.problems()] }
}

/** Everything that is wrong, a sentence each. */
const askAll =
  (...parts: readonly (() => readonly string[] | Promise<readonly string[]>)[]): AskProblems =>
  async () =>
    (await Promise.all(parts.map((ask) => ask()))).flat()
