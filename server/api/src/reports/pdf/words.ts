import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

export type ReportWords = typeof en
const languages: ReadonlyMap<string, ReportWords> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** The texts of a report, and its number and date formats; English as a fallback. */
export interface Speech {
  readonly words: ReportWords
  /** BCP 47. */
  readonly language: string
  number(value: number): string
  percent(value: number): string
  hours(value: number): string
  bytes(value: number): string
  /** Of `yyyy-mm-dd`. */
  day(day: string): string
  shortDay(day: string): string
  moment(at: Date, timeZone: string): string
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

export function getSpeech(wanted: string): Speech {
  const words = languages.get(wanted) ?? en
  const language = languages.has(wanted) ? wanted : 'en'
  const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options)
  const days = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  const plain = numbers({ maximumFractionDigits: 0 })
  const percents = numbers({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const hours = numbers({ style: 'unit', unit: 'hour', unitDisplay: 'short', maximumFractionDigits: 1 })
  const whole = days({ day: 'numeric', month: 'short', year: 'numeric' })
  const short = days({ day: 'numeric', month: 'numeric' })
  const sizes = SIZES.map((unit) =>
    numbers({ style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short', maximumSignificantDigits: 3 }),
  )
  return {
    words,
    language,
    number: (value) => plain.format(value),
    percent: (value) => percents.format(value / 100),
    hours: (value) => hours.format(value),
    bytes(value) {
      const power = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), SIZES.length - 1)
      return (sizes[power] ?? plain).format(value / 1000 ** power)
    },
    day: (day) => whole.format(new Date(`${day}T00:00:00Z`)),
    shortDay: (day) => short.format(new Date(`${day}T00:00:00Z`)),
    moment: (at, timeZone) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at),
  }
}
