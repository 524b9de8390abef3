import { type ListSearch, type ListState, listSearch, parseListState } from '@sightline/shell'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

type Parameters = Readonly<Record<string, unknown>>

/** How the state of a list is written in the address of its page. */
export interface AddressFormat<State extends ListState> {
  /** Reads an address that a person may have edited. Invalid values are ignored. */
  readonly parse: (search: Parameters) => State
  readonly format: (state: State) => ListSearch
}

/** A list without filters that the server sorts by these columns. */
export const sortedList = (...columns: readonly string[]): AddressFormat<ListState> => ({
  parse: (search) => parseListState(search, columns),
  format: listSearch,
})

/** The parameters that stay in the address, so that invalid values are removed. */
export const cleanSearch =
  <State extends ListState>({ parse, format }: AddressFormat<State>) =>
  (search: Parameters): ListSearch =>
    format(parse(search))

/** Search, order, page and filters are only in the address, so links and the back button show the same rows. */
export function useListInAddress<State extends ListState>({ parse, format }: AddressFormat<State>) {
  const router = useRouter()
  const search = useSearch({ strict: false })
  const value = useMemo(() => parse({ ...search }), [parse, search])
  const change = useCallback(
    (part: Partial<State>, how: 'push' | 'replace') =>
      void router.navigate({
        to: '.',
        search: (before: Parameters) => format({ ...parse(before), ...part }),
        replace: how === 'replace',
        resetScroll: false,
      }),
    [router, parse, format],
  )
  return { value, change }
}
