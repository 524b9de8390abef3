/** Enough for message and location; the full text is where the test ran. */
const WHY_LINES = 12

/** The result of one part of the run. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** The parts of vitest's JSON report that are counted. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

export interface VitestRun {
  /** Undefined if vitest ended without writing one. */
  readonly report: VitestReport | undefined
  readonly exitCode: number
  /** With a filter, a project may have no matching tests. */
  readonly mayBeEmpty: boolean
}

/**
 * The result of a vitest run. In addition to failed tests, each of these counts as one failure: no report, no tests at all, a
 * file that failed before its first test, an error outside of tests.
 */
export function computeTally({
  report,
  exitCode,
  mayBeEmpty,
}: VitestRun): Tally & { readonly reasons: readonly string[] } {
  if (report === undefined) {
    if (mayBeEmpty && exitCode === 0) return { ...nothing, reasons: [] }
    return { ...nothing, failed: 1, reasons: [`vitest crashed: exit code ${exitCode} and no report`] }
  }
  const broken = report.testResults
    .filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
    )
    .map(({ name, message }) => `${name} broke outside its tests: ${message ?? ''}`)
  const counted = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
  const ran = counted.passed + counted.failed + counted.skipped
  const reasons = [
    ...broken,
    ...(ran === 0 && !mayBeEmpty ? ['no test at all was found'] : []),
    ...(exitCode !== 0 && counted.failed === 0 && !(ran === 0 && !mayBeEmpty)
      ? [`exit code ${exitCode} although no test failed: an error outside the tests`]
      : []),
  ]
  return { ...counted, failed: counted.failed + reasons.length - broken.length, reasons }
}

/** The text to repeat for each failed test: its file, its name, and the first lines of the reason. */
export function describeFailures(report: VitestReport): readonly string[] {
  return report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => {
        const why = (failureMessages ?? []).join('\n').split('\n').slice(0, WHY_LINES)
        return [`${file}: ${fullName}`, ...why.map((line) => `    ${line}`)].join('\n')
      }),
  )
}
