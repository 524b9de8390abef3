import { firstPartyClients } from '@sightline/contract/runtime-config'
import { type Child, startChild } from '../child.ts'
import type { BenchResult } from '../figure.ts'
import { median, quantile } from '../quantile.ts'

interface Called {
  readonly times: readonly number[]
  readonly problems: readonly string[]
}

interface Tried {
  readonly tries: number
  readonly statuses: Readonly<Record<string, number>>
}

const WRONG_AT_ONCE = 200
const TARGET_MS = 200

/** Duration of a signed-in user's calls while many clients send wrong passwords, compared with an idle server. */
export async function callsMeanwhile(given: {
  readonly origin: string
  readonly person: { readonly email: string; readonly password: string }
  readonly seconds: number
}): Promise<BenchResult> {
  const { origin, person, seconds } = given
  const { clientId } = firstPartyClients.accountPortal
  await using caller: Child<object, Called> = startChild(new URL('./calling.mjs', import.meta.url))
  await using strangers: Child<object, Tried> = startChild(new URL('./wrong-sign-ins.mjs', import.meta.url))
  const call = () => caller.ask({ origin, clientId, person, seconds })
  await call()
  const quiet = await call()
  const trying = strangers.ask({ origin, clientId, atOnce: WRONG_AT_ONCE, seconds })
  const busy = await call()
  const { tries, statuses } = await trying
  const problems = [...quiet.problems, ...busy.problems]
  const what = `A call during ${WRONG_AT_ONCE} simultaneous wrong sign-ins`
  const beside = (of: (times: readonly number[]) => number) => ({
    unit: 'ms',
    ours: of(busy.times),
    beside: { name: 'no sign-ins', value: of(quiet.times) },
  })
  return {
    figures: [
      { what: `${what}, median`, ...beside(median) },
      {
        what: `${what}, 99th percentile`,
        ...beside((times) => quantile(times, 0.99)),
        target: { is: 'at most', value: TARGET_MS },
      },
    ],
    remarks: [
      `${tries} wrong sign-ins in rounds of ${WRONG_AT_ONCE}, each from a different network, answered: ${Object.entries(
        statuses,
      )
        .map(([status, times]) => `${status} ${times} times`)
        .join(', ')}; meanwhile ${busy.times.length} calls of \`users/self\`.`,
      ...(problems.length === 0 ? [] : [`First failure: ${problems[0]}`]),
    ],
  }
}
