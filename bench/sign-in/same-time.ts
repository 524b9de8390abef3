import { firstPartyClients } from '@sightline/contract/runtime-config'
import { type Child, startChild } from '../child.ts'
import { type BenchResult, digits, type Figure } from '../figure.ts'
import { median, quantile } from '../quantile.ts'

const kinds = ['wrongKnown', 'wrongUnknown', 'lockedKnown', 'lockedUnknown', 'linkKnown', 'linkUnknown'] as const
type Kind = (typeof kinds)[number]

/** Milliseconds of the answers, and of the request right after each. */
interface Times {
  readonly times: readonly number[]
  readonly next: readonly number[]
}

interface Told {
  readonly told: Readonly<Record<Kind, Times>>
  readonly problems: readonly string[]
}

interface Asked {
  readonly origin: string
  readonly clientId: string
  readonly known: readonly string[]
  readonly unknown: readonly string[]
  readonly rounds: number
}

const questions: readonly { readonly what: string; readonly known: Kind; readonly unknown: Kind }[] = [
  { what: 'Wrong password', known: 'wrongKnown', unknown: 'wrongUnknown' },
  { what: 'The same while locked', known: 'lockedKnown', unknown: 'lockedUnknown' },
  { what: 'Password reset', known: 'linkKnown', unknown: 'linkUnknown' },
]

/** Response times for email addresses with an account, compared with unknown addresses. */
export async function sameTime(given: {
  readonly origin: string
  readonly known: readonly string[]
  readonly rounds: number
}): Promise<BenchResult> {
  const { known } = given
  const unknown = known.map((_, index) => `nobody-${index}@demo.example`)
  await using child: Child<Asked, Told> = startChild(new URL('./telling-apart.mjs', import.meta.url))
  const { told, problems } = await child.ask({ ...given, clientId: firstPartyClients.accountPortal.clientId, unknown })
  return {
    figures: questions.flatMap((question) => figuresOf(question, told)),
    remarks: [
      `Known and unknown addresses are tried alternately, ${given.rounds} times each, every attempt from a different network. Known minus unknown response time, for the median and the 10th percentile (least affected by other load), each with its 95 % bootstrap interval: ${questions.map(({ what, known: of, unknown: than }) => `${what.toLowerCase()} ${difference(told[of].times, told[than].times)}, the request right after it ${difference(told[of].next, told[than].next)}`).join('; ')}.`,
      ...(problems.length === 0 ? [] : [`First unexpected answer: ${problems[0]}`]),
    ],
  }
}

function figuresOf(
  { what, known, unknown }: (typeof questions)[number],
  told: Readonly<Record<Kind, Times>>,
): readonly Figure[] {
  const beside = (of: (times: Times) => number) => ({
    unit: 'ms',
    ours: of(told[known]),
    beside: { name: 'an unknown address', value: of(told[unknown]) },
  })
  return [
    { what: `${what}, median`, ...beside(({ times }) => median(times)) },
    { what: `${what}, 95th percentile`, ...beside(({ times }) => quantile(times, 0.95)) },
    { what: `The next request, median`, ...beside(({ next }) => median(next)) },
  ]
}

const RESAMPLINGS = 2000

const resampled = (times: readonly number[]): readonly number[] =>
  times.map(() => times[Math.floor(Math.random() * times.length)] ?? Number.NaN)

/** The value that other load affects least. */
const fast = (times: readonly number[]): number => quantile(times, 0.1)

/** `0.12 ms (-0.3 to 0.5)`: the difference of two samples with its confidence interval. */
function difference(times: readonly number[], others: readonly number[]): string {
  const between = (of: (times: readonly number[]) => number): string => {
    const moved = Array.from({ length: RESAMPLINGS }, () => of(resampled(times)) - of(resampled(others)))
    const [low, high] = [quantile(moved, 0.025), quantile(moved, 0.975)]
    return `${digits(of(times) - of(others))} ms (${digits(low)} to ${digits(high)})`
  }
  return `${between(median)}, 10th percentile ${between(fast)}`
}
