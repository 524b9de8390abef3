import { type TestFunction, test } from 'vitest'

/** `npm run test:long` runs all browser tests (tools/test/main.ts); `npm test` runs the selection below. */
export const isLongRun = process.env.SIGHTLINE_TEST_LONG === '1'

/** Cases of one rule that differ only in their data: all in the long run, only the first in `npm test`. */
export const casesToTry = <const Case>(cases: readonly Case[]): readonly Case[] =>
  isLongRun ? cases : cases.slice(0, 1)

/** Cases for the long run only. */
export const inLongRun = <const Case>(cases: readonly Case[]): readonly Case[] => (isLongRun ? cases : [])

/** `casesToTry` for the widths, themes, brands and languages that a test of a screen's appearance is repeated for. */
export const looksToTry = casesToTry

/** A test for the long run only: secondary tasks of a settings screen, or further ways to fail. */
export function longTest(name: string, run: TestFunction, timeoutMs?: number): void {
  if (isLongRun) test(name, run, timeoutMs)
}
