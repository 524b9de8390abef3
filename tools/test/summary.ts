import type { Tally } from './tally.ts'
import type { FileTime } from './times.reporter.ts'

/** One row of the table at the end. */
export interface SummaryRow extends Tally {
  readonly name: string
  readonly seconds: number
  /** Repeated at the end, because often only the end of a long output is kept. */
  readonly failures?: readonly string[]
  readonly files?: readonly FileTime[]
}

const SLOWEST = 10

/** The table of all parts. */
export function toTable(parts: readonly SummaryRow[]): string {
  const rows = parts.map(({ name, seconds, passed, failed, skipped }) => {
    const numbers = [
      seconds.toFixed(1).padStart(9),
      String(passed).padStart(7),
      String(failed).padStart(7),
      String(skipped).padStart(8),
    ]
    return `${numbers.join(' ')}  ${name}`
  })
  return ['  seconds  passed  failed  skipped', ...rows].join('\n')
}

const inSeconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(9)

/** Where the test files' time went: each project's total for imports and tests, then the slowest files. */
export function describeTimes(files: readonly FileTime[]): string {
  if (files.length === 0) return ''
  const projects = Object.entries(Object.groupBy(files, ({ project }) => project)).map(([project, those = []]) => {
    const sum = (pick: (time: FileTime) => number): string => inSeconds(those.reduce((all, one) => all + pick(one), 0))
    const times = [sum(({ imports }) => imports), sum(({ tests }) => tests), String(those.length).padStart(6)]
    return `${times.join(' ')}  ${project}`
  })
  const slowest = files
    .toSorted((a, b) => b.imports + b.tests - a.imports - a.tests)
    .slice(0, SLOWEST)
    .map(
      ({ imports, tests, file, project }) => `${inSeconds(imports)} ${inSeconds(tests)}         ${file} (${project})`,
    )
  return ['  imports     tests  files', ...projects, '', 'the slowest files', ...slowest].join('\n')
}

/** How long each lane was busy, and how long it waited for the longest one. */
export function describeLanes(lanes: readonly { readonly name: string; readonly seconds: number }[]): string {
  const longest = Math.max(...lanes.map(({ seconds }) => seconds))
  return lanes
    .map(({ name, seconds }) => {
      const idle = longest - seconds
      return `lane ${name}: ${seconds.toFixed(0)} s${idle < 1 ? '' : `, idle for the last ${idle.toFixed(0)} s`}`
    })
    .join('\n')
}
