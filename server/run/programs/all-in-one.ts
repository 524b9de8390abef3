import { openPlaces } from '@sightline/auth'
import { type Db, openDatabase, type Role } from '@sightline/platform/db'
import { createLogger, type Logger } from '@sightline/platform/log'
import { openDataFolder, StartRefused } from '@sightline/platform/startup'
import { startAuditSealer } from '../compose/audit-sealer.ts'
import { type Config, type GivenSecrets, printableConfig, readConfig } from '../compose/config.ts'
import { startDatabase } from '../compose/database.ts'
import { prepareFirstRun } from '../compose/first-run/index.ts'
import {
  type AskProblems,
  builtPages,
  openBrands,
  readiness,
  socketFolder,
  startAuth,
  startFront,
  startSessions,
} from '../compose/front.ts'
import { startJobs } from '../compose/jobs.ts'
import { type Lifecycle, lifecycle } from '../compose/lifecycle.ts'
import { openMailing } from '../compose/mail/index.ts'
import { startMediaWorkers } from '../compose/media-workers.ts'
import { jobMetrics } from '../compose/metrics/job-metrics.ts'
import { startMetrics } from '../compose/metrics/metrics.ts'
import { requestMetrics } from '../compose/metrics/request-metrics.ts'
import { openPush } from '../compose/push.ts'
import { loadSecrets } from '../compose/secrets.ts'
import { workerSettings } from '../compose/worker-settings.ts'
import { prepareDemonstration } from '../demo/demonstration.ts'
import { checkPort } from './port-check.ts'
import { welcome } from './welcome.ts'

/** Everything on one machine, in one process tree: what `npm start` runs. Exit code 0 when it was asked to stop. */
async function main(): Promise<number> {
  if (process.argv.includes('--print-config')) {
    readConfig(process.env, false)
    process.stdout.write(printableConfig(process.env))
    return 0
  }
  const { config, given } = readConfig(process.env, process.stdout.isTTY === true)
  const log = createLogger({ ...config.log, name: 'sightline' })
  const { signal, fail } = untilAskedToStop()
  await using parts = lifecycle(log, signal)
  try {
    await startAll({ config, given, log, parts, fail })
    await aborted(signal)
  } catch (error) {
    // Asked to stop while starting: giving up half-way is what was wanted.
    if (!signal.aborted) throw error
  }
  if (signal.reason instanceof Error) throw signal.reason
  log.info('stopping')
  return 0
}

interface Start {
  readonly config: Config
  readonly given: GivenSecrets
  readonly log: Logger
  readonly parts: Lifecycle
  /** Ends everything because a part is beyond repair. */
  readonly fail: (reason: string) => void
}

async function startAll({ config, given, log, parts, fail }: Start): Promise<void> {
  // Whatever may refuse the start is asked first, while there is nothing to stop again.
  const dataFolder = await parts.start('data folder', () => openDataFolder(config.dataFolder))
  await checkPorts(config)
  const places = config.placeDatabase === undefined ? undefined : await openPlaces(config.placeDatabase)
  const secrets = await loadSecrets(dataFolder)
  const connection = await startDatabase({ parts, dataFolder, secrets, given, log, onFailure: fail })
  const pools = new Map<Role, Db>()
  const pool = async (role: Role): Promise<Db> => {
    const opened = await parts.start(`database pool ${role}`, async () =>
      openDatabase({ connection, role, maxConnections: 16, applicationName: `sightline-${role}`, log }),
    )
    pools.set(role, opened)
    return opened
  }
  const requests = requestMetrics()
  // Started before those that write lines, so that it is stopped after them.
  const ofSealer = { db: await pool('sealer'), config, secrets, log }
  const sealer = await parts.start('audit sealer', async () => startAuditSealer(ofSealer))
  const app = await pool('app')
  const brands = openBrands(config, app)
  const sessions = await startSessions(parts, { app, log, dataFolder: dataFolder.path })
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
      places,
      onRevoked: () => revocations.forEach((tell) => void tell()),
    }),
  )
  const mailing = openMailing({ config, given, dataFolder: dataFolder.path, authDb, secrets, log })
  const demo = config.isDemo
    ? await prepareDemonstration({ config, dataFolder: dataFolder.path, connection, secrets, given, auth, log })
    : undefined
  const firstRun = config.isDemo ? undefined : await prepareFirstRun({ connection, authDb, auth, brands, pages, log })
  const sockets = await parts.start('local sockets', socketFolder)
  const folders = { dataFolder: dataFolder.path, socketFolder: sockets.path }
  const settings = workerSettings({ config, ...folders, secrets, connection })
  // Both are processes that take most of a second to come up, so they do it side by side.
  const worker = startMediaWorkers({ settings, log, signal: parts.signal })
  worker.catch(() => undefined)
  if (demo !== undefined) await parts.start('simulated cameras', demo.startCameras)
  const media = await parts.start('media worker', () => worker)
  media.camerasChanged()
  revocations.push(() => media.revoked())
  const opened = { config, app, auth, firstRun, mailing, brands, sessions, media, requests, secrets, log }
  const push = openPush(config, secrets)
  await parts.start('front door', () => startFront({ ...opened, dataFolder: dataFolder.path, push }))
  const ofPlanes = { app, alerts: await pool('alerts'), eraser: await pool('eraser') }
  const ofJobs = { connection, ...ofPlanes, mailTasks: mailing.tasks, auth: auth.plane, brands, push, secrets, log }
  await parts.start('jobs', async () => startJobs(ofJobs))
  const { metricsPort } = config
  if (metricsPort !== undefined) {
    const jobs = jobMetrics(await pool('jobs'))
    const problemsOf = [media.problems, sealer.problems, mailing.problems, jobs.problems]
    const problems = askAll(() => readiness(app, media), ...problemsOf)
    const measured = { problems, figures: media.figures, audit: sealer, mails: mailing, jobs, requests, pools }
    await parts.start('metrics', () => startMetrics(metricsPort, measured))
  }
  await welcome(config, { demo, firstRun, mailKey: mailing.key })
}

async function checkPorts({ listen, metricsPort }: Config): Promise<void> {
  await checkPort(listen.host, listen.port, 'SIGHTLINE_PORT')
  if (metricsPort !== undefined) await checkPort('127.0.0.1', metricsPort, 'SIGHTLINE_METRICS_PORT')
}

/** Everything that is wrong, a sentence each. */
const askAll =
  (...parts: readonly (() => readonly string[] | Promise<readonly string[]>)[]): AskProblems =>
  async () =>
    (await Promise.all(parts.map((ask) => ask()))).flat()

function untilAskedToStop(): { signal: AbortSignal; fail: (reason: string) => void } {
  const stopping = new AbortController()
  const stop = () => stopping.abort('asked to stop')
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  // The starter holds the other end of this channel; it closes when the starter is killed.
  process.on('disconnect', stop)
  // Whoever read our output is gone, as in `npm start | head`; that is no reason to crash.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return { signal: stopping.signal, fail: (reason) => stopping.abort(new StartRefused(reason)) }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    // A pending promise alone does not keep a process running, a timer does.
    const awake = setInterval(() => undefined, 2 ** 30)
    signal.addEventListener('abort', () => {
      clearInterval(awake)
      resolve()
    })
  })
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : error)
  process.exitCode = 1
}
if (process.connected) process.disconnect()
