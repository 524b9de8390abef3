/** One figure with its comparison: a peer or a baseline from the same run. */
export interface Figure {
  readonly what: string
  /** Such as `%`, `ms`, `KiB`; empty for a count. */
  readonly unit: string
  readonly ours: number
  readonly beside?: { readonly name: string; readonly value: number }
  readonly target?: { readonly is: 'at most' | 'at least'; readonly value: number }
}

export interface BenchResult {
  readonly figures: readonly Figure[]
  /** Sentences for readers: what was counted, where the time went. */
  readonly remarks: readonly string[]
}

/** `short` is for developing the bench; do not publish its figures. */
export type Pace = 'full' | 'short'

export interface Bench {
  readonly name: string
  readonly title: string
  /** Throws {@link CannotMeasure} if this machine lacks something that it needs. */
  readonly run: (pace: Pace) => Promise<BenchResult>
}

export class CannotMeasure extends Error {
  override readonly name = 'CannotMeasure'
}

export const isMet = ({ ours, target }: Figure): boolean =>
  target === undefined || (target.is === 'at most' ? ours <= target.value : ours >= target.value)

/** Three digits, or all digits of an integer. */
export function digits(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-GB')
  return String(Number(value.toPrecision(3)))
}

const withUnit = (value: number, unit: string): string => `${digits(value)} ${unit}`.trim()

/** The figures as a Markdown table. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, unit, ours, beside, target } = figure
    return [
      what,
      withUnit(ours, unit),
      beside === undefined ? '' : `${withUnit(beside.value, unit)} (${beside.name})`,
      beside === undefined || beside.value === 0 ? '' : `${digits(ours / beside.value)} ×`,
      target === undefined
        ? ''
        : `${target.is} ${withUnit(target.value, unit)}: ${isMet(figure) ? 'met' : '**missed**'}`,
    ]
  })
  return aligned([['', 'Sightline', 'beside it, same run', 'ratio', 'target'], ...rows])
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
