import de from './locales/de.json'
import en from './locales/en.json'
import es from './locales/es.json'
import ja from './locales/ja.json'
import nl from './locales/nl.json'
import pl from './locales/pl.json'
import pt from './locales/pt.json'
import tr from './locales/tr.json'

/** The English form of a text of this page; also its key. */
export type CheckText = keyof typeof en

const catalogues: Readonly<Record<string, Readonly<Record<CheckText, string>>>> = { de, en, es, ja, nl, pl, pt, tr }

/** Texts, numbers and times in the reader's language. */
export interface CheckLanguage {
  readonly name: string
  text(key: CheckText, values?: Readonly<Record<string, string>>): string
  number(value: number): string
  /** Milliseconds since 1970, in the reader's time zone. */
  time(at: number): string
}

/** @param wanted language tags in the reader's order. */
export function pickLanguage(wanted: readonly string[]): CheckLanguage {
  const tag = wanted.find((each) => catalogues[each.slice(0, 2)] !== undefined) ?? 'en'
  const name = tag.slice(0, 2)
  const texts = catalogues[name] ?? en
  const numbers = new Intl.NumberFormat(tag)
  const times = new Intl.DateTimeFormat(tag, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 1,
    timeZoneName: 'short',
  })
  return {
    name,
    text: (key, values = {}) => texts[key].replaceAll(/\{(\w+)\}/g, (_, field: string) => values[field] ?? ''),
    number: (value) => numbers.format(value),
    time: (at) => times.format(at),
  }
}
