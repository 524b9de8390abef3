import { dirname } from 'node:path'
import { typeChecks } from './list.ts'
import type { PlantedViolation } from './planted.ts'

const FOLDER = 'server/edge/src/planted-style'

const sin = (
  rule: string,
  source: string,
  file = `${FOLDER}/${(rule.split('/').at(-1) ?? rule).toLowerCase()}.ts`,
): PlantedViolation => ({
  check: 'style',
  rule,
  names: file,
  files: { [file]: source },
})

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

const branches = lines(9, (n) => `  if (a > ${n}) {\n    if (b > ${n}) return ${n}\n  }`)

/** One violation of each rule in biome.json, including warnings, and one of the formatter. */
export const plantedStyle: readonly PlantedViolation[] = [
  sin('format', 'export const   planted = [1,2 ,3]\n'),
  sin(
    'assist/source/organizeImports',
    "import { z } from 'zod'\nimport { join } from 'node:path'\n\nexport const planted = [join, z]\n",
  ),
  sin(
    'lint/complexity/noExcessiveCognitiveComplexity',
    `export function planted(a: number, b: number): number {\n${branches}\n  return 0\n}\n`,
  ),
  sin(
    'lint/complexity/noExcessiveLinesPerFunction',
    `export function planted(): number {\n  let a = 0\n${lines(70, (n) => `  a += ${n}`)}\n  return a\n}\n`,
  ),
  sin(
    'lint/complexity/useMaxParams',
    'export const planted = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e\n',
  ),
  sin('lint/correctness/useImportExtensions', "import { other } from './other'\n\nexport const planted = other\n"),
  {
    ...sin('lint/correctness/useImportExtensions', 'export const other = 1\n', `${FOLDER}/other.ts`),
    names: `${FOLDER}/useimportextensions.ts`,
  },
  sin('lint/correctness/noUnusedImports', "import { join } from 'node:path'\n\nexport const planted = 1\n"),
  sin('lint/correctness/noUnusedVariables', 'const planted = 1\n\nexport {}\n'),
  sin(
    'lint/nursery/noFloatingPromises',
    'async function work(): Promise<void> {}\n\nexport function planted(): void {\n  work()\n}\n',
  ),
  sin(
    'lint/nursery/noMisusedPromises',
    'export function planted(work: () => Promise<boolean>): number {\n  if (work()) return 1\n  return 0\n}\n',
  ),
  sin(
    'lint/nursery/useExhaustiveSwitchCases',
    "export function planted(kind: 'a' | 'b'): number {\n  let found = 0\n  switch (kind) {\n    case 'a':\n      found = 1\n  }\n  return found\n}\n",
  ),
  sin('lint/nursery/useAwaitThenable', 'export async function planted(): Promise<number> {\n  return await 1\n}\n'),
  sin('lint/performance/noReExportAll', "export * from './other.ts'\n"),
  sin('lint/style/noDefaultExport', 'export default 1\n'),
  sin('lint/style/noEnum', 'export enum Planted {\n  A,\n}\n'),
  sin('lint/style/noNonNullAssertion', 'export const planted = (a: string | undefined): number => a!.length\n'),
  sin('lint/style/noParameterAssign', 'export function planted(a: number): number {\n  a = 2\n  return a\n}\n'),
  sin('lint/style/noNestedTernary', 'export const planted = (a: number): number => (a > 1 ? 1 : a > 0 ? 2 : 3)\n'),
  sin('lint/style/noProcessEnv', 'export const planted = process.env.HOME\n'),
  sin('lint/style/noCommonJs', "export const planted = require('node:fs')\n"),
  sin(
    'lint/style/useErrorCause',
    "export function planted(work: () => void): void {\n  try {\n    work()\n  } catch (error) {\n    throw new Error('lost')\n  }\n}\n",
  ),
  sin(
    'lint/style/useImportType',
    "import { Stats } from 'node:fs'\n\nexport const planted = (a: Stats): number => a.size\n",
  ),
  sin('lint/style/useNodejsImportProtocol', "import { join } from 'path'\n\nexport const planted = join\n"),
  sin('lint/style/useNumericSeparators', 'export const planted = 1000000\n'),
  sin('lint/style/noExcessiveLinesPerFile', `${lines(420, (n) => `export const planted${n} = ${n}`)}\n`),
  sin('lint/style/useFilenamingConvention', 'export const planted = 1\n', `${FOLDER}/snake_case.ts`),
  sin('lint/suspicious/noExplicitAny', 'export const planted = (a: any): void => a\n'),
  sin('lint/suspicious/noConsole', "console.log('planted')\n"),
  sin(
    'lint/suspicious/noEmptyBlockStatements',
    'export function planted(work: () => void): void {\n  try {\n    work()\n  } catch {}\n}\n',
  ),
  sin(
    'lint/suspicious/noFocusedTests',
    "import { test } from 'vitest'\n\ntest.only('planted', () => undefined)\n",
    `${FOLDER}/focused.test.ts`,
  ),
  sin(
    'lint/suspicious/noSkippedTests',
    "import { test } from 'vitest'\n\ntest.skip('planted', () => undefined)\n",
    `${FOLDER}/skipped.test.ts`,
  ),
]

const compilerSins = (folder: string): string => `interface PlantedBase {
  a(): void
}
export abstract class PlantedParent implements PlantedBase {
  a(): void {}
}
export class PlantedChild extends PlantedParent {
  a(): void {}
}
export const implicit = (value) => value
export const unchecked = (list: readonly string[]): string => list[0]
export const loose = (value: string | undefined): string => value
export class Parameter {
  constructor(readonly planted: string) {}
}
import { PlantedBase as Only } from '${folder}/planted-type.ts'
export type UsesOnly = Only
`

/** Each strict option of tsconfig.base.json, by the compiler's error number. */
const CODES: Readonly<Record<string, string>> = {
  TS4114: 'noImplicitOverride',
  TS7006: 'noImplicitAny',
  TS2322: 'strictNullChecks and noUncheckedIndexedAccess',
  TS1294: 'erasableSyntaxOnly',
  TS1484: 'verbatimModuleSyntax',
}

/** The source folder of a compiler project. */
const codeOf: Readonly<Record<string, string>> = {
  'tsconfig.json': 'server/edge/src',
  'web/tsconfig.json': 'web/client/src',
  'tests/tsconfig.json': 'tests',
}

/** Violations of the compiler's options in each of its projects. */
export const plantedTypes: readonly PlantedViolation[] = typeChecks.flatMap(({ check, project }) => {
  const folder = codeOf[project] ?? `${dirname(project)}/src`
  return Object.keys(CODES).map((code) => ({
    check,
    rule: code,
    names: `${folder}/planted-types.ts`,
    files: {
      [`${folder}/planted-types.ts`]: compilerSins('.'),
      [`${folder}/planted-type.ts`]: 'export interface PlantedBase {\n  b(): void\n}\n',
    },
  }))
})
