import { defineConfig } from 'vitest/config'

/** What is waited for comes when a busy machine gets to it; where a rule says how soon, its test says so itself. */
const PATIENCE = { timeout: 10_000 }

/**
 * `unit` runs beside the code; `cross` holds what crosses planes and runs one file at a time, because it starts whole
 * systems; `long` is for what takes minutes (`npm run test:long`).
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
          expect: { poll: PATIENCE },
        },
      },
      {
        test: {
          name: 'cross',
          include: ['tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tests/**/*.long.test.ts'],
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
