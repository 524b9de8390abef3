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
  const ms = text.endsWith('+00') ? Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new RangeError(`timestamptz ${text}: expected a time in UTC, years 0001 to 9999`)
  return ms
}

function eachOf(parse: (text: string) => unknown): (text: string) => unknown {
  const asTexts = pg.types.getTypeParser(TEXT_ARRAY as typeof pg.types.builtins.TEXT)
  return (array) => asTexts(array).map((item: string | null) => (item === null ? null : parse(item)))
}
