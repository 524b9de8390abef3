import { describe, expect, test } from 'vitest'
import { computeTally, describeFailures, type VitestReport } from './tally.ts'

const good: VitestReport = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'a holds' }] }],
}
const counts = (run: Parameters<typeof computeTally>[0]) => {
  const { passed, failed, skipped } = computeTally(run)
  return [passed, failed, skipped]
}

describe('the result of a vitest run', () => {
  test('a passing run counts its tests, with skipped ones separate', () => {
    expect(counts({ report: good, exitCode: 0, mayBeEmpty: false })).toEqual([3, 0, 1])
  })
  test('a crash without a report is one failure', () => {
    expect(counts({ report: undefined, exitCode: 139, mayBeEmpty: false })).toEqual([0, 1, 0])
  })
  test('a crash is a failure, also with a filter', () => {
    expect(counts({ report: undefined, exitCode: 1, mayBeEmpty: true })).toEqual([0, 1, 0])
  })
  test('no tests at all is a failure, unless there is a filter', () => {
    const empty = { ...good, numPassedTests: 0, numPendingTests: 0, testResults: [] }
    expect(counts({ report: empty, exitCode: 0, mayBeEmpty: false })).toEqual([0, 1, 0])
    expect(counts({ report: empty, exitCode: 1, mayBeEmpty: false })).toEqual([0, 1, 0])
    expect(counts({ report: empty, exitCode: 0, mayBeEmpty: true })).toEqual([0, 0, 0])
  })
  test('a file that fails before its first test is a failure', () => {
    const broken = { name: 'b.test.ts', status: 'failed', message: 'cannot find x', assertionResults: [] }
    const report = { ...good, testResults: [...good.testResults, broken] }
    const { reasons, ...tally } = computeTally({ report, exitCode: 1, mayBeEmpty: false })
    expect(tally).toEqual({ passed: 3, failed: 1, skipped: 1 })
    expect(reasons).toEqual(['b.test.ts broke outside its tests: cannot find x'])
  })
  test('an error outside of tests is a failure even if all tests passed', () => {
    expect(counts({ report: good, exitCode: 1, mayBeEmpty: false })).toEqual([3, 1, 1])
  })
  test('a failed test is counted once, and repeated at the end with its reason', () => {
    const failed = {
      name: 'c.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'failed', fullName: 'c holds', failureMessages: ['expected 1 to be 2\n    at c.test.ts:3:4'] },
        { status: 'passed', fullName: 'c holds as well' },
      ],
    }
    const report = { ...good, numFailedTests: 1, testResults: [failed] }
    expect(counts({ report, exitCode: 1, mayBeEmpty: false })).toEqual([3, 1, 1])
    expect(describeFailures(report)).toEqual(['c.test.ts: c holds\n    expected 1 to be 2\n        at c.test.ts:3:4'])
  })
})
