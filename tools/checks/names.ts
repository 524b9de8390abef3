// Exported names and file names use standard terms (decision 0061).
import { readFileSync } from 'node:fs'
import { productFiles, readJson } from './tree.ts'
import { report } from './verdict.ts'

const LEDGER = 'tools/checks/names.json'

interface Ledger {
  /** Types that two packages declare with the same name, with the reason. */
  readonly sameMeaning: Readonly<Record<string, string>>
}

interface ExportedName {
  readonly file: string
  readonly line: number
  readonly name: string
  readonly isType: boolean
}

const DECLARED =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|interface|type|enum) (\w+)/

/** Biome puts every export at the start of a line, so no parser is needed. */
function exportsOf(file: string): readonly ExportedName[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, i) => {
      const [, kind, name] = DECLARED.exec(text) ?? []
      if (kind === undefined || name === undefined) return []
      return [{ file, line: i + 1, name, isType: ['class', 'interface', 'type', 'enum'].includes(kind) }]
    })
}

const PREPOSITION =
  /(?:[a-z0-9](?:Of|To|For|In|By|At|On|With|From|Into|Under|About|After|Before|Between|Against|Through|Within|Without|Until|Till|Since|Over|Per|Via|Behind|Beside|Inside|Around|As|Up|Down|Out|Off)|_(?:OF|TO|FOR|IN|BY|AT|ON|WITH|FROM|AFTER|BEFORE|UNTIL|PER))$/
/** Nouns and verbs that contain such a word: sign-in, sign-out. */
const PHRASAL = /(?:(?:[sS]ign|[sS]igned|[lL]og)(?:In|Out|Up)|[cC]heckUp)$/

const PARTICIPLE =
  /^(?:[A-Z][a-z]+ed|Given|Told|Shown|Known|Kept|Held|Found|Written|Sent|Made|Done|Taken|Seen|Drawn|Chosen)$|[a-z](?:Given|Told|Shown|Known|Kept|Asked|Wanted|Written|Overdone)$/

interface Term {
  readonly found: RegExp
  readonly use: string
  /** Applies only to type names, because a piece of a recording is also a part. */
  readonly ofTypes?: true
}

/** The column "found" of the table in decision 0061, as far as it applies to exported names. */
const terms: readonly Term[] = [
  { found: /Parts$/, use: '…Deps', ofTypes: true },
  { found: /^[Pp]laces?$|Place$/, use: 'location, position, skeleton, coordinates' },
  { found: /^[Pp]erson$|^Person[A-Z]|[a-z]Person$/, use: 'user, member', ofTypes: true },
  { found: /^[Gg]rounds?$|Ground$|[Ss]tandstill|[a-z]Standing$/, use: 'preconditions, permissions, read-only reason' },
  { found: /Given$|^given[A-Z]/, use: 'New…, …Input' },
  { found: /^deciding|^decided|forCalls|^turns$|[fF]ewAtOnce/, use: 'reauthorize, withFreshCaller, concurrency limit' },
  { found: /[sS]hownAgain|^inTime$|[sS]torable|[wW]rongParameter/, use: 'replay check, statement timeout, valid text' },
  { found: /^tell(?:[A-Z]|$)|Telling|^markTold/, use: 'notify' },
  { found: /[a-z]Letters?$|^[Ll]etters?(?:[A-Z]|$)|[kK]eptMail|[cC]aughtMail/, use: 'email template, captured mail' },
  { found: /[rR]hythm/, use: 'recurrence' },
  { found: /[rR]efusals?(?:[A-Z]|$)|^denial|Denial/, use: 'validation error, deny reason' },
  { found: /[sS]econdPlace|[sS]ealer|^[sS]ealing$|[sS]ealed(?!Table$)/, use: 'replica, signer, envelope encryption' },
  { found: /LineRow$|HistoryLine|LogLine$/, use: 'entry' },
  { found: /^reach(?:es|ed|able)?[A-Z]|^Reach$/, use: 'scope, access' },
  { found: /^[dD]eeds$|^[aA]cts$|[aA]ctionWords|[wW]hyWords/, use: 'action labels' },
  { found: /[gG]ivable|[wW]holeSets/, use: 'assignable, bulk rights' },
  { found: /[lL]ookAround|^[vV]isitors?$|isVisitor|[bB]arred/, use: 'guest, blocked, disabled' },
  { found: /^MOST_|^[tT]ill$|^aMoment$/, use: 'MAX_…, until, delay' },
  { found: /[tT]imedWork|[a-z]Door$|^[Ff]rontDoor/, use: 'jobs, router, upgrade handler' },
  { found: /^[hH]oles?$|^[lL]aws?$|^[cC]ells?$/, use: 'mutant, policy, case' },
  { found: /[sS]criptOfOthers|[fF]oreignScript|[fF]oreignClient/, use: 'third-party script, another tenant’s client' },
]

const FILE_WORD =
  /^(?:letters?|tell|told|rhythm|refusals?|denials?|second-place|shown-again|in-time|storable|wrong-parameter|few-at-once|turns|look-around|visitors?|barred|kept-mail|caught-mail|sealer|sealing|givable|whole-sets|action-words|why-words|deeds|timed-work|[a-z]+-door|holes?|laws?|grounds?|cells?|reach|places?|standing|standstill|script-of-others|foreign-scripts?|[a-z]+-parts)$/

/** The words of a path: its folders, and its file without extensions. */
const wordsOf = (file: string): readonly string[] => file.split('/').map((word) => word.replace(/\..*$/, ''))

function wrongNames(names: readonly ExportedName[]): readonly string[] {
  return names.flatMap(({ file, line, name, isType }) => {
    const at = `${file}:${line}: ${name}`
    const found: string[] = []
    if (PREPOSITION.test(name) && !PHRASAL.test(name)) found.push(`${at} ends in a preposition; say what it does or is`)
    if (isType && PARTICIPLE.test(name)) found.push(`${at} is a participle; a type is a noun`)
    const term = terms.find((one) => one.found.test(name) && (isType || one.ofTypes !== true))
    if (term !== undefined) found.push(`${at} is not the field's term; say ${term.use}`)
    return found
  })
}

/** Every declaration of a type that is declared more than once. */
const ambiguousTypes = (names: readonly ExportedName[], { sameMeaning }: Ledger): readonly string[] =>
  [
    ...Map.groupBy(
      names.filter(({ isType }) => isType),
      ({ name }) => name,
    ),
  ].flatMap(([name, all]) => {
    if (all.length < 2 || sameMeaning[name] !== undefined) return []
    return all.map(({ file, line }) => {
      const others = all.filter((one) => one.file !== file).map((one) => one.file)
      return `${file}:${line}: ${name} has another meaning in ${others.join(', ')}`
    })
  })

const wrongFiles = (files: readonly string[]): readonly string[] =>
  files.flatMap((file) => {
    const word = wordsOf(file).find((one) => FILE_WORD.test(one))
    return word === undefined ? [] : [`${file}: “${word}” is not the field's term`]
  })

const ledger = readJson(LEDGER) as Ledger
/** Example declarations and planted violations contain code as text. */
const isText = (file: string): boolean => file.endsWith('.d.mts') || file.startsWith('tools/checks/planted')
const files = productFiles('.ts', '.tsx', '.mts', '.mjs').filter((file) => !isText(file))
const names = files.flatMap(exportsOf)
const findings = [...wrongNames(names), ...ambiguousTypes(names, ledger), ...wrongFiles(files)]
report([
  ...findings,
  ...Object.keys(ledger.sameMeaning)
    .filter((name) => names.filter((one) => one.name === name).length < 2)
    .map((name) => `${LEDGER} excuses ${name}, which is declared once`),
])
