import { PASSWORD_COST } from '@sightline/auth'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from '../../tests/running-product.ts'
import { type Child, startChild } from '../child.ts'
import { type Bench, type BenchResult, digits, type Figure, type Pace } from '../figure.ts'
import { processorSeconds, readCommandLine } from '../process-cost.ts'
import { quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { callsMeanwhile } from './calls-meanwhile.ts'
import { sameTime } from './same-time.ts'

/** Members of the demo brand; more simultaneous sign-ins of one user would be locked. */
const PEOPLE = ['owner@demo.example', 'guard@demo.example', 'other@demo.example']
const AT_ONCE = 6
/** Allows for other load on the machine. */
const READY_WITHIN_MS = 120_000
/** Long enough for hot code to be compiled. */
const WARM_UP_SECONDS = 2
/** `tries` with wrong passwords of each kind: fewer per user than would lock an address from all networks. */
interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly tries: number
}
const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { rounds: 4, seconds: 8, tries: 105 },
  short: { rounds: 1, seconds: 3, tries: 30 },
}

/**
 * Complete sign-ins per second, compared with the password hash alone and with oidc-provider alone; response times of
 * failures for known addresses, compared with unknown ones.
 */
export const signInBench: Bench = {
  name: 'sign-in',
  title: 'Sign-in',
  async run(pace) {
    return await inTemporaryFolder((folder) => measure(folder, PLANS[pace]))
  },
}

/** The result of signing-in.mjs; times in milliseconds. */
interface Told {
  readonly perSecond: number
  readonly times: readonly number[]
  readonly failed: number
  readonly problems: readonly string[]
}

interface Hashed {
  readonly perSecond: number
  readonly done: number
}

/** Milliseconds of processor time per sign-in, by process. */
interface Cost {
  readonly server: number
  readonly database: number
}

type Run = Told & Cost
type Hashing = Hashed & { readonly costMs: number }

interface Load {
  readonly clientId: string
  readonly people: readonly { readonly email: string; readonly password: string }[]
  readonly atOnce: number
}

const load: Load = {
  clientId: firstPartyClients.accountPortal.clientId,
  people: PEOPLE.map((email) => ({ email, password: DEMO_PASSWORD })),
  atOnce: AT_ONCE,
}

async function measure(dataFolder: string, plan: Plan): Promise<BenchResult> {
  // No cameras run meanwhile: the demonstration is created first, then restarted without its simulator.
  await using first = await startProduct({ dataFolder, readyWithinMs: READY_WITHIN_MS })
  await first.stop()
  const environment = { SIGHTLINE_DEMO: 'off', SIGHTLINE_DEMO_PASSWORD: '', SIGHTLINE_SIGN_INS_PER_SECOND: '0' }
  await using product = await startProduct({
    dataFolder,
    environment,
    port: first.port,
    readyWithinMs: READY_WITHIN_MS,
  })
  await using people = startChild<object, Told>(new URL('./signing-in.mjs', import.meta.url))
  await using provider = startChild<object, string>(new URL('./bare-provider.mjs', import.meta.url))
  await using hash = startChild<object, Hashed>(new URL('./bare-hash.mjs', import.meta.url))
  const bareOrigin = await provider.ask({ clientId: load.clientId })
  const brandOrigin = `http://demo.localhost:${product.port}`
  const ours = async (seconds: number) => {
    const pids = await pidsOf(product)
    return costing(pids, () => people.ask({ ...load, origin: brandOrigin, seconds }))
  }
  const bare = (seconds: number) =>
    costing({ server: [provider.pid], database: [] }, () => people.ask({ ...load, origin: bareOrigin, seconds }))
  const all = { ours: [] as Run[], bare: [] as Run[], hashed: [] as Hashing[] }
  await ours(WARM_UP_SECONDS)
  await bare(WARM_UP_SECONDS)
  for (let round = 0; round < plan.rounds; round += 1) {
    all.ours.push(await ours(plan.seconds))
    all.bare.push(await bare(plan.seconds))
    all.hashed.push(await hashing(hash, plan.seconds))
  }
  const whole = outcomeOf(all, plan)
  const person = { email: PEOPLE[1] ?? '', password: DEMO_PASSWORD }
  const meanwhile = await callsMeanwhile({ origin: brandOrigin, person, seconds: plan.seconds })
  const apart = await sameTime({ origin: brandOrigin, known: PEOPLE, rounds: plan.tries })
  const outcomes = [whole, meanwhile, apart]
  return { figures: outcomes.flatMap(({ figures }) => figures), remarks: outcomes.flatMap(({ remarks }) => remarks) }
}

async function hashing(hash: Child<object, Hashed>, seconds: number): Promise<Hashing> {
  const before = await processorSeconds([hash.pid])
  const hashed = await hash.ask({ cost: PASSWORD_COST, seconds })
  return { ...hashed, costMs: (((await processorSeconds([hash.pid])) - before) * 1000) / hashed.done }
}

interface Pids {
  readonly server: readonly number[]
  readonly database: readonly number[]
}

async function pidsOf(product: RunningProduct): Promise<Pids> {
  const pids = await product.processes()
  const named = await Promise.all(pids.map(async (pid) => ({ pid, name: (await readCommandLine(pid))[0] ?? '' })))
  const isDatabase = ({ name }: { readonly name: string }) => name.includes('postgres')
  return {
    server: named.filter((one) => !isDatabase(one)).map(({ pid }) => pid),
    database: named.filter(isDatabase).map(({ pid }) => pid),
  }
}

async function costing({ server, database }: Pids, work: () => Promise<Told>): Promise<Run> {
  const [serverBefore, databaseBefore] = [await processorSeconds(server), await processorSeconds(database)]
  const told = await work()
  const each = (after: number, before: number) => ((after - before) * 1000) / Math.max(1, told.times.length)
  return {
    ...told,
    server: each(await processorSeconds(server), serverBefore),
    database: each(await processorSeconds(database), databaseBefore),
  }
}

interface All {
  readonly ours: readonly Run[]
  readonly bare: readonly Run[]
  readonly hashed: readonly Hashing[]
}

const most = (runs: readonly { readonly perSecond: number }[]): number => Math.max(...runs.map((run) => run.perSecond))
const least = <T>(runs: readonly T[], of: (run: T) => number): number => Math.min(...runs.map(of))

function outcomeOf({ ours, bare, hashed }: All, plan: Plan): BenchResult {
  const provider = 'oidc-provider alone, in memory, any password'
  const total = ({ server, database }: Run) => server + database
  const hashMs = least(hashed, ({ costMs }) => costMs)
  const figures: Figure[] = [
    {
      what: 'Sign-ins',
      unit: '/s',
      ours: most(ours),
      beside: { name: 'argon2id alone, same parameters', value: most(hashed) },
    },
    { what: 'The same', unit: '/s', ours: most(ours), beside: { name: provider, value: most(bare) } },
    {
      what: `99th percentile, ${AT_ONCE} concurrent`,
      unit: 'ms',
      ours: least(ours, ({ times }) => quantile(times, 0.99)),
      beside: { name: provider, value: least(bare, ({ times }) => quantile(times, 0.99)) },
    },
    {
      what: 'Processor time of one, including the database',
      unit: 'ms',
      ours: least(ours, total),
      beside: { name: 'argon2id alone', value: hashMs },
    },
    {
      what: 'Failed sign-ins',
      unit: '',
      ours: ours.reduce((sum, { failed }) => sum + failed, 0),
      target: { is: 'at most', value: 0 },
    },
  ]
  const cheapest = ours.toSorted((a, b) => total(a) - total(b))[0]
  const restMs = Math.max(0, (cheapest?.server ?? 0) - hashMs)
  const bareMs = least(bare, ({ server }) => server)
  const problems = [...ours, ...bare].flatMap((run) => run.problems)
  return {
    figures,
    remarks: [
      `Processor time of one sign-in: password hash ${digits(hashMs)} ms, PostgreSQL ${digits(cheapest?.database ?? 0)} ms, the rest of the server ${digits(restMs)} ms, of which oidc-provider alone with its HTTP takes ${digits(bareMs)} ms.`,
      `${AT_ONCE} users who sign in again as soon as they have a token: authorize, page, form, redirect, token with PKCE; ${plan.rounds} rounds of ours, then each baseline, ${plan.seconds} s each; the best of each.`,
      'At the host of a brand, where one password is compared. On the provider’s host one password per brand is compared, at most five, so that the time does not reveal who has an address.',
      'The load generator shares the cores. The product syncs its records of each sign-in to disk before it answers.',
      ...(problems.length === 0 ? [] : [`First failure: ${problems[0]}`]),
    ],
  }
}
