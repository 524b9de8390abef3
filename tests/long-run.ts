import { test } from 'vitest'

/** `npm run test:long` runs the tests in a browser with everything (tools/test/main.ts); `npm test` with what is below. */
export const isLongRun = process.env.SIGHTLINE_TEST_LONG === '1'

/**
 * The widths, themes and brands that a test of how screens look is repeated for: all of them in the long run, the first
 * alone in `npm test`.
 */
export const looksToTry = <const Look>(looks: readonly Look[]): readonly Look[] =>
  isLongRun ? looks : looks.slice(0, 1)

/** A test of the long run alone: what a settings screen does besides its main task and the rights to it. */
export function longTest(name: string, run: () => Promise<void>): void {
  if (isLongRun) test(name, run)
}
