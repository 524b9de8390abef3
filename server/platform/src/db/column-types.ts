import pg from 'pg'
import type { EpochMs } from '../clock/index.ts'

const INT8 = 20
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184
const INT8_ARRAY = 1016
const DATE_ARRAY = 1182
const TIMESTAMPTZ_ARRAY = 1185
/** The driver's list of type ids has no arrays. */
const TEXT_ARRAY: number = 1009

/**
 * How a column arrives in JavaScript if the driver's own choice is lossy or needs a time zone: `bigint` as number (an
 * error beyond 2^53), `timestamptz` as milliseconds since 1970, `date` and `timestamp` as text. `numeric` stays text.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    const parser = format === 'binary' ? undefined : parsers.get(oid)
    return parser ?? pg.types.getTypeParser(oid, format as 'text')
  },
}

const keepText = (text: string): string => text

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, parseInt8],
  [DATE, keepText],
  [TIMESTAMP, keepText],
  [TIMESTAMPTZ, parseTimestamp],
  [INT8_ARRAY, eachOf(parseInt8)],
  [DATE_ARRAY, eachOf(keepText)],
  [TIMESTAMPTZ_ARRAY, eachOf(parseTimestamp)],
])

export function parseInt8(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint ${text} does not fit a JavaScript number (2^53)`)
  return number
}

/**
 * `2026-11-21 10:02:11.123+00`, as the server writes it in time zone UTC and date style ISO; microseconds are cut.
 * `infinity` and `-infinity` are the numbers of that name.
 */
export function parseTimestamp(text: string): EpochMs {
  if (text === 'infinity') return Number.POSITIVE_INFINITY
  if (text === '-infinity') return Number.NEGATIVE_INFINITY
  const isAsExpected = text.charAt(DATE_LENGTH) === ' ' && text.endsWith('+00')
  const ms = isAsExpected ? startOfDay(text.slice(0, DATE_LENGTH)) + timeOfDay(text) : Number.NaN
  if (Number.isNaN(ms)) throw new RangeError(`timestamptz ${text}: expected a time in UTC, years 0001 to 9999`)
  return ms
}

const DATE_LENGTH = 10
let latestDay = { date: '', start: Number.NaN }

/** Rows mostly have the day of the row before; parsing whole texts took five times as long. */
function startOfDay(date: string): EpochMs {
  if (date !== latestDay.date) latestDay = { date, start: Date.parse(date) }
  return latestDay.start
}

/** Milliseconds of `hh:mm:ss` and up to three decimals, from the 11th character on. */
function timeOfDay(text: string): number {
  let ms = (twoDigits(text, 11) * 3600 + twoDigits(text, 14) * 60 + twoDigits(text, 17)) * 1000
  const end = Math.min(text.length - '+00'.length, 23)
  for (let at = 20, worth = 100; at < end; at += 1, worth /= 10) ms += digit(text, at) * worth
  return ms
}

const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48

function eachOf(parse: (text: string) => unknown): (text: string) => unknown {
  const asTexts = pg.types.getTypeParser(TEXT_ARRAY as typeof pg.types.builtins.TEXT)
  return (array) => asTexts(array).map((item: string | null) => (item === null ? null : parse(item)))
}
