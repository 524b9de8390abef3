import type { PlantedViolation } from './planted.ts'

interface Manifest {
  dependencies: Record<string, string>
}

const json =
  <Shape>(change: (value: Shape) => unknown) =>
  (text: string): string =>
    `${JSON.stringify(change(JSON.parse(text) as Shape), null, 2)}\n`

const dependency = (name: string, version: string) => (manifest: Manifest) => ({
  ...manifest,
  dependencies: { ...manifest.dependencies, [name]: version },
})

/** More than the tolerated share in a tree of this size, in files of typical length. */
const copied = Object.fromEntries(
  Array.from({ length: 60 }, (_, file) => {
    const text = Array.from(
      { length: 80 },
      (__, n) =>
        `export function planted${n}(a: number, b: readonly number[]): number {\n  const file = ${file}\n  const most = b.filter((c) => c > a + ${n})\n  return most.length * file\n}\n`,
    ).join('')
    return [
      `server/edge/src/planted-copies/${file % 2 === 0 ? 'first' : 'second'}-${file - (file % 2)}.ts`,
      text.replaceAll(`file = ${file}\n`, `file = ${file - (file % 2)}\n`),
    ]
  }),
)

/** Written in pieces, so that the check `product-alone` does not find this file. */
const machinePath = ['', 'root', 'planted'].join('/')
const registry = ['https:', '', 'registry.planted.example', 'a.tgz'].join('/')

/** At least one violation for each of our own checks and for knip and jscpd. */
export const plantedOwn: readonly PlantedViolation[] = [
  {
    check: 'dead-code',
    rule: 'Unused files',
    names: 'server/edge/src/planted-orphan.ts',
    files: { 'server/edge/src/planted-orphan.ts': 'export const planted = 1\n' },
  },
  {
    check: 'dead-code',
    rule: 'Unused exports',
    names: 'plantedNobodyWants',
    files: { 'tools/test/planted-export.ts': 'export const plantedWanted = 1\nexport const plantedNobodyWants = 2\n' },
    edit: {
      file: 'tools/test/main.ts',
      change: (text) => `import { plantedWanted } from './planted-export.ts'\nconsole.log(plantedWanted)\n${text}`,
    },
  },
  {
    check: 'dead-code',
    rule: 'Unused dependencies',
    names: 'acorn',
    edit: { file: 'contract/package.json', change: json(dependency('acorn', '8.0.0')) },
  },
  {
    check: 'copy-paste',
    rule: '% of the lines are copies; more than',
    names: '',
    files: copied,
  },
  {
    check: 'same-name',
    rule: 'has no contract/src/planted-only-here',
    names: 'server/api/src/planted-only-here',
    files: { 'server/api/src/planted-only-here/index.ts': 'export {}\n' },
  },
  {
    check: 'same-name',
    rule: 'has no folder of that name in a server or an application',
    names: 'contract/src/planted-only-there',
    files: { 'contract/src/planted-only-there/index.ts': 'export {}\n' },
  },
  ...[
    ['export const plantedOf = 1', 'plantedOf ends in a preposition'],
    ['export const PLANTED_FOR = 1', 'PLANTED_FOR ends in a preposition'],
    ['export type Planted = string', 'Planted is a participle'],
    ['export interface PlantedParts {}', 'PlantedParts is not the field'],
    ['export class PlantedLetter {}', 'PlantedLetter is not the field'],
    ['export const MOST_PLANTED = 1', 'MOST_PLANTED is not the field'],
  ].map(([text, rule = ''], n) => ({
    check: 'names',
    rule,
    names: `server/edge/src/planted-name-${n}.ts:1`,
    files: { [`server/edge/src/planted-name-${n}.ts`]: `${text}\n` },
  })),
  {
    check: 'names',
    rule: 'PlantedTwice has another meaning in server/api/src/planted-twice.ts',
    names: 'server/edge/src/planted-twice.ts:1',
    files: Object.fromEntries(
      ['edge', 'api'].map((plane) => [`server/${plane}/src/planted-twice.ts`, 'export type PlantedTwice = string\n']),
    ),
  },
  {
    check: 'names',
    rule: '“letter” is not the field',
    names: 'server/edge/src/planted-file/letter.ts',
    files: { 'server/edge/src/planted-file/letter.ts': 'export {}\n' },
  },
  {
    check: 'names',
    rule: 'excuses PlantedOnce',
    names: 'tools/checks/names.json',
    edit: {
      file: 'tools/checks/names.json',
      change: json((ledger: { sameMeaning: Record<string, string> }) => ({
        ...ledger,
        sameMeaning: { ...ledger.sameMeaning, PlantedOnce: 'planted' },
      })),
    },
  },
  {
    check: 'doc-links',
    rule: 'names docs/planted.md, which is not there',
    names: 'server/edge/src/planted-link.ts:1',
    files: { 'server/edge/src/planted-link.ts': '// See docs/planted.md.\nexport {}\n' },
  },
  {
    check: 'doc-links',
    rule: 'names planted-page.md, which is not there',
    names: 'docs/planted.md.md:1',
    files: { 'docs/planted.md.md': '[a page](planted-page.md)\n' },
  },
  ...[
    ['See specification §99.', 'cites specification §99, which docs/ does not hold'],
    ['See specification §4 "Planted".', 'cites specification §4 "Planted", which docs/ does not hold'],
    ['See api.md §4, §2.99.', 'cites api §2.99, which docs/ does not hold'],
    ['See planted.md.', 'cites planted.md, which docs/ does not hold'],
    ['As decided (decisions 4 and 99).', 'cites decision 99, which docs/ does not hold'],
    ['As decided (decision 9999).', 'cites decision 9999, which docs/ does not hold'],
    ['As promised (R99).', 'cites promise R99, which docs/ does not hold'],
    ['As wished for in issue 99.', 'cites issue 99, which docs/ does not hold'],
  ].map(([comment, rule = ''], n) => ({
    check: 'references',
    rule,
    names: `server/edge/src/planted-citation-${n}.ts:1`,
    files: { [`server/edge/src/planted-citation-${n}.ts`]: `// ${comment}\nexport {}\n` },
  })),
  {
    check: 'ratchet',
    rule: 'unfinished: ',
    names: 'now',
    files: { 'server/edge/src/planted-later.ts': `// ${['TO', 'DO'].join('')}: later\nexport {}\n` },
  },
  {
    check: 'packages',
    rule: 'is not an exact version',
    names: 'planted',
    edit: { file: 'server/edge/package.json', change: json(dependency('planted', '^1.0.0')) },
  },
  {
    check: 'packages',
    rule: 'leads nowhere',
    names: 'contract/src/planted-no-door/index.ts',
    files: { 'contract/src/planted-no-door/inside.ts': 'export {}\n' },
  },
  {
    check: 'packages',
    rule: 'licence GPL-3.0',
    names: 'node_modules/planted',
    edit: {
      file: 'package-lock.json',
      change: json((lock: { packages: Record<string, unknown> }) => ({
        ...lock,
        packages: {
          ...lock.packages,
          'node_modules/planted': { version: '1.0.0', license: 'GPL-3.0', resolved: registry },
        },
      })),
    },
  },
  { check: 'product-alone', rule: 'names the host it was fetched from', names: 'node_modules/planted' },
  {
    check: 'product-alone',
    rule: 'speaks of a machine',
    names: 'docs/planted-machine.md:1',
    files: { 'docs/planted-machine.md': `Look into ${machinePath} first.\n` },
  },
  {
    check: 'typed-files',
    rule: 'is in no project of the compiler',
    names: 'docs/planted.ts',
    files: { 'docs/planted.ts': 'export const planted = 1\n' },
  },
  {
    check: 'migrations',
    rule: 'is not in hashes.json',
    names: '209912312359-planted.sql',
    files: { 'server/platform/src/db/migrations/209912312359-planted.sql': 'select 1;\n' },
  },
  {
    check: 'plain-texts',
    rule: 'says "Whoever"',
    names: 'server/edge/src/planted-text.ts:1',
    files: {
      'server/edge/src/planted-text.ts':
        "export const planted = { detail: 'Whoever asks gets nothing' }\nexport const tell = (log: { warn(text: string): void }) => log.warn(`the disk is gone`)\n",
    },
  },
  { check: 'plain-texts', rule: 'says "is gone"', names: 'server/edge/src/planted-text.ts:2' },
  {
    check: 'locales',
    rule: 'lacks planted',
    names: 'web/kit/planted/locales/de',
    files: {
      'web/kit/planted/locales/en.json': '{ "planted": "text", "other": "for {name}" }\n',
      'web/kit/planted/locales/de.json': '{ "other": "für {nam}" }\n',
    },
  },
  { check: 'locales', rule: 'has other placeholders than English', names: 'web/kit/planted/locales/de: other' },
  { check: 'locales', rule: 'has no tr', names: 'web/kit/planted/locales' },
  {
    check: 'locales',
    rule: 'says "by itself"; write automatically',
    names: 'web/kit/planted-phrases/locales/en: planted',
    files: { 'web/kit/planted-phrases/locales/en.json': '{ "planted": "It stops by itself." }\n' },
  },
  {
    check: 'locales',
    rule: 'beside a word, without plural forms',
    names: 'web/kit/planted-numbers/locales/en: bare',
    files: {
      'web/kit/planted-numbers/locales/en.json':
        '{ "bare": "{count} cameras", "forms": "{count, plural, one {# day} other {# days}}", "none": "{days, plural, one {# day} other {# days}}" }\n',
      'web/kit/planted-numbers/locales/pl.json':
        '{ "bare": "{count} kamer", "forms": "{count, plural, one {# dzień} other {# dni}}", "none": "{days} dni" }\n',
    },
  },
  { check: 'locales', rule: 'but pl has few many one other', names: 'web/kit/planted-numbers/locales/pl: forms' },
  { check: 'locales', rule: 'has no plural forms', names: 'web/kit/planted-numbers/locales/pl: none' },
  {
    check: 'asvs',
    rule: 'names a test “planted',
    names: 'tools/start/start.test.ts',
    edit: {
      file: 'docs/reference/asvs.md',
      change: (text) =>
        `${text.replace('| met | ', '| met | 1')}\n\`tools/start/start.test.ts\` “planted rule that has no test”
\`server/planted/gone.ts\`
| 99.1.1 | 1 | planted | met | our word |
| 99.1.2 | 1 | planted | met | \`tools/start/start.test.ts\` |
`,
    },
  },
  { check: 'asvs', rule: 'which is not there', names: 'server/planted/gone.ts' },
  { check: 'asvs', rule: 'names neither a test nor a file', names: '99.1.1' },
  { check: 'asvs', rule: 'without the title of a test', names: 'tools/start/start.test.ts for 99.1.2' },
  { check: 'asvs', rule: 'rows say so', names: '“met”' },
  { check: 'asvs', rule: 'expected 253', names: 'docs/reference/asvs.md has 255 rows' },
  {
    check: 'api-document',
    rule: 'operation-operationId-unique',
    names: '#/paths',
    edit: {
      file: 'contract/src/openapi/document.ts',
      change: (text) => text.replace('operationId: route.name', "operationId: 'planted'"),
    },
  },
  {
    check: 'reference',
    rule: 'is not what the code says',
    names: 'docs/reference/errors.md',
    files: { 'docs/reference/errors.md': 'planted\n' },
  },
  {
    check: 'reference',
    rule: 'is not what the code says',
    names: 'docs/reference/schema.md',
    files: { 'docs/reference/schema.md': 'planted\n' },
  },
  {
    check: 'reference',
    rule: 'is generated from nothing',
    names: 'docs/reference/planted.md',
    files: { 'docs/reference/planted.md': 'planted\n' },
  },
  {
    check: 'doc-examples',
    rule: 'TS2322',
    names: 'docs/planted-example.md:4',
    files: { 'docs/planted-example.md': "# Planted\n\n```ts\nexport const planted: number = 'text'\n```\n" },
  },
  {
    check: 'doc-examples',
    rule: 'TS2345',
    names: 'server/edge/src/planted-comment.ts:3',
    files: {
      'server/edge/src/planted-comment.ts':
        "/**\n * ```ts\n * twice('text')\n * ```\n */\nexport const twice = (a: number): number => 2 * a\n",
    },
  },
]
