import type { Right } from '@sightline/contract/rights'
import type { Db } from '@sightline/platform/db'
import { sql } from 'kysely'
import { type EventFilter, loadEventsPage, selectEvents } from '../../server/api/src/events/store.ts'
import type { Bench, BenchResult, Figure, Pace } from '../figure.ts'
import { inInstallation, openRole } from '../installation.ts'
import { quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { ACCOUNTS, type EventsOfAccount, fillEvents, toAccount } from './fill-events.ts'

const PLANS: Readonly<Record<Pace, { events: number; rounds: number }>> = {
  full: { events: 10_000_000, rounds: 300 },
  short: { events: 100_000, rounds: 30 },
}
const PAGE = 50
const GOAL_MS = 15

/** Pages of the event list among ten million events. */
export const events: Bench = {
  name: 'events',
  title: 'Event list',
  async run(pace) {
    return await inTemporaryFolder((folder) => measure(folder, PLANS[pace]))
  },
}

const measure = (folder: string, plan: (typeof PLANS)[Pace]): Promise<BenchResult> =>
  inInstallation(folder, async ({ db: owner, connection }) => {
    await using app = openRole('app', connection)
    await fillEvents(owner, plan.events)
    return {
      figures: await comparisons({ app, owner }, plan.rounds),
      remarks: [
        `${plan.events.toLocaleString('en-GB')} events of ${ACCOUNTS} accounts with 50 cameras each, over a year, a partition per month; pages of ${PAGE}.`,
        'One client, the application’s role in the account’s scope: begin, scope, the page as objects, commit; the 95th percentile over pages of random accounts.',
        'Beside it: begin, the newest 50 events of the account by one statement under the owner’s role, commit.',
      ],
    }
  })

interface Page {
  readonly what: string
  readonly filter: (account: EventsOfAccount) => EventFilter
  /** A sub-user with a few cameras instead of the owner. */
  readonly isLimited?: true
  /** Somewhere in the middle instead of the first page. */
  readonly isDeep?: true
}

const fewCameras = ({ cameraIds }: EventsOfAccount) => cameraIds.filter((id) => id % 10 === 3)

const pages: readonly Page[] = [
  { what: 'The newest page', filter: () => ({}) },
  { what: 'A page in the middle', filter: () => ({}), isDeep: true },
  {
    what: 'Five of 50 cameras, two types',
    filter: (of) => ({ cameraIds: fewCameras(of), types: ['custom', 'cameraOffline'] }),
  },
  {
    what: 'The same, a page in the middle',
    filter: (of) => ({ cameraIds: fewCameras(of), types: ['custom'] }),
    isDeep: true,
  },
  { what: 'A type that there is none of', filter: () => ({ types: ['doorbell'] }) },
  { what: 'Bookmarked', filter: () => ({ bookmarked: 'true' }) },
  {
    what: 'A week half a year ago',
    filter: ({ middle }) => ({ minTimestamp: middle, maxTimestamp: middle + 7 * 86_400_000 }),
  },
  { what: 'A sub-user with five of 50 cameras', filter: () => ({}), isLimited: true },
]

function readPage(app: Db, account: EventsOfAccount, { filter, isLimited, isDeep }: Page): Promise<unknown> {
  const { accountId, middleId } = account
  const limited = { kind: 'some', cameraIds: new Set(fewCameras(account)), zoneIds: new Set<number>() } as const
  const access = isLimited ? limited : ({ kind: 'all' } as const)
  const caller = { accountId, userId: accountId, rights: new Set<Right>(['viewUserSettings']), access }
  const edge = isDeep ? ({ go: 'next', value: middleId, key: middleId } as const) : undefined
  return app.inTenant({ accountId, userId: accountId }, async (tx) =>
    loadEventsPage(tx, await selectEvents(tx, caller, filter(account)), { descending: true, limit: PAGE, edge }),
  )
}

const readBare = (owner: Db, { accountId }: EventsOfAccount): Promise<unknown> =>
  owner.transaction((tx) =>
    sql`select * from events where account_id = ${accountId} order by event_id desc limit ${PAGE}`.execute(tx),
  )

async function comparisons({ app, owner }: { readonly app: Db; readonly owner: Db }, rounds: number) {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, (_, index) => toAccount(owner, index)))
  const took = pages.map(() => ({ ours: [] as number[], bare: [] as number[] }))
  for (let round = -20; round < rounds; round += 1) {
    const account = accounts[Math.abs(round * 7919) % accounts.length]
    if (account === undefined) throw new Error('no account was filled')
    for (const [at, page] of pages.entries()) {
      const [ours, bare] = [
        await timed(() => readPage(app, account, page)),
        await timed(() => readBare(owner, account)),
      ]
      if (round < 0) continue
      took[at]?.ours.push(ours)
      took[at]?.bare.push(bare)
    }
  }
  return pages.map(
    ({ what }, at): Figure => ({
      what: `${what}, 95 %`,
      unit: 'ms',
      ours: quantile(took[at]?.ours ?? [], 0.95),
      beside: { name: 'one bare statement', value: quantile(took[at]?.bare ?? [], 0.95) },
      target: { is: 'at most', value: GOAL_MS },
    }),
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
