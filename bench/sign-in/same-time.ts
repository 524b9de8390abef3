import { firstPartyClients } from '@sightline/contract/runtime-config'
import { type Child, startChild } from '../child.ts'
import { type BenchResult, digits, type Figure } from '../figure.ts'
import { median, quantile } from '../quantile.ts'

const kinds = ['wrongKnown', 'wrongUnknown', 'lockedKnown', 'lockedUnknown', 'linkKnown', 'linkUnknown'] as const
type Kind = (typeof kinds)[number]

/** Milliseconds: of the answers, and of what was asked right after each. */
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
  { what: 'The same while it is locked', known: 'lockedKnown', unknown: 'lockedUnknown' },
  { what: 'Forgotten password', known: 'linkKnown', unknown: 'linkUnknown' },
]

/** How long answers take for addresses that somebody has, beside those that nobody has. */
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
      `Somebody who asks for known and unknown addresses in turn, ${given.rounds} times each, every try from a network of its own; what differs is how long it takes. Known less unknown, of the medians and of the 10th percentile, which a busy machine disturbs least, each with the interval that 95 of 100 resamplings lie in: ${questions.map(({ what, known: of, unknown: than }) => `${what.toLowerCase()} ${difference(told[of].times, told[than].times)}, the request right after it ${difference(told[of].next, told[than].next)}`).join('; ')}.`,
      ...(problems.length === 0 ? [] : [`What was answered otherwise first: ${problems[0]}`]),
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
    beside: { name: 'an address that nobody has', value: of(told[unknown]) },
  })
  return [
    { what: `${what}, median`, ...beside(({ times }) => median(times)) },
    { what: `${what}, 95th percentile`, ...beside(({ times }) => quantile(times, 0.95)) },
    { what: `The request after it, median`, ...beside(({ next }) => median(next)) },
  ]
}

const RESAMPLINGS = 2000

const resampled = (times: readonly number[]): readonly number[] =>
  times.map(() => times[Math.floor(Math.random() * times.length)] ?? Number.NaN)

/** What a busy machine disturbs least. */
const fast = (times: readonly number[]): number => quantile(times, 0.1)

/** `0.12 ms (-0.3 to 0.5)`: of two, with how far chance alone would move it. */
function difference(times: readonly number[], others: readonly number[]): string {
  const between = (of: (times: readonly number[]) => number): string => {
    const moved = Array.from({ length: RESAMPLINGS }, () => of(resampled(times)) - of(resampled(others)))
    const [low, high] = [quantile(moved, 0.025), quantile(moved, 0.975)]
    return `${digits(of(times) - of(others))} ms (${digits(low)} to ${digits(high)})`
  }
  return `${between(median)}, 10th percentile ${between(fast)}`
}
