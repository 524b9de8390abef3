// The server's texts for operators and integrators (errors, log lines, the command line, descriptions of calls and
// settings) avoid phrases that are not plain English. Names, SQL and comments are not checked here.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { PHRASES, phraseFaults } from './plain-phrases.ts'
import { productFiles } from './tree.ts'
import { report } from './verdict.ts'

const READ = /^(server\/|contract\/src\/|tools\/(start|reference)\/|tools\/[\w-]+\.mjs$)/
const UNREAD = /\.test\.ts$|testing|\/picture-host/

/** The phrases for screens, and more that these texts used to contain. */
const SERVER_PHRASES: typeof PHRASES = [
  ...PHRASES,
  [/\b(?:has|have) not got\b/i, 'does not have'],
  [/\bno such\b/i, '"not found"'],
  [/\bmay not\b/i, 'can’t, or "is not allowed"'],
  [/\b(?:is|are) gone\b/i, 'is missing, no longer exists'],
  [/\bhelpdesk\b/i, 'support'],
  [/\bset aside for\b/i, 'reserved for'],
  [/\bcannot be kept\b/i, 'what is not allowed'],
  [/\bin the meantime\b/i, 'since you read it'],
  [/\bhimself\b|\bherself\b/i, 'themselves'],
]

/** A string with fewer words is a name or a key. */
const FEWEST_WORDS = 3
/** Tags and functions with SQL arguments. */
const TAKES_SQL = /\bsql\b|\.query$|\.raw$/

interface Text {
  readonly line: number
  readonly text: string
}

const isText = (node: ts.Node): node is ts.StringLiteral | ts.TemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)

/** The text without the values between `${` and `}`. */
const wordsOf = (node: ts.StringLiteral | ts.TemplateLiteral): string =>
  ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
    : node.text

function takesSql({ parent }: ts.Node): boolean {
  if (ts.isTaggedTemplateExpression(parent)) return TAKES_SQL.test(parent.tag.getText())
  return ts.isCallExpression(parent) && TAKES_SQL.test(parent.expression.getText())
}

function textsIn(file: string): readonly Text[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Text[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (isText(node) && !takesSql(node)) {
      const text = wordsOf(node)
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      if ((text.match(/[A-Za-z]+/g) ?? []).length >= FEWEST_WORDS) found.push({ line: line + 1, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const files = productFiles('.ts', '.mjs').filter((file) => READ.test(file) && !UNREAD.test(file))
report(
  files.flatMap((file) =>
    textsIn(file).flatMap(({ line, text }) =>
      phraseFaults(text, SERVER_PHRASES).map((fault) => `${file}:${line} ${fault}`),
    ),
  ),
)
