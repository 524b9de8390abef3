import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from './schema.ts'

/** A value that rows are sorted by: a column, or a combination of several. */
export type SortValue = string | number

/** Where a page begins: after (or, going back, before) the row with that value and key. */
export interface KeysetEdge {
  readonly go: 'next' | 'prev'
  readonly value: SortValue
  readonly key: number
}

export interface KeysetQuestion {
  readonly descending: boolean
  readonly limit: number
  readonly edge: KeysetEdge | undefined
}

export interface KeysetOrder {
  /** What rows are sorted by; never null. An index on it and the key makes every page as fast as the first. */
  readonly by: RawBuilder<SortValue>
  /** Distinguishes rows with the same value. */
  readonly key: RawBuilder<number>
  /** Converts a value for SQL if it isn't text or a number there. */
  readonly toSql?: (value: SortValue) => RawBuilder<SortValue>
}

export interface KeysetPage<Row> {
  readonly rows: readonly (Row & { readonly keyset_value: SortValue; readonly keyset_key: number })[]
  /** Whether there is more in the direction that was gone. */
  readonly hasMore: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: whichever tables the query joins
type Query<Row> = SelectQueryBuilder<Database, any, Row>

/** Pages by key instead of by offset: page 10,000 costs as much as the first. */
export async function keysetPage<Row>(
  query: Query<Row>,
  { by, key, toSql = (value) => sql<SortValue>`${value}` }: KeysetOrder,
  { descending, limit, edge }: KeysetQuestion,
): Promise<KeysetPage<Row>> {
  const isBack = edge?.go === 'prev'
  const direction = descending !== isBack ? sql`desc` : sql`asc`
  const beyond = descending !== isBack ? sql`<` : sql`>`
  const narrowed =
    edge === undefined
      ? query
      : query.where(sql<boolean>`(${by}, ${key}) ${beyond} (${toSql(edge.value)}, ${edge.key})`)
  const found = await narrowed
    .select([by.as('keyset_value'), key.as('keyset_key')])
    .orderBy(sql`${by} ${direction}, ${key} ${direction}`)
    .limit(limit + 1)
    .execute()
  const rows = found.slice(0, limit) as unknown as KeysetPage<Row>['rows'][number][]
  return { rows: isBack ? rows.reverse() : rows, hasMore: found.length > limit }
}
