import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { startProduct } from '../../tests/running-product.ts'
import { fetchToken } from '../../tests/signed-in.ts'
import { startChild } from '../child.ts'
import type { Bench, BenchResult, Figure, Pace } from '../figure.ts'
import { addCamera, inInstallation } from '../installation.ts'
import { processorSeconds } from '../process-cost.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const PAGE_BYTES = 8192
const LENGTH_MS = 2000

/** Synced page writes per second of this disk, one after another: the limit for any server that syncs each change. */
async function safeWritesPerSecond(folder: string): Promise<number> {
  await using file = await open(join(folder, 'disk-bench'), 'w')
  const page = Buffer.alloc(PAGE_BYTES, 1)
  const began = performance.now()
  let writes = 0
  while (performance.now() - began < LENGTH_MS) {
    await file.write(page, 0, PAGE_BYTES, 0)
    await file.datasync()
    writes += 1
  }
  return (writes * 1000) / (performance.now() - began)
}

const OWNER = 'owner@demo.example'
const CAMERAS = 20
const CONNECTIONS = 10
interface Plan {
  readonly rounds: number
  readonly seconds: number
  /** Long enough for hot code to be compiled. */
  readonly warmUpSeconds: number
}

const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { rounds: 4, seconds: 6, warmUpSeconds: 2 },
  short: { rounds: 1, seconds: 1, warmUpSeconds: 0.3 },
}

interface Call {
  readonly what: string
  readonly method: 'GET' | 'PATCH'
  readonly path: string
  /** Sent in turn. */
  readonly bodies: readonly (object | undefined)[]
}

const calls: readonly Call[] = [
  { what: 'GET languages: no database', method: 'GET', path: '/rest/v2.4/languages', bodies: [undefined] },
  { what: `GET cameras: ${CAMERAS} of them`, method: 'GET', path: '/rest/v2.4/cameras', bodies: [undefined] },
  {
    what: 'PATCH users/self/details: with an audit entry, synced to disk',
    method: 'PATCH',
    path: '/rest/v2.4/users/self/details',
    bodies: [{ city: 'Delft' }, { city: 'Gouda' }],
  },
]

/** Requests per second through edge, API and database, compared with node:http sending the same bytes. */
export const api: Bench = {
  name: 'api',
  title: 'API',
  async run(pace) {
    return await inTemporaryFolder(async (folder) => {
      await prepare(folder)
      return await measure(folder, PLANS[pace])
    })
  },
}

/** The demonstration with more cameras; they are not simulated, so that nothing else runs meanwhile. */
async function prepare(dataFolder: string): Promise<void> {
  await using first = await startProduct({ dataFolder, cameras: false })
  await first.stop()
  await inInstallation(dataFolder, async (installation) => {
    const { db } = installation
    const owner = await db.plain
      .selectFrom('users')
      .select('account_id')
      .where('email_folded', '=', OWNER)
      .executeTakeFirstOrThrow()
    // More than its package allows.
    await db.plain
      .updateTable('accounts')
      .set({ max_cameras: CAMERAS })
      .where('account_id', '=', owner.account_id)
      .execute()
    const present = await db.plain
      .selectFrom('cameras')
      .select('zone_id')
      .where('account_id', '=', owner.account_id)
      .execute()
    for (let index = present.length; index < CAMERAS; index += 1) {
      await addCamera(installation, {
        subPath: '/sub',
        accountId: owner.account_id,
        zoneId: present[0]?.zone_id ?? 0,
        name: `Camera ${index}`,
        mac: `02:53:4c:02:00:${index.toString(16).padStart(2, '0')}`,
        rtspPort: 9,
        username: 'bench',
        password: 'bench-only',
      })
    }
  })
}

interface Run {
  readonly perSecond: number
  readonly p99: number
  readonly failed: number
  readonly answered: number
  /** Processor time per request, including the database. */
  readonly costUs: number
}

/** The result of load.mjs. */
type Told = Omit<Run, 'costUs'>

/** A server and its processes. */
interface Served {
  readonly url: string
  readonly pids: () => Promise<readonly number[]>
}

async function measure(dataFolder: string, plan: Plan): Promise<BenchResult> {
  const environment = {
    SIGHTLINE_DEMO: 'off',
    SIGHTLINE_DEMO_PASSWORD: '',
    SIGHTLINE_LOG: 'info,json',
    // All load is from one user.
    SIGHTLINE_CALLS_PER_SECOND: '0',
  }
  await using product = await startProduct({ dataFolder, environment })
  const headers = { authorization: `Bearer ${await fetchToken(product.origin, OWNER)}` }
  await using bare = startChild<object, number>(new URL('./bare-server.mjs', import.meta.url))
  await using load = startChild<object, Told>(new URL('./load.mjs', import.meta.url))
  const port = await bare.ask(await answersOf(product.origin, headers))
  const run = async ({ url, pids }: Served, call: Call, seconds: number): Promise<Run> => {
    const before = await processorSeconds(await pids())
    const told = await load.ask({ url, connections: CONNECTIONS, seconds, headers, requests: requestsOf(call) })
    return { ...told, costUs: (((await processorSeconds(await pids())) - before) * 1e6) / told.answered }
  }
  const ours: Served = { url: product.origin, pids: product.processes }
  const floor: Served = { url: `http://127.0.0.1:${port}`, pids: async () => [bare.pid] }
  const runs = new Map(calls.map((call) => [call, { ours: [] as Run[], bare: [] as Run[] }]))
  for (const served of [ours, floor]) for (const call of calls) await run(served, call, plan.warmUpSeconds)
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [call, measured] of runs) {
      measured.ours.push(await run(ours, call, plan.seconds))
      measured.bare.push(await run(floor, call, plan.seconds))
    }
  }
  const all = [...runs.values()]
  const failed = all.flatMap((measured) => measured.ours).reduce((sum, { failed: count }) => sum + count, 0)
  const disk = { name: 'fdatasync of 8 KiB, one after another', value: await safeWritesPerSecond(dataFolder) }
  const patched = all.at(-1)?.ours ?? []
  const still = (of: 'ours' | 'bare') =>
    all.flatMap((measured) => measured[of]).filter((run) => run.answered === 0).length
  return {
    figures: [
      ...[...runs].flatMap(([call, measured]) => figuresOf(call, measured)),
      { what: 'The same PATCH, compared with the disk', unit: 'req/s', ours: most(patched), beside: disk },
      {
        what: `Rounds of ${plan.seconds} s without an answer`,
        unit: '',
        ours: still('ours'),
        beside: { name: 'node:http, same bytes', value: still('bare') },
        target: { is: 'at most', value: 0 },
      },
    ],
    remarks: [
      `${CONNECTIONS} connections that send the next request as soon as they get an answer; ${plan.rounds} rounds of ours, then bare, ${plan.seconds} s each; the best of each, because other load on the machine only slows it down. Failed requests: ${failed}.`,
      'Server, database and load generator share the cores. The access log is at its default: slow and failed requests only. All ten connections PATCH the same user, whose row is locked, so these requests run one after another.',
    ],
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const requestsOf = ({ method, path, bodies }: Call): Asked[] =>
  bodies.map((body): Asked => {
    if (body === undefined) return { method, path, headers: {} }
    return { method, path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  })

/** The product's answer to each call, for the bare server to repeat. */
async function answersOf(origin: string, headers: Readonly<Record<string, string>>) {
  const answers: Record<string, { status: number; headers: Record<string, string>; body: string }> = {}
  for (const { method, path, ...asked } of calls.flatMap(requestsOf)) {
    const response = await fetch(origin + path, { ...asked, method, headers: { ...headers, ...asked.headers } })
    const body = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${body}`)
    const perConnection = new Set(['connection', 'keep-alive', 'date', 'content-encoding', 'transfer-encoding'])
    const kept = [...response.headers].filter(([name]) => !perConnection.has(name))
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    answers[`${method} ${path}`] = {
      status: response.status,
      headers: { ...Object.fromEntries(kept), ...length },
      body,
    }
  }
  return answers
}

const most = (runs: readonly Run[]): number => Math.max(...runs.map((run) => run.perSecond))

function figuresOf({ what }: Call, { ours, bare }: { ours: readonly Run[]; bare: readonly Run[] }): Figure[] {
  const name = 'node:http, same bytes'
  const least = (runs: readonly Run[], of: 'p99' | 'costUs') =>
    Math.min(...runs.filter(({ answered }) => answered > 0).map((run) => run[of]))
  return [
    { what, unit: 'req/s', ours: most(ours), beside: { name, value: most(bare) } },
    { what: 'Its 99th percentile', unit: 'ms', ours: least(ours, 'p99'), beside: { name, value: least(bare, 'p99') } },
    {
      what: 'Its processor time, including the database',
      unit: 'µs',
      ours: least(ours, 'costUs'),
      beside: { name, value: least(bare, 'costUs') },
    },
  ]
}
