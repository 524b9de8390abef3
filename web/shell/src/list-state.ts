import type { Sort } from '@sightline/kit/table'
import { useCallback, useState } from 'react'

/** The state of a list: search, order and page. */
export interface ListState {
  readonly search: string
  /** Undefined: the default order of the list. */
  readonly sort: Sort | undefined
  /** Starts at 0. */
  readonly page: number
}

/** Where the state is stored. `push` adds a history entry, so the back button undoes it. */
export interface ListStateStore {
  readonly value: ListState
  readonly change: (part: Partial<ListState>, how: 'push' | 'replace') => void
}

/** Keeps the state only in the screen. A new search starts on the first page. */
export function useLocalListState(question: string, start: ListState): ListStateStore {
  const [kept, keep] = useState({ question, place: start })
  const value = kept.question === question ? kept.place : { ...kept.place, page: 0 }
  const change = useCallback(
    (part: Partial<ListState>) =>
      keep((before) => {
        const page = before.question === question ? before.place.page : 0
        return { question, place: { ...before.place, page, ...part } }
      }),
    [question],
  )
  return { value, change }
}

/** The state in the address. Defaults are omitted. */
export interface ListSearch {
  readonly q?: string | undefined
  /** The column, with a leading `-` for descending order. */
  readonly sort?: string | undefined
  /** Starts at 2: the first page needs no number. */
  readonly page?: number | undefined
}

const LONGEST_SEARCH = 128
const LAST_PAGE = 1000

/** Reads an address that a person may have edited. Invalid values are ignored. */
export function parseListState(search: Readonly<Record<string, unknown>>, columns: readonly string[]): ListState {
  const { q, sort, page } = search
  const order =
    typeof sort === 'string' ? { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : undefined
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= LAST_PAGE
  return {
    // A search for digits is parsed as a number in an address.
    search: typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, LONGEST_SEARCH) : '',
    sort: order !== undefined && columns.includes(order.column) ? order : undefined,
    page: isPage ? page - 1 : 0,
  }
}

export const listSearch = ({ search, sort, page }: ListState): ListSearch => ({
  q: search === '' ? undefined : search,
  sort: sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`,
  page: page === 0 ? undefined : page + 1,
})
