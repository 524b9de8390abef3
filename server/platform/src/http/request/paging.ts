import { MAX_PAGE_SIZE } from '@sightline/contract/conventions'
import type { ApiError } from '@sightline/contract/errors'
import type { ListRules } from '@sightline/contract/wire'
import { fail, ok, type Result } from '../../result/index.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { readStoreQuestion, type StoreQuestion } from './store-page.ts'

/** Where a page begins or ends: at an item with a known key, or at its position if it no longer exists. */
interface PageToken {
  readonly go: 'next' | 'prev'
  readonly key: unknown
  readonly at: number
  /** A page has the order of the page before it. */
  readonly sort: string
}

/** The list parameters of a request (api.md §2.3). */
export interface ListQuestion {
  /** A field of the allow-list, with `-` before it for descending; empty for the list's own order. */
  readonly sort: string
  readonly limit: number | undefined
  readonly token: PageToken | undefined
  readonly wantsCount: boolean
}

/** A part of a list; `next` and `prev` are the tokens of the parts after and before it. */
export interface ListPage {
  readonly items: readonly unknown[]
  readonly next: string | undefined
  readonly prev: string | undefined
}

type Query = Readonly<Record<string, unknown>>

/** The list parameters of a query; undefined for the whole list in its default order. */
export function readListQuestion(
  rules: ListRules,
  query: Query,
): Result<ListQuestion | StoreQuestion | undefined, ApiError> {
  const isAsked = ['sort', 'limit', 'pageToken', 'count'].some((name) => query[name] !== undefined)
  if (!isAsked && rules.defaultLimit === 'all' && rules.pagedBy === undefined) return ok(undefined)
  const { sort = '', count = 'false', pageToken } = query
  if (typeof sort !== 'string' || (sort !== '' && !isKnownSort(rules, sort))) {
    return fail(
      invalidParameter('sort', `must be one of ${rules.sort.join(', ')}, with a leading - to reverse the order`),
    )
  }
  if (count !== 'true' && count !== 'false') return fail(invalidParameter('count', 'must be true or false'))
  const limit = limitOf(query.limit, rules)
  if (limit === 'wrong') return fail(invalidParameter('limit', `must be 1 to ${MAX_PAGE_SIZE}`))
  if (rules.pagedBy === 'store') return readStoreQuestion(rules, query, { sort, limit, wantsCount: count === 'true' })
  const token = pageToken === undefined ? undefined : readToken(pageToken)
  if (token === 'wrong' || (token !== undefined && token.sort !== sort)) {
    return fail(invalidParameter('pageToken', 'must come from a Link header of this list with the same sort order'))
  }
  return ok({ sort, limit, token, wantsCount: count === 'true' })
}

/** `lastLogin` is also known if the list has `-lastLogin` first. */
const isKnownSort = ({ sort }: ListRules, asked: string): boolean =>
  sort.some((known) => known.replace(/^-/, '') === asked.replace(/^-/, ''))

function limitOf(given: unknown, { defaultLimit }: ListRules): number | undefined | 'wrong' {
  if (given === undefined) return defaultLimit === 'all' ? undefined : defaultLimit
  const limit = typeof given === 'string' && /^[0-9]{1,3}$/.test(given) ? Number(given) : 0
  return limit >= 1 && limit <= MAX_PAGE_SIZE ? limit : 'wrong'
}

const writeToken = ({ go, key, at, sort }: PageToken): string =>
  Buffer.from(JSON.stringify([go, key, at, sort])).toString('base64url')

function readToken(text: unknown): PageToken | 'wrong' {
  if (typeof text !== 'string' || text.length > 500) return 'wrong'
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts)) return 'wrong'
    const [go, key, at, sort]: unknown[] = parts
    const isOurs = (go === 'next' || go === 'prev') && Number.isSafeInteger(at) && typeof sort === 'string'
    return isOurs ? { go, key, at: Number(at), sort } : 'wrong'
  } catch {
    return 'wrong'
  }
}

/** The value at a dot path; undefined if it doesn't exist. */
const valueAt = (item: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      item,
    )

/** Missing values come first; texts sort by code units, so that the order is the same everywhere. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  return (a as string | number | boolean) < (b as string | number | boolean) ? -1 : 1
}

function sorted(items: readonly unknown[], sort: string): readonly unknown[] {
  if (sort === '') return items
  const field = sort.replace(/^-/, '')
  const direction = sort.startsWith('-') ? -1 : 1
  return items
    .map((item) => ({ item, value: valueAt(item, field) }))
    .sort((a, b) => direction * compare(a.value, b.value))
    .map(({ item }) => item)
}

/**
 * The requested part of `all`. Pages start at items, not at numbers, so that an item added or removed elsewhere in the
 * list neither repeats nor hides another.
 */
export function paginate(all: readonly unknown[], rules: ListRules, question: ListQuestion): ListPage {
  const { sort, limit = all.length, token } = question
  const items = sorted(all, sort)
  const start = startOf(items, rules.key, { limit, token })
  const end = Math.min(start + limit, items.length)
  const tokenAt = (go: PageToken['go'], at: number) => writeToken({ go, key: valueAt(items[at], rules.key), at, sort })
  return {
    items: items.slice(start, end),
    next: end < items.length ? tokenAt('next', end - 1) : undefined,
    prev: start > 0 && start < items.length ? tokenAt('prev', start) : undefined,
  }
}

function startOf(
  items: readonly unknown[],
  key: string,
  { limit, token }: { limit: number; token: PageToken | undefined },
): number {
  if (token === undefined) return 0
  const found = items.findIndex((item) => valueAt(item, key) === token.key)
  if (token.go === 'prev') return Math.max(0, (found === -1 ? token.at : found) - limit)
  // The next item took its position.
  return Math.min(items.length, found === -1 ? Math.max(0, token.at) : found + 1)
}
