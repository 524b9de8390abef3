// Every language is complete: same keys, no empty text, same placeholders as English, plural forms by its rules. The English
// texts, the source of the others, avoid phrases that are not plain.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { phraseFaults } from './plain-phrases.ts'
import { hasPlural, listPlaceholders, pluralFaults } from './plural-forms.ts'
import { productFiles } from './tree.ts'
import { report, skip } from './verdict.ts'

/** Specification §1. `aa` is not a language: it contains markers for translating in place, and can be created at run time. */
const LANGUAGES = ['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr']
const MARKERS = 'aa'

type Texts = ReadonlyMap<string, string>

function fromJson(text: string): Texts {
  const flat = (value: unknown, key: string): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => flat(inner, key === '' ? name : `${key}.${name}`))
      : [[key, String(value)]]
  return new Map(flat(JSON.parse(text), ''))
}

/** Entries of a gettext catalog, without obsolete ones; a key is the message with its context. */
function fromPo(text: string): Texts {
  const joined = text.replaceAll(/"\r?\n"/g, '')
  const entries = joined.split(/\r?\n\r?\n/).filter((entry) => !/^#~/m.test(entry))
  const field = (entry: string, name: string): string | undefined =>
    new RegExp(`^${name} "((?:[^"\\\\]|\\\\.)*)"`, 'm').exec(entry)?.[1]
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      const id = field(entry, 'msgid')
      if (id === undefined || id === '') return []
      return [[`${field(entry, 'msgctxt') ?? ''}${id}`, field(entry, 'msgstr') ?? '']]
    }),
  )
}

const placeholders = (text: string): string =>
  [...listPlaceholders(text), ...new Set([...text.matchAll(/<(\/?\w+)\/?>/g)].map(([, tag]) => `<${tag}>`))]
    .sort()
    .join(' ')

function wrongNumbers(file: string, texts: Texts, english: Texts): readonly string[] {
  const language = basename(file)
  if (language === MARKERS) return []
  return [...texts].flatMap(([key, text]) => {
    const faults = pluralFaults(language, text, english.get(key) ?? text)
    // Emails and reports support only placeholders, so they put numbers after labels: `Cameras: {count}`.
    const unread = file.startsWith('server/') && hasPlural(text) ? ['has plural forms, which nothing fills here'] : []
    return [...faults, ...unread].map((fault) => `${file}: ${key} ${fault}`)
  })
}

/** Catalogues that still say such phrases, of the camera page and its player; the list only shrinks. */
const NOT_YET_PLAIN: ReadonlySet<string> = new Set(['web/camera-app/src/locales'])

function notPlain(folder: string, english: Texts): readonly string[] {
  if (NOT_YET_PLAIN.has(folder)) return []
  return [...english].flatMap(([key, text]) => phraseFaults(text).map((fault) => `${folder}/en: ${key} ${fault}`))
}

function compare(file: string, texts: Texts, english: Texts): readonly string[] {
  const missing = [...english.keys()].filter((key) => !texts.has(key)).map((key) => `${file} lacks ${key}`)
  const extra = [...texts.keys()]
    .filter((key) => !english.has(key))
    .map((key) => `${file} has ${key}, which English has not`)
  const empty = [...texts].filter(([, text]) => text.trim() === '').map(([key]) => `${file}: ${key} is empty`)
  const differing = [...texts]
    .filter(
      ([key, text]) => text !== '' && placeholders(text) !== placeholders(english.get(key) || key) && english.has(key),
    )
    .map(([key]) => `${file}: ${key} has other placeholders than English`)
  return [...missing, ...extra, ...empty, ...differing, ...wrongNumbers(file, texts, english)]
}

function compareFolder(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((file) => ['.json', '.po'].includes(extname(file)))
  const texts = new Map(
    files.map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return [basename(file, extname(file)), extname(file) === '.po' ? fromPo(text) : fromJson(text)]
    }),
  )
  const english = texts.get('en')
  if (english === undefined || english.size === 0) return [`${folder} has no English texts`]
  const absent = LANGUAGES.filter((code) => !texts.has(code)).map((code) => `${folder} has no ${code}`)
  const unknown = [...texts.keys()]
    .filter((code) => !LANGUAGES.includes(code) && code !== MARKERS)
    .map((code) => `${folder}/${code} is none of the product's languages`)
  return [
    ...absent,
    ...unknown,
    ...notPlain(folder, english),
    ...[...texts].flatMap(([code, own]) => compare(`${folder}/${code}`, own, english)),
  ]
}

const folders = new Set(
  productFiles('.json', '.po')
    .map((file) => /^(.*\/locales)\/[^/]+$/.exec(file)?.[1])
    .filter((folder) => folder !== undefined && existsSync(folder)),
)
if (folders.size === 0) skip('no folder of locales is there yet')
else report([...folders].flatMap((folder) => compareFolder(String(folder))))
