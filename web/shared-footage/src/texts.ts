import de from './locales/de.json'
import en from './locales/en.json'
import es from './locales/es.json'
import ja from './locales/ja.json'
import nl from './locales/nl.json'
import pl from './locales/pl.json'
import pt from './locales/pt.json'
import tr from './locales/tr.json'

/** The English form of a text of this page; also its key. */
export type ShareText = keyof typeof en

const catalogues: Readonly<Record<string, Readonly<Record<ShareText, string>>>> = { de, en, es, ja, nl, pl, pt, tr }

/** The reader's language, as far as this page has it. */
const tag = navigator.languages.find((each) => catalogues[each.slice(0, 2)] !== undefined) ?? 'en'
export const language = tag.slice(0, 2)
const texts = catalogues[language] ?? en

export const text = (key: ShareText, values: Readonly<Record<string, string>> = {}): string =>
  texts[key].replaceAll(/\{(\w+)\}/g, (_, field: string) => values[field] ?? '')

/** "in 2 minutes", in the reader's language. */
export const inMinutes = (ms: number): string =>
  new Intl.RelativeTimeFormat(tag).format(Math.max(1, Math.ceil(ms / 60_000)), 'minute')

/** Times of day at the camera, in the reader's language. */
export function cameraTimes(timeZone: string) {
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone })
  const zone = { timeZone, timeZoneName: 'short' } as const
  const full = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long', timeZone })
  const moment = new Intl.DateTimeFormat(tag, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    ...zone,
  })
  return {
    range: (from: string, till: string): string => full.formatRange(new Date(from), new Date(till)),
    moment: (at: number): string => moment.format(at),
    /** Without the date. */
    span: ({ from, till }: { from: number; till: number }): string => clock.formatRange(from, till),
  }
}
