import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** What is waited for comes when a busy machine gets to it; where a rule says how soon, its test says so itself. */
const PATIENCE = { timeout: 10_000 }

/** Whole products that watch video closely or are killed: beside another they would tell of the machine, not of the rule. */
const alone = ['cameras', 'console', 'first-run', 'kit', 'playback-ticket', 'stop'].map(
  (name) => `tests/e2e/${name}.test.ts`,
)
const inPairs = globSync('tests/e2e/*.test.ts', { cwd: import.meta.dirname }).filter((file) => !alone.includes(file))

/**
 * `unit` runs beside the code; `browser` and `cross` start whole products: the first two at a time, because they mostly wait
 * for pages, the second one at a time; `long` is for what takes minutes (`npm run test:long`).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,server,web,camera-simulator,tools}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.{ts,tsx}'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: '100%',
          expect: { poll: PATIENCE },
        },
      },
      {
        test: {
          name: 'browser',
          include: inPairs,
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: PATIENCE },
        },
      },
      {
        test: {
          name: 'cross',
          include: ['tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tests/**/*.long.test.ts', ...inPairs],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: PATIENCE },
        },
      },
      {
        test: {
          name: 'long',
          include: ['{contract,server,web,camera-simulator,tools,tests}/**/*.long.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
