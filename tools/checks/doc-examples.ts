// Examples in pages and doc comments are compiled, because an example that does not compile is wrong.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { productFiles } from './tree.ts'
import { report } from './verdict.ts'

interface Example {
  readonly file: string
  /** Line in `file` before the first line of `text`; a compiler's line 1 is this plus 1. */
  readonly line: number
  readonly text: string
}

const FENCE = /^(\s*(?:\*\s?)?)```(\w*)[ \t]*(\S*)/
/** `before` is for code to avoid; `nocheck` is for a fragment that does not compile alone. */
const UNCHECKED = new Set(['before', 'nocheck'])

/** Blocks fenced as `ts` or `tsx` in `lines`, with `margin` removed from each line. */
function examplesIn(file: string, lines: readonly string[]): readonly Example[] {
  const found: Example[] = []
  let open: { line: number; margin: string; checked: boolean; text: string[] } | undefined
  lines.forEach((line, i) => {
    const fence = FENCE.exec(line)
    if (fence === null) {
      open?.text.push(line.startsWith(open.margin) ? line.slice(open.margin.length) : line.replace(/^\s*\* ?/, ''))
    } else if (open === undefined) {
      const [, margin = '', language = '', mark = ''] = fence
      open = { line: i + 1, margin, checked: /^tsx?$/.test(language) && !UNCHECKED.has(mark), text: [] }
    } else {
      if (open.checked) found.push({ file, line: open.line, text: open.text.join('\n') })
      open = undefined
    }
  })
  return found
}

/** Only the doc comments of a source file; other lines become empty, so that line numbers stay the same. */
function docComments(text: string): readonly string[] {
  const lines = text.split('\n').map(() => '')
  for (const comment of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const first = text.slice(0, comment.index).split('\n').length - 1
    comment[0].split('\n').forEach((line, i) => {
      lines[first + i] = line
    })
  }
  return lines
}

function allExamples(): readonly Example[] {
  const pages = productFiles('.md').flatMap((file) => examplesIn(file, readFileSync(file, 'utf8').split('\n')))
  const comments = productFiles('.ts', '.tsx')
    .filter((file) => !file.startsWith('tools/checks/'))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return text.includes('```ts') ? examplesIn(file, docComments(text)) : []
    })
  return [...pages, ...comments]
}

/** Names that a source file exports, so that its examples don't have to import them. */
function exportsOf(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  return source.statements.flatMap((statement) => {
    const exported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword)
    if (!exported) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
    }
    const { name } = statement as ts.DeclarationStatement
    return name !== undefined && ts.isIdentifier(name) ? [name.text] : []
  })
}

/** The module for an example, next to its page or source, so that its relative imports work. */
function asModule(example: Example, n: number): { readonly path: string; readonly text: string } {
  const path = resolve(dirname(example.file), `.example-${n}.${example.file.endsWith('.tsx') ? 'tsx' : 'ts'}`)
  if (example.file.endsWith('.md')) return { path, text: `${example.text}\nexport {}\n` }
  const used = exportsOf(example.file).filter(
    (name) =>
      new RegExp(`\\b${name}\\b`).test(example.text) && !new RegExp(`import[^\\n]*\\b${name}\\b`).test(example.text),
  )
  const source = `./${example.file.slice(example.file.lastIndexOf('/') + 1)}`
  const imports = used.length === 0 ? '' : `import { ${used.map((name) => name).join(', ')} } from '${source}';`
  return { path, text: `${imports}${example.text}\nexport {}\n` }
}

/** Files that an example imports as placeholders for any file of that kind. */
const STAND_INS: Readonly<Record<string, string>> = {
  'alert-delay.ts': 'export declare function formatAlertDelay(minutes: number): string',
}

function compile(examples: readonly Example[], side: 'server' | 'web'): readonly string[] {
  if (examples.length === 0) return []
  const modules = examples.map((example, n) => ({ example, ...asModule(example, n) }))
  const texts = new Map([
    ...modules.map(({ path, text }): [string, string] => [path, text]),
    ...Object.entries(STAND_INS).map(([file, text]): [string, string] => [resolve(file), text]),
  ])
  const config = side === 'web' ? 'web/tsconfig.json' : 'tsconfig.json'
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(resolve(config)),
  )
  const host = ts.createCompilerHost({ ...options, verbatimModuleSyntax: false })
  const { fileExists, readFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  const roots = [...modules.map(({ path }) => path), resolve('tools/checks/style-examples.d.mts')]
  const program = ts.createProgram({ rootNames: roots, options: { ...options, verbatimModuleSyntax: false }, host })
  return modules.flatMap(({ example, path }) => {
    const source = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((d) => {
      const line = source?.getLineAndCharacterOfPosition(d.start ?? 0).line ?? 0
      return `${example.file}:${example.line + line + 1}: TS${d.code} ${ts.flattenDiagnosticMessageText(d.messageText, ' ')}`
    })
  })
}

const examples = allExamples().filter(({ file }) => existsSync(join(file)))
const ofWeb = (example: Example): boolean => example.file.startsWith('web/')
console.log(`${examples.length} examples`)
report([
  ...compile(
    examples.filter((example) => !ofWeb(example)),
    'server',
  ),
  ...compile(examples.filter(ofWeb), 'web'),
])
