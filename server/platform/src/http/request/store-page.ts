import type { ApiError } from '@sightline/contract/errors'
import type { ListRules } from '@sightline/contract/wire'
import type { KeysetEdge, KeysetPage, KeysetQuestion, SortValue } from '../../db/index.ts'
import { fail, ok, type Result } from '../../result/index.ts'
import { invalidParameter } from './invalid-parameter.ts'

/** The list parameters for a list that its store pages; `limit` is always set. */
export interface StoreQuestion extends KeysetQuestion {
  /** A field of the allow-list; defaults to the first. */
  readonly sort: string
  readonly wantsCount: boolean
}

/** A page returned by a handler; `next` and `prev` become the Link header. */
export interface StorePage<Item> {
  readonly items: readonly Item[]
  readonly next: string | undefined
  readonly prev: string | undefined
  readonly total: number | undefined
}

export const isStorePage = (value: unknown): value is StorePage<unknown> =>
  typeof value === 'object' && value !== null && 'items' in value && 'next' in value && 'prev' in value

const DEFAULT_PAGE = 100

type Query = Readonly<Record<string, unknown>>

/** The same checks as for lists paged in memory; the sort of a token must match the request's. */
export function readStoreQuestion(
  rules: ListRules,
  query: Query,
  given: { sort: string; limit: number | undefined; wantsCount: boolean },
): Result<StoreQuestion, ApiError> {
  const asked = given.sort === '' ? (rules.sort[0] ?? rules.key) : given.sort
  const edge = query.pageToken === undefined ? undefined : readEdge(query.pageToken, asked)
  if (edge === 'wrong') {
    return fail(invalidParameter('pageToken', 'must come from a Link header of this list with the same sort order'))
  }
  const { limit = DEFAULT_PAGE, wantsCount } = given
  return ok({ sort: asked.replace(/^-/, ''), descending: asked.startsWith('-'), limit, edge, wantsCount })
}

const writeEdge = ({ go, value, key }: KeysetEdge, sort: string): string =>
  Buffer.from(JSON.stringify([go, value, key, sort])).toString('base64url')

function readEdge(text: unknown, sort: string): KeysetEdge | 'wrong' {
  if (typeof text !== 'string' || text.length > 1000) return 'wrong'
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts)) return 'wrong'
    const [go, value, key, of]: unknown[] = parts
    const isValue = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
    if ((go !== 'next' && go !== 'prev') || !isValue || !Number.isSafeInteger(key) || of !== sort) return 'wrong'
    return { go, value: value as SortValue, key: Number(key) }
  } catch {
    return 'wrong'
  }
}

/** The reply for a page that the store found, with `total` on request. */
export function toStorePage<Row, Item>(
  { rows, hasMore }: KeysetPage<Row>,
  question: StoreQuestion,
  { item, total }: { item: (row: Row) => Item; total?: number | undefined },
): StorePage<Item> {
  const { edge, descending, sort } = question
  const order = `${descending ? '-' : ''}${sort}`
  const tokenAt = (row: KeysetPage<Row>['rows'][number] | undefined, go: KeysetEdge['go']) =>
    row === undefined ? undefined : writeEdge({ go, value: row.keyset_value, key: row.keyset_key }, order)
  const isBack = edge?.go === 'prev'
  return {
    items: rows.map(item),
    next: hasMore || isBack ? tokenAt(rows.at(-1), 'next') : undefined,
    prev: (isBack ? hasMore : edge !== undefined) ? tokenAt(rows[0], 'prev') : undefined,
    total,
  }
}
