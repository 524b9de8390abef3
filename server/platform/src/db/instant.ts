import { type ColumnType, type Expression, sql } from 'kysely'
import type { EpochMs } from '../clock/index.ts'

/**
 * A `timestamptz` column: read as milliseconds since 1970, written and compared with `instant(ms)`, because the server
 * doesn't accept a bare number as a time.
 */
export type Instant = ColumnType<EpochMs, Expression<EpochMs>, Expression<EpochMs>>
/** The same, set by the server by default (`default now()`). */
export type DefaultedInstant = ColumnType<EpochMs, Expression<EpochMs> | undefined, Expression<EpochMs>>
export type NullableInstant = ColumnType<
  EpochMs | null,
  Expression<EpochMs> | null | undefined,
  Expression<EpochMs> | null
>

/**
 * A time as a parameter of a query: `.where('expires_at', '<', instant(clock.now()))`.
 * @throws RangeError outside ±8.64e15 ms; infinities are allowed.
 */
export function instant(ms: EpochMs): Expression<EpochMs> {
  return sql<EpochMs>`${textOf(ms)}::timestamptz`
}

function textOf(ms: EpochMs): string {
  if (ms === Number.POSITIVE_INFINITY) return 'infinity'
  if (ms === Number.NEGATIVE_INFINITY) return '-infinity'
  return new Date(ms).toISOString()
}
