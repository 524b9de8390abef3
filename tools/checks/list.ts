import type { ProofName } from '../test/proven.ts'

/** One check: a command that ends with 0 (passed), 77 (skipped, see verdict.ts) or anything else (failed). */
export interface Check {
  readonly name: string
  /** What it checks. */
  readonly what: string
  /** Arguments for Node, from the root of the repository. */
  readonly argv: readonly string[]
  /** What it needs first. */
  readonly after?: 'web-build' | 'tests'
  /** Runs only if the inputs of this proof have changed; see tools/test/proven.ts. */
  readonly proof?: ProofName
  /** `npm run check -- changed` runs it if a changed file matches; never if undefined. */
  readonly changed?: RegExp
  /** With `changed`, the matching changed files replace these words of `argv`. */
  readonly narrows?: string
}

const own = (name: string, what: string, more: Partial<Check> = {}): Check => ({
  name,
  what,
  argv: [`tools/checks/${name}.ts`],
  ...more,
})

/** Caches of the checkers; a new clone has none. */
const CACHE = 'node_modules/.cache/sightline'

/** Uses the native compiler, with a third of the processor time; other checks parse sources with the API of `typescript`. */
const types = ({ check, project, changed }: (typeof typeChecks)[number]): Check => ({
  name: check,
  what: `tsc on ${project}`,
  argv: [
    'node_modules/typescript-native/bin/tsc',
    '-p',
    project,
    ...['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', `${CACHE}/${check}.tsbuildinfo`],
  ],
  changed,
})

/** The compiler's projects. Each web app that registers its router's types needs its own. */
export const typeChecks = [
  {
    check: 'types-server',
    project: 'tsconfig.json',
    changed: /^(contract|server|camera-simulator|tools|bench)\/|^[^/]*\.ts$/,
  },
  { check: 'types-web', project: 'web/tsconfig.json', changed: /^(contract|web)\// },
  {
    check: 'types-camera-app',
    project: 'web/camera-app/tsconfig.json',
    changed: /^(contract|web\/(camera-app|kit|client|shell|player))\//,
  },
  {
    check: 'types-dealer-dashboard',
    project: 'web/dealer-dashboard/tsconfig.json',
    changed: /^(contract|web\/(dealer-dashboard|kit|client|shell))\//,
  },
  { check: 'types-tests', project: 'tests/tsconfig.json', changed: /^(contract|server|camera-simulator|tests)\// },
] as const

const SOURCE = /\.(tsx?|mts|mjs|js)$/

/** All checks, the longest first, so that two cores finish together. */
export const checks: readonly Check[] = [
  own('mutate-rules', 'every rule below can fail: a planted violation of each is reported', {
    proof: 'planted-violations',
  }),
  ...typeChecks.map(types),
  own('copy-paste', 'at most 2 % of the lines are copies'),
  {
    name: 'style',
    what: 'Biome: format, order of imports, lint; a warning fails too',
    argv: [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '.',
      ...['--diagnostic-level=warn', '--error-on-warnings', '--max-diagnostics=200', '--no-errors-on-unmatched'],
    ],
    changed: /./,
    narrows: '.',
  },
  own('asvs', 'what docs/reference/asvs.md says is met names a test or a file that is there'),
  own('direction', 'who may import whom: .dependency-cruiser.mjs', { changed: SOURCE }),
  {
    name: 'dead-code',
    what: 'knip: no unused file, export or dependency',
    argv: [
      'node_modules/knip/bin/knip.js',
      ...['--no-progress', '--no-config-hints', '--cache', '--cache-location', `${CACHE}/knip`],
    ],
    changed: /\.(tsx?|mts|mjs|js|json)$/,
  },
  own('doc-examples', 'examples in pages and doc comments compile', { changed: /\.(md|tsx?)$/ }),
  own('ratchet', 'marks of unfinished work do not become more', { changed: /\.(tsx?|mjs|sql|css)$/ }),
  own('reference', 'docs/reference says what contract, settings and migrations say', {
    changed: /^(contract|server\/(run|platform)|docs\/reference|tools\/reference)\//,
  }),
  own('api-document', 'two linters find nothing to mend in the OpenAPI document', {
    changed: /^(contract|tools\/reference)\/|package\.json/,
  }),
  own('typed-files', 'every TypeScript file is compiled by somebody', { changed: /\.tsx?$|tsconfig/ }),
  own('packages', 'exact versions, permissive licences, doors that lead somewhere', { changed: /\.(json|ts)$/ }),
  own('same-name', 'a feature has one name on both sides of the wire', { changed: /./ }),
  own('names', 'exported names and files use the terms of the field, each for one thing', {
    changed: /\.(tsx?|mts|mjs)$/,
  }),
  own('doc-links', 'files named in pages and comments exist', { changed: /./ }),
  own('references', 'sections, decisions and promises that comments cite are in docs/', {
    changed: /\.(tsx?|mjs|sql|py|css|md)$/,
  }),
  own('product-alone', 'no path or host of the machine it was written on', { changed: /./ }),
  own('migrations', 'applied migrations never change', { changed: /migrations/ }),
  own('plain-texts', 'errors, log lines and descriptions avoid phrases that are not plain English', {
    changed: /^(contract|server|tools)\/.*\.m?[jt]s$/,
  }),
  own('locales', 'every language says everything', { changed: /locales|\.tsx?$/ }),
  own('bundle-budget', 'first load of each app stays within its budget', { after: 'web-build' }),
  own('error-coverage', 'each route and each error it may answer was seen in a test', { after: 'tests' }),
]
