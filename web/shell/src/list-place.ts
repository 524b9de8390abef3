import type { Sort } from '@sightline/kit/table'
import { useCallback, useState } from 'react'

/** Where somebody is in a list. */
export interface ListPlace {
  readonly search: string
  /** Undefined: the order that the list comes in. */
  readonly sort: Sort | undefined
  /** From 0. */
  readonly page: number
}

/** Where that is kept; `push` is a step that going back undoes. */
export interface PlaceInList {
  readonly value: ListPlace
  readonly change: (part: Partial<ListPlace>, how: 'push' | 'replace') => void
}

/** The place kept in the screen alone; another question begins on the first page. */
export function useLocalPlace(question: string, start: ListPlace): PlaceInList {
  const [kept, keep] = useState({ question, place: start })
  const value = kept.question === question ? kept.place : { ...kept.place, page: 0 }
  const change = useCallback(
    (part: Partial<ListPlace>) =>
      keep((before) => {
        const page = before.question === question ? before.place.page : 0
        return { question, place: { ...before.place, page, ...part } }
      }),
    [question],
  )
  return { value, change }
}

/** The place as an address holds it; what it starts with anyway is left out. */
export interface PlaceSearch {
  readonly q?: string | undefined
  /** The column, after `-` where it descends. */
  readonly sort?: string | undefined
  /** From 2: the first page needs no number. */
  readonly page?: number | undefined
}

const LONGEST_SEARCH = 128
const LAST_PAGE = 1000

/** Reads an address that a person may have changed; what makes no sense is left out. */
export function placeIn(search: Readonly<Record<string, unknown>>, columns: readonly string[]): ListPlace {
  const { q, sort, page } = search
  const order =
    typeof sort === 'string' ? { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : undefined
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= LAST_PAGE
  return {
    // A search for digits is a number in an address.
    search: typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, LONGEST_SEARCH) : '',
    sort: order !== undefined && columns.includes(order.column) ? order : undefined,
    page: isPage ? page - 1 : 0,
  }
}

export const searchOfPlace = ({ search, sort, page }: ListPlace): PlaceSearch => ({
  q: search === '' ? undefined : search,
  sort: sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`,
  page: page === 0 ? undefined : page + 1,
})
