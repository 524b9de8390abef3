import type { Bench, BenchResult, Pace } from '../figure.ts'
import { inInstallation, openRole } from '../installation.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { decisionsPerSecond, lookupsPerSecond } from './decisions.ts'
import { ACCOUNTS, CAMERAS_OF_EACH, compareWall, fillAccounts } from './row-security.ts'

const PLANS: Readonly<Record<Pace, { seconds: number; rounds: number }>> = {
  full: { seconds: 4, rounds: 3000 },
  short: { seconds: 0.3, rounds: 100 },
}

/** The cost of authorization decisions, and of row-level security behind them. */
export const rights: Bench = {
  name: 'rights',
  title: 'Rights and row-level security',
  async run(pace) {
    return await inTemporaryFolder((folder) => measure(folder, PLANS[pace]))
  },
}

async function measure(folder: string, { seconds, rounds }: { seconds: number; rounds: number }): Promise<BenchResult> {
  const lookups = lookupsPerSecond(seconds)
  const decisions = decisionsPerSecond(seconds)
  const { wall, bare } = await inInstallation(folder, async ({ db: owner, connection }) => {
    await using app = openRole('app', connection)
    const accounts = await fillAccounts(owner)
    return await compareWall({ app, owner }, accounts, rounds)
  })
  const name = 'no policy, same condition'
  return {
    figures: [
      {
        what: 'Decisions of the evaluator, one thread',
        unit: '/s',
        ours: decisions,
        beside: { name: 'one set lookup', value: lookups },
      },
      {
        what: 'One camera, in the account’s scope',
        unit: 'ms',
        ours: wall.one,
        beside: { name, value: bare.one },
      },
      {
        what: `${CAMERAS_OF_EACH} cameras, in the account’s scope`,
        unit: 'ms',
        ours: wall.list,
        beside: { name, value: bare.list },
      },
    ],
    remarks: [
      'Evaluator: every call of the contract for 60 kinds of caller; a decision checks scope, kind of caller, account, support, owner, right and module.',
      `Row-level security: ${ACCOUNTS} accounts with ${CAMERAS_OF_EACH} cameras each, one client, transaction with begin, scope, query and commit; median of ${rounds}.`,
    ],
  }
}
