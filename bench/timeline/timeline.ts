import type { Db } from '@sightline/platform/db'
import { sql } from 'kysely'
import { loadSpans, loadSums, loadTails } from '../../server/api/src/recordings/store.ts'
import { toSums } from '../../server/api/src/recordings/sums.ts'
import type { Bench, BenchResult, Figure, Pace } from '../figure.ts'
import { inInstallation, openRole } from '../installation.ts'
import { quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { CAMERAS_OF_EACH, DAY_MS, END, type FilledAccount, fillFootage } from './fill-footage.ts'

const PLANS: Readonly<Record<Pace, { accounts: number; rounds: number }>> = {
  // 112 accounts with 9 cameras each: 1,008 camera-years.
  full: { accounts: 112, rounds: 500 },
  short: { accounts: 2, rounds: 20 },
}

const YEAR_MS = 365 * DAY_MS

/** Timelines of a day and a year in the database, among the footage of a thousand camera-years. */
export const timeline: Bench = {
  name: 'timeline',
  title: 'Recording timelines',
  async run(pace) {
    return await inTemporaryFolder((folder) => measure(folder, PLANS[pace]))
  },
}

const measure = (folder: string, plan: (typeof PLANS)[Pace]): Promise<BenchResult> =>
  inInstallation(folder, async ({ db: owner, connection }) => {
    await using app = openRole('app', connection)
    const filled = await fillFootage(owner, plan.accounts)
    const figures = await comparisons({ app, owner }, filled.accounts, plan.rounds)
    const bytes = await replyBytes(app, filled.accounts)
    return {
      figures: [
        ...figures,
        {
          what: 'Reply, 9 cameras × year by day',
          unit: 'KiB',
          ours: bytes / 1024,
          target: { is: 'at most', value: 60 },
        },
      ],
      remarks: [
        `${plan.accounts * CAMERAS_OF_EACH} camera-years, a third of them with a break every 15 minutes: ${filled.runs.toLocaleString('en-GB')} runs and ${filled.sums.toLocaleString('en-GB')} rows of sums, in the order that a year of writing gives them (by time, cameras mixed), filled in ${filled.seconds.toFixed(0)} s; indexes built afterwards.`,
        'One client, the application’s role in the account’s scope: begin, scope, the call’s queries with their rows as objects, commit. Median; the 95th percentile in brackets is of the same rounds.',
        'Beside it: begin, one statement for the same rows of the same table under the owner’s role, commit.',
      ],
    }
  })

interface Read {
  readonly what: string
  readonly target: number
  /** What a call reads. */
  readonly ours: (app: Db, account: FilledAccount) => Promise<unknown>
  /** The same rows. */
  readonly floor: (owner: Db, account: FilledAccount) => Promise<unknown>
}

const scopeOf = ({ accountId }: FilledAccount) => ({ accountId, userId: accountId })

const readSums = (cameraIds: readonly number[], interval: 'hour' | 'day', length: number) => ({
  ours: (app: Db, account: FilledAccount) =>
    app.readOnly.inTenant(scopeOf(account), (tx) => {
      const of = { accountId: account.accountId, cameraIds, from: END - length, till: END }
      return Promise.all([loadSums(tx, { ...of, interval }), loadTails(tx, of)])
    }),
  floor: (owner: Db, { accountId }: FilledAccount) =>
    owner.transaction((tx) =>
      sql`select camera_id, array_agg(day), array_agg(layer), array_agg(reason), array_agg(${interval === 'day' ? sql`ms` : sql`hours`})
        from recording_days
       where account_id = ${accountId} and camera_id = any(${[...cameraIds]}::bigint[]) and stream = 'main'
         and day >= ${new Date(END - length).toISOString().slice(0, 10)}::date group by camera_id`.execute(tx),
    ),
})

const readsOf = ({ flaky, cameraIds }: FilledAccount): readonly Read[] => [
  {
    what: 'A day of a camera with 96 breaks, exactly',
    target: 1,
    ours: (app, account) =>
      app.readOnly.inTenant(scopeOf(account), (tx) => {
        const from = END - 100 * DAY_MS
        return loadSpans(tx, { accountId: account.accountId, cameraIds: [flaky], from, till: from + DAY_MS })
      }),
    floor: (owner, { accountId }) =>
      owner.transaction((tx) =>
        sql`select * from recording_runs where account_id = ${accountId} and camera_id = ${flaky} and stream = 'main'
           and started_at >= ${new Date(END - 100 * DAY_MS).toISOString()} and started_at < ${new Date(END - 99 * DAY_MS).toISOString()}`.execute(
          tx,
        ),
      ),
  },
  { what: 'A year of that camera, by day', target: 10, ...readSums([flaky], 'day', YEAR_MS) },
  { what: '9 cameras × year, by day', target: 20, ...readSums(cameraIds, 'day', YEAR_MS) },
  { what: '9 cameras × month, by hour', target: 20, ...readSums(cameraIds, 'hour', 31 * DAY_MS) },
]

async function comparisons(
  { app, owner }: { readonly app: Db; readonly owner: Db },
  accounts: readonly FilledAccount[],
  rounds: number,
): Promise<readonly Figure[]> {
  const took = new Map<string, { ours: number[]; floor: number[]; target: number }>()
  for (let round = -20; round < rounds; round += 1) {
    const account = accounts[Math.abs(round * 7919) % accounts.length]
    if (account === undefined) throw new Error('no account was filled')
    for (const { what, target, ours, floor } of readsOf(account)) {
      const times = { ours: await timed(() => ours(app, account)), floor: await timed(() => floor(owner, account)) }
      if (round < 0) continue
      const all = took.get(what) ?? { ours: [], floor: [], target }
      all.ours.push(times.ours)
      all.floor.push(times.floor)
      took.set(what, all)
    }
  }
  return [...took].map(([what, { ours, floor, target }]) => ({
    what: `${what} (95 %: ${quantile(ours, 0.95).toPrecision(3)} ms)`,
    unit: 'ms',
    ours: quantile(ours, 0.5),
    beside: { name: 'one bare statement', value: quantile(floor, 0.5) },
    target: { is: 'at most', value: target },
  }))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** As the call sends it, uncompressed. */
async function replyBytes(app: Db, [account]: readonly FilledAccount[]): Promise<number> {
  if (account === undefined) throw new Error('no account was filled')
  const of = { accountId: account.accountId, cameraIds: account.cameraIds, from: END - YEAR_MS, till: END }
  return app.readOnly.inTenant(scopeOf(account), async (tx) => {
    const sums = await loadSums(tx, { ...of, interval: 'day' })
    const tails = await loadTails(tx, of)
    const question = { from: of.from, till: of.till, intervalMs: DAY_MS, now: END }
    return JSON.stringify(of.cameraIds.map((id) => ({ cameraId: id, ...toSums(sums(id), tails(id), question) }))).length
  })
}
