// Every section, decision or promise that a comment cites is a heading, row or file in docs/.
import { existsSync, readFileSync } from 'node:fs'
import { productFiles } from './tree.ts'
import { report } from './verdict.ts'

const GAP = String.raw`(?:\s|\*|\/\/|--)+`
const QUOTED = String.raw`(?:${GAP}"(?<quoted>[^"\n]{1,60})")?`
const SECTION = String.raw`§(?<section>\d+(?:\.\d+)*)`

/** `specification §4` and `api.md §2.5`, each with its first section. */
const CITED_SECTION = new RegExp(
  String.raw`(?:\b[Ss]pecification|(?<![\w/.-])(?:docs\/design\/)?(?<page>[a-z-]+)\.md),?${GAP}${SECTION}${QUOTED}`,
  'g',
)
/** Further sections after the first: `, §7`, ` and §7`, `-§7`. */
const NEXT_SECTION = new RegExp(`(?:-|(?:,|${GAP}and|${GAP}to)${GAP})${SECTION}${QUOTED}`, 'y')
const CITED_HEADING = new RegExp(String.raw`(?<![\w/.-])(?<page>[a-z-]+)\.md${GAP}"(?<quoted>[^"\n]+)"`, 'g')
const CITED_DECISION = new RegExp(String.raw`\b[Dd]ecisions?${GAP}(?<number>\d{4}|\d{1,2})(?![\w.:%-])`, 'g')
const NEXT_DECISION = new RegExp(
  String.raw`(?:,|${GAP}and|${GAP}to)${GAP}(?<number>\d{4}|\d{1,2})(?![\w.:%-])(?!\s+[a-z]+s\b)`,
  'y',
)
/** Excludes requirements of a standard, which is named before them. */
const CITED_PROMISE = /(?<![\w.-]|RFC \d+ §[\d.]+, )R(?<promise>\d{1,2})(?![\w.<(])/g
const CITED_ISSUE = /\b[Ii]ssue (?:#?\d+|"[^"\n]+")/g
const COMMENT = /(?:^|\s)(?:\/\/|\/?\*\*?|--|#)\s(?<text>.*)$/
const BARE_PAGE = /(?<![\w/.-])(?<page>[a-z][a-z-]*)\.md\b/g

interface Citation {
  readonly index: number
  /** The original text, for the report. */
  readonly text: string
  readonly isThere: boolean
}

const textOf = (page: string): string | undefined => {
  const file = `docs/design/${page}.md`
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

interface Heading {
  readonly level: number
  /** Undefined for a heading without a number. */
  readonly number: string | undefined
}

const headingOf = (line: string): Heading | undefined => {
  const [, marks, number] = /^(#{2,4}) (?:(\d+(?:\.\d+)*)\.? )?/.exec(line) ?? []
  return marks === undefined ? undefined : { level: marks.length, number }
}

/** The text below each numbered heading, and of each row that starts with a dotted number or a promise. */
function anchorsIn(text: string): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>()
  let open: readonly Heading[] = []
  for (const line of text.toLowerCase().split('\n')) {
    const heading = headingOf(line)
    if (heading !== undefined) open = [...open.filter(({ level }) => level < heading.level), heading]
    const [, row] = /^\| (\d+\.\d+|r\d+) +\|/.exec(line) ?? []
    for (const number of [...open.map((each) => each.number), row?.toUpperCase()]) {
      if (number !== undefined) anchors.set(number, `${anchors.get(number) ?? ''}${line}\n`)
    }
  }
  return anchors
}

const pages = new Map(
  productFiles('.md')
    .filter((file) => /^docs\/design\/[a-z-]+\.md$/.test(file))
    .map((file) => file.slice('docs/design/'.length, -'.md'.length))
    .map((page) => [page, anchorsIn(textOf(page) ?? '')]),
)
const headings = (page: string): string => (textOf(page)?.match(/^#+ .*$/gm) ?? []).join('\n').toLowerCase()
const productDecisions = new Set([...(textOf('product') ?? '').matchAll(/^\| (\d+) +\|/gm)].map(([, number]) => number))
const decisionPages = productFiles('.md').filter((file) => file.startsWith('docs/decisions/'))

const isDecision = (number: string): boolean =>
  number.length === 4
    ? decisionPages.some((file) => file.startsWith(`docs/decisions/${number}-`))
    : productDecisions.has(number)

function isSection(page: string, section: string | undefined, quoted: string | undefined): boolean {
  const text = pages.get(page)?.get(section ?? '')
  return text !== undefined && (quoted === undefined || text.includes(quoted.toLowerCase()))
}

/** The match at `start` and the matches directly after it. */
function* chain(text: string, next: RegExp, start: number): Generator<RegExpExecArray> {
  next.lastIndex = start
  for (let found = next.exec(text); found !== null; found = next.exec(text)) yield found
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n[\s*/-]*/g, ' ').replace(/^(?:,|-|and|to|\s)+/, '')

function* sectionsIn(text: string): Generator<Citation> {
  for (const first of text.matchAll(CITED_SECTION)) {
    const page = first.groups?.page ?? 'specification'
    for (const { 0: cited, index, groups } of [first, ...chain(text, NEXT_SECTION, first.index + first[0].length)]) {
      const isThere = isSection(page, groups?.section, groups?.quoted)
      yield { index, text: cited === first[0] ? oneLine(cited) : `${page} ${oneLine(cited)}`, isThere }
    }
  }
  for (const { 0: cited, index, groups } of text.matchAll(CITED_HEADING)) {
    yield {
      index,
      text: oneLine(cited),
      isThere: headings(groups?.page ?? '').includes((groups?.quoted ?? '').toLowerCase()),
    }
  }
}

function* numbersIn(text: string): Generator<Citation> {
  for (const first of text.matchAll(CITED_DECISION)) {
    for (const { index, groups } of [first, ...chain(text, NEXT_DECISION, first.index + first[0].length)]) {
      const number = groups?.number ?? ''
      yield { index, text: `decision ${number}`, isThere: isDecision(number) }
    }
  }
  for (const { 0: cited, index, groups } of text.matchAll(CITED_PROMISE)) {
    yield { index, text: `promise ${cited}`, isThere: pages.get('security')?.has(`R${groups?.promise}`) ?? false }
  }
  for (const { 0: cited, index } of text.matchAll(CITED_ISSUE)) yield { index, text: cited, isThere: false }
}

/** Pages named without a folder are in docs/design. Only in comments, because strings name files that they write. */
function* barePagesIn(text: string): Generator<Citation> {
  let start = 0
  for (const line of text.split('\n')) {
    const comment = COMMENT.exec(line)?.groups?.text ?? ''
    for (const { 0: cited, index, groups } of comment.matchAll(BARE_PAGE)) {
      yield { index: start + line.length - comment.length + index, text: cited, isThere: pages.has(groups?.page ?? '') }
    }
    start += line.length + 1
  }
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

function citationsIn(file: string, text: string): readonly Citation[] {
  if (file.endsWith('.md')) return [...sectionsIn(text), ...numbersIn(text)]
  return [...sectionsIn(text), ...numbersIn(text), ...barePagesIn(text)]
}

/** Planted violations cite missing things; this file contains the patterns. */
const speaksOfExamples = (file: string): boolean =>
  file.startsWith('tools/checks/planted') || file === 'tools/checks/references.ts'

const broken = productFiles('.ts', '.tsx', '.mjs', '.sql', '.py', '.css', '.md')
  .filter((file) => !speaksOfExamples(file))
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return citationsIn(file, text)
      .filter(({ isThere }) => !isThere)
      .map((cited) => `${file}:${lineAt(text, cited.index)} cites ${cited.text}, which docs/ does not hold`)
  })
report(broken)
