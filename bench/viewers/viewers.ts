import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { freePort, type RunningProduct, startProduct } from '../../tests/running-product.ts'
import { type Child, startChild } from '../child.ts'
import { type Bench, type BenchResult, digits, type Pace } from '../figure.ts'
import { addAccount, addCamera, cameraMac, type Installation, inInstallation } from '../installation.ts'
import { processorSeconds } from '../process-cost.ts'
import { LOAD_FPS, loadClip } from '../recorder/load-clip.ts'
import { type LoopDelay, readIdle, readWorker } from '../recorder/loop-delay.ts'
import { readRecorded } from '../recorder/product-recorder.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const ACCOUNTS = 8
interface Plan {
  /** Of all accounts together: few, to see what one more costs, and many. */
  readonly viewers: readonly [few: number, many: number]
  readonly warmUpMs: number
  readonly lengthMs: number
}
const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { viewers: [200, 1000], warmUpMs: 10_000, lengthMs: 30_000 },
  short: { viewers: [8, 16], warmUpMs: 5000, lengthMs: 3000 },
}
const credentials = { username: 'bench', password: 'bench-only' }
/** Of the clip. */
const LOAD_BITS_PER_SECOND = 2_000_000
const HOUR_MS = 3_600_000

/** What a viewer costs who watches what others watch too, and whether a thousand of them cost footage. */
export const viewers: Bench = {
  name: 'viewers',
  title: 'Many viewers',
  run: (pace) => inTemporaryFolder((folder) => measure(folder, PLANS[pace])),
}

interface Watched {
  readonly cameraId: number
  readonly token: string
}

async function measure(folder: string, { viewers: [few, many], warmUpMs, lengthMs }: Plan): Promise<BenchResult> {
  const clip = loadClip()
  await using simulator = await launchSimulator({
    cameras: Array.from({ length: ACCOUNTS }, (_, index) => ({
      name: `Camera ${index}`,
      mac: cameraMac(index),
      ...credentials,
      clips: { main: clip, sub: clip },
    })),
  })
  const dataFolder = join(folder, 'data')
  const ports = simulator.cameras.map(({ rtspPort }) => rtspPort)
  const watched = await inInstallation(dataFolder, async (installation) => {
    const added: Watched[] = []
    for (const [index, port] of ports.entries()) added.push(await addWatched(installation, index, port))
    return added
  })
  const startedAt = Date.now()
  const bare = await bareCores(few, { warmUpMs, lengthMs })
  const outcome = await watchAll(dataFolder, watched, { few, many, warmUpMs, lengthMs })
  const recorded = await readRecorded(join(dataFolder, 'footage'), startedAt)
  return resultOf({
    ...outcome,
    bare,
    few,
    many,
    lengthMs,
    gaps: recorded.reduce((sum, { pieces }) => sum + pieces - 1, 0),
  })
}

/** Cores that a program takes which sends so many viewers as many bytes as a camera does, and nothing else. */
async function bareCores(
  count: number,
  { warmUpMs, lengthMs }: { readonly warmUpMs: number; readonly lengthMs: number },
): Promise<number> {
  await using broadcast = startChild<object, { readonly port: number }>(new URL('bare-broadcast.mjs', import.meta.url))
  await using viewing: Viewing = startChild(new URL('viewing.mjs', import.meta.url))
  const { port } = await broadcast.ask({ bytes: LOAD_BITS_PER_SECOND / 8 / LOAD_FPS, framesPerSecond: LOAD_FPS })
  await viewing.ask({ urls: Array.from({ length: count }, () => `ws://127.0.0.1:${port}/`) })
  await sleep(warmUpMs)
  const [began, before] = [performance.now(), await processorSeconds([broadcast.pid])]
  await sleep(lengthMs)
  return ((await processorSeconds([broadcast.pid])) - before) / ((performance.now() - began) / 1000)
}

/** An account with an owner who is signed in, and a camera. */
async function addWatched(installation: Installation, index: number, rtspPort: number): Promise<Watched> {
  const { db, ids } = installation
  const account = await addAccount(installation, `Bench ${index}`)
  const { accountId } = account
  const camera = { name: `Camera ${index}`, mac: cameraMac(index), rtspPort, subPath: null }
  const cameraId = await addCamera(installation, { ...account, ...credentials, ...camera })
  const { reseller_id } = await db.plain
    .selectFrom('accounts')
    .select('reseller_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const token = `${accountId}@bench.example`
  const person = { email: token, email_folded: token, first_name: 'Ada', last_name: 'Byron' }
  await db.plain
    .insertInto('users')
    .values({ account_id: accountId, user_id: accountId, reseller_id, ...person })
    .execute()
  await db.plain
    .insertInto('auth.access_sessions')
    .values({
      token_sha256: tokenSha256(token),
      token_id: await ids.next(),
      user_id: accountId,
      account_id: accountId,
      client_id: 'camera-app.v1',
      app_id: 'camera-app.v1',
      scopes: ['read', 'write'],
      expires_at: instant(Date.now() + HOUR_MS),
    })
    .execute()
  return { cameraId, token }
}

interface Reading {
  /** Of all processes of the product, in cores. */
  readonly cores: number
  readonly worker: LoopDelay
  readonly idle: LoopDelay
  /** That the viewers received each second. */
  readonly pictures: number
  readonly open: number
  readonly ends: Readonly<Record<string, number>>
}

interface Counted {
  /** Streams that the server ended, by code. */
  readonly ends: Readonly<Record<string, number>>
  readonly pictures: number
  readonly open: number
}

type Viewing = Child<{ readonly urls: readonly string[] }, Counted>

interface Measured {
  readonly without: Reading
  readonly withFew: Reading
  readonly withMany: Reading
}

async function watchAll(
  dataFolder: string,
  watched: readonly Watched[],
  { few, many, warmUpMs, lengthMs }: { few: number; many: number; warmUpMs: number; lengthMs: number },
): Promise<Measured> {
  const metricsPort = await freePort()
  await using product = await startProduct({
    dataFolder,
    environment: {
      SIGHTLINE_DEMO: 'off',
      SIGHTLINE_DEMO_PASSWORD: '',
      SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8',
      SIGHTLINE_METRICS_PORT: String(metricsPort),
      SIGHTLINE_STREAMS_PER_PERSON: String(many),
      SIGHTLINE_STREAMS_PER_ACCOUNT: String(many),
    },
  })
  await using viewing: Viewing = startChild(new URL('viewing.mjs', import.meta.url))
  const idle = fork(new URL('../recorder/idle-loop.mjs', import.meta.url))
  const urlOf = (n: number) => {
    const { cameraId, token } = watched[n % watched.length] ?? { cameraId: 0, token: '' }
    return `${product.origin.replace('http', 'ws')}/stream/mse/open?camera_id=${cameraId}&access_token=${encodeURIComponent(token)}`
  }
  const readingWith = async (from: number, till: number): Promise<Reading> => {
    await viewing.ask({ urls: Array.from({ length: till - from }, (_, n) => urlOf(from + n)) })
    await sleep(warmUpMs)
    return await read({ product, viewing, metricsPort, idle, lengthMs })
  }
  try {
    return {
      without: await readingWith(0, 0),
      withFew: await readingWith(0, few),
      withMany: await readingWith(few, many),
    }
  } finally {
    idle.kill()
  }
}

async function read(given: {
  product: RunningProduct
  viewing: Viewing
  metricsPort: number
  idle: Parameters<typeof readIdle>[0]
  lengthMs: number
}): Promise<Reading> {
  const { product, viewing, metricsPort, idle, lengthMs } = given
  const processes = await product.processes()
  const count = () => viewing.ask({ urls: [] })
  await Promise.all([readWorker(metricsPort), readIdle(idle)])
  const [began, before, counted] = [performance.now(), await processorSeconds(processes), await count()]
  await sleep(lengthMs)
  const seconds = (performance.now() - began) / 1000
  const cores = ((await processorSeconds(processes)) - before) / seconds
  const after = await count()
  const [worker, bare] = await Promise.all([readWorker(metricsPort), readIdle(idle)])
  return {
    cores,
    worker,
    idle: bare,
    pictures: (after.pictures - counted.pictures) / seconds,
    open: after.open,
    ends: after.ends,
  }
}

interface Figures extends Measured {
  /** Cores of the floor, for the few viewers. */
  readonly bare: number
  readonly few: number
  readonly many: number
  readonly lengthMs: number
  readonly gaps: number
}

function resultOf({ without, withFew, withMany, bare, few, many, lengthMs, gaps }: Figures): BenchResult {
  const beside = (value: number) => ({ name: 'an idle process', value })
  const eachOf = (reading: Reading, count: number) => (100 * (reading.cores - without.cores)) / count
  const due = (count: number) => count * LOAD_FPS
  return {
    figures: [
      {
        what: `Processor per viewer, ${few} viewers`,
        unit: '% of a core',
        ours: eachOf(withFew, few),
        beside: { name: 'ws alone, as many bytes', value: (100 * bare) / few },
        target: { is: 'at most', value: 0.03 },
      },
      { what: `Processor per viewer, ${digits(many)} viewers`, unit: '% of a core', ours: eachOf(withMany, many) },
      {
        what: `Pictures that came, ${few} viewers`,
        unit: '%',
        ours: (100 * withFew.pictures) / due(few),
        target: { is: 'at least', value: 99 },
      },
      { what: `Pictures that came, ${digits(many)} viewers`, unit: '%', ours: (100 * withMany.pictures) / due(many) },
      { what: 'Viewers that were still connected', unit: '', ours: withMany.open },
      { what: 'Gaps in the recordings', unit: '', ours: gaps, target: { is: 'at most', value: 0 } },
      {
        what: `Timer delay of the worker, 99th percentile, ${digits(many)} viewers`,
        unit: 'ms',
        ours: withMany.worker.p99Ms,
        beside: beside(withMany.idle.p99Ms),
        target: { is: 'at most', value: 50 },
      },
    ],
    remarks: [
      `${ACCOUNTS} accounts with a camera of 1080p each, ${LOAD_FPS} pictures a second and 2 Mbit/s, recorded and encrypted; viewers watch the main stream live over WebSocket, from a program on the same machine that decodes nothing. ${lengthMs / 1000} s each.`,
      `Streams that the server ended, by code: ${JSON.stringify(withMany.ends)}. Timer delay at ${few} viewers: 99th percentile ${digits(withFew.worker.p99Ms)} ms.`,
      `Processor of all processes of the product, less what they take without viewers (${digits(100 * without.cores)} %).`,
    ],
  }
}
