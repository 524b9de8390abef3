import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { keepTemporaryFilesInMemory } from './tools/test/memory-folder.ts'

keepTemporaryFilesInMemory()

/** What is waited for comes when a busy machine gets to it; where a rule says how soon, its test says so itself. */
const PATIENCE = { timeout: 20_000 }

const found = (pattern: string): string[] => globSync(pattern, { cwd: import.meta.dirname }).toSorted()

/**
 * Files that a busy machine disturbs, each with what it measures of the machine beside the rule. They run after all others, two
 * at a time:
 *
 * - camera-pictures: that a browser decodes pictures as fast as they come, and so is where the timeline says.
 * - multiview: the same for several cameras at once.
 * - recorder, kill-everything, database-away: how many pictures are missing around a fault, to the picture.
 */
const alone = [
  'tests/e2e/camera-pictures.test.ts',
  'tests/e2e/multiview.test.ts',
  'tests/e2e/stage.test.ts',
  'tests/e2e/frozen-tiles.test.ts',
  'tests/chaos/kill-everything.test.ts',
  'tests/chaos/recorder.test.ts',
  'tests/chaos/database-away.test.ts',
]
const long = found('{contract,server,web,camera-simulator,tools,tests}/**/*.long.test.ts').filter(
  (file) => !file.includes('node_modules/'),
)
/** Holes that are planted for the machine test of tenancy; they run when it or the frame of requests changed. */
const planted = ['tests/tenancy/mutants.test.ts']
/** The controls of the kit alone, without the product; they run when the kit changed. */
const kit = found('tests/e2e/kit*.test.ts')
const tenancy = found('tests/tenancy/*.test.ts').filter((file) => !planted.includes(file))
const browser = found('tests/e2e/*.test.ts').filter((file) => ![...alone, ...long, ...kit].includes(file))
const cross = found('tests/{bench,chaos,conformance}/**/*.test.ts').filter(
  (file) => !alone.includes(file) && !long.includes(file),
)
const unit = found('{contract,server,web,camera-simulator,tools}/**/*.test.{ts,tsx}').filter(
  (file) => !/node_modules\/|\/dist\//.test(file) && !long.includes(file),
)
/**
 * Files without a database, a socket, a process or a changed global: they share a thread and what it has loaded, where every
 * other file gets a process of its own.
 */
const IMPURE =
  /-testing|listen\(|spawn|fork\(|Worker\(|connect\(|process\.|vi\.|globalThis|mkdtemp|node:(net|http|tls|child_process|fs)|engines/
const pure = unit.filter((file) => !IMPURE.test(readFileSync(file, 'utf8')))
/** Files that call the whole API: every slice is behind them, so `npm run related` of one slice leaves them to `npm test`. */
const wholeApi = unit.filter((file) => /\/api-testing\.ts'/.test(readFileSync(file, 'utf8')))
/** Changes what the whole process shares, so that it gets a process of its own. */
const CHANGES_PROCESS = /process\.|vi\.|globalThis|spawn|fork\(|Worker\(/
/** Slices over a socket and a database of their own: they share a process and what it has loaded. */
const slices = unit.filter(
  (file) =>
    /^server\/(api|auth)\//.test(file) &&
    ![...pure, ...wholeApi].includes(file) &&
    !CHANGES_PROCESS.test(readFileSync(file, 'utf8')),
)
/** The same elsewhere: sockets, databases and folders of their own, and nothing that a neighbour could see. */
const sharing = unit.filter(
  (file) => ![...pure, ...wholeApi, ...slices].includes(file) && !CHANGES_PROCESS.test(readFileSync(file, 'utf8')),
)
/** Suites of slices that pass on both database engines; `npm run test:long` runs them on both. */
const engines = unit.filter((file) => /\bengines\b/.test(readFileSync(file, 'utf8')))

const WHOLE_PRODUCT = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: PATIENCE } }
const CODE = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: PATIENCE } }

/**
 * `pure`, `sharing`, `slices`, `unit`, `whole-api` and `tenancy` work the processor; `browser` and `cross` start whole products; `alone` is what
 * a busy machine disturbs; `planted` and `kit` run when what they depend on changed; `engines` and `long` are for
 * `npm run test:long` (tools/test/main.ts).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'pure',
          include: pure,
          pool: 'threads',
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
          ...CODE,
        },
      },
      {
        test: {
          name: 'slices',
          include: slices,
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
          ...CODE,
        },
      },
      {
        test: {
          name: 'unit',
          include: unit.filter((file) => ![...pure, ...slices, ...sharing, ...wholeApi].includes(file)),
          // They wait for processes and clocks half of their time. Projects with as many workers may share a group.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          sequence: { groupOrder: 2 },
          ...CODE,
        },
      },
      {
        test: {
          name: 'sharing',
          include: sharing,
          isolate: false,
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          sequence: { groupOrder: 2 },
          ...CODE,
        },
      },
      {
        test: {
          name: 'whole-api',
          include: wholeApi,
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
          ...CODE,
        },
      },
      {
        test: { name: 'tenancy', include: tenancy, maxWorkers: '100%', sequence: { groupOrder: 1 }, ...WHOLE_PRODUCT },
      },
      { test: { name: 'engines', include: engines, maxWorkers: '100%', sequence: { groupOrder: 1 }, ...CODE } },
      {
        test: { name: 'planted', include: planted, maxWorkers: '100%', sequence: { groupOrder: 1 }, ...WHOLE_PRODUCT },
      },
      {
        test: {
          name: 'browser',
          include: browser,
          // Playwright, axe and the contract are loaded once a worker, not once a file: no file changes them.
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 3 },
          ...WHOLE_PRODUCT,
        },
      },
      {
        test: {
          name: 'kit',
          include: kit,
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
          ...WHOLE_PRODUCT,
        },
      },
      // They wait for processes and clocks most of their time.
      {
        test: {
          name: 'cross',
          include: cross,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
          ...WHOLE_PRODUCT,
        },
      },
      { test: { name: 'alone', include: alone, maxWorkers: 2, sequence: { groupOrder: 5 }, ...WHOLE_PRODUCT } },
      {
        test: {
          name: 'long',
          include: long,
          maxWorkers: 1,
          sequence: { groupOrder: 6 },
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
          expect: { poll: PATIENCE },
        },
      },
    ],
  },
})
