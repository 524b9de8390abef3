import { type TestFunction, test } from 'vitest'

/** `npm run test:long` runs the tests in a browser with everything (tools/test/main.ts); `npm test` with what is below. */
export const isLongRun = process.env.SIGHTLINE_TEST_LONG === '1'

/** Cases of one rule that differ in nothing but their data: all of them in the long run, the first alone in `npm test`. */
export const casesToTry = <const Case>(cases: readonly Case[]): readonly Case[] =>
  isLongRun ? cases : cases.slice(0, 1)

/** Cases for the long run alone. */
export const inLongRun = <const Case>(cases: readonly Case[]): readonly Case[] => (isLongRun ? cases : [])

/** `casesToTry` for the widths, themes, brands and languages that a test of how screens look is repeated for. */
export const looksToTry = casesToTry

/** A test of the long run alone: what a settings screen does besides its main task, or one more way to fail. */
export function longTest(name: string, run: TestFunction, timeoutMs?: number): void {
  if (isLongRun) test(name, run, timeoutMs)
}
