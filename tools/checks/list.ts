/** One check: a command that ends with 0 (passed), 77 (skipped, see verdict.ts) or anything else (failed). */
export interface Check {
  readonly name: string
  /** What it protects, for whoever reads the list. */
  readonly what: string
  /** Arguments for Node, from the root of the repository. */
  readonly argv: readonly string[]
  /** What must have been done before it makes sense. */
  readonly after?: 'web-build' | 'tests'
}

const own = (name: string, what: string, after?: Check['after']): Check => ({
  name,
  what,
  argv: [`tools/checks/${name}.ts`],
  ...(after === undefined ? {} : { after }),
})

const types = (name: string, project: string): Check => ({
  name,
  what: `tsc on ${project}`,
  argv: ['node_modules/typescript/bin/tsc', '-p', project, '--noEmit', '--pretty', 'false'],
})

/** The projects of the compiler. Each app of the web that registers its router's types needs one of its own. */
export const typeChecks = [
  { check: 'types-server', project: 'tsconfig.json' },
  { check: 'types-web', project: 'web/tsconfig.json' },
  { check: 'types-camera-app', project: 'web/camera-app/tsconfig.json' },
  { check: 'types-dealer-dashboard', project: 'web/dealer-dashboard/tsconfig.json' },
  { check: 'types-tests', project: 'tests/tsconfig.json' },
] as const

/** Every check, the longest first so that two cores end together. */
export const checks: readonly Check[] = [
  own('mutate-rules', 'every rule below can fail: a planted violation of each is reported'),
  ...typeChecks.map(({ check, project }) => types(check, project)),
  own('doc-examples', 'examples in pages and doc comments compile'),
  own('direction', 'who may import whom: .dependency-cruiser.mjs'),
  {
    name: 'dead-code',
    what: 'knip: no file, export or dependency that nobody uses',
    argv: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
  },
  {
    name: 'style',
    what: 'Biome: format, order of imports, lint',
    argv: ['node_modules/@biomejs/biome/bin/biome', 'check', '.', '--diagnostic-level=error', '--max-diagnostics=200'],
  },
  own('copy-paste', 'at most 2 % of the lines are copies'),
  own('ratchet', 'warnings and unfinished marks do not become more'),
  own('reference', 'docs/reference says what contract, settings and migrations say'),
  own('typed-files', 'every TypeScript file is compiled by somebody'),
  own('packages', 'exact versions, permissive licences, doors that lead somewhere'),
  own('same-name', 'a feature has one name on both sides of the wire'),
  own('doc-links', 'files named in pages and comments exist'),
  own('product-alone', 'no path or host of the machine it was written on'),
  own('migrations', 'applied migrations never change'),
  own('locales', 'every language says everything'),
  own('bundle-budget', 'first load of each app stays within its budget', 'web-build'),
  own('error-coverage', 'each route and each error it may answer was seen in a test', 'tests'),
]
