import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ListState } from '../list-state.ts'
import { type AuditLogFilter, filterSearch, noFilter, parseFilter, parsePage } from './audit-filter.ts'

type Parameters = Readonly<Record<string, unknown>>

/** Filter and page are only in the address, so links and the back button show the same entries. */
export function useFilterInAddress() {
  const router = useRouter()
  const search: Parameters = useSearch({ strict: false })
  const filter = useMemo(() => parseFilter(search), [search])
  const page = parsePage(search)
  const changePlace = useCallback(
    (part: Partial<ListState>, how: 'push' | 'replace') =>
      void router.navigate({
        to: '.',
        search: (before: Parameters) => {
          const now = parseFilter(before)
          return filterSearch({ ...now, search: part.search ?? now.search }, part.page ?? parsePage(before))
        },
        replace: how === 'replace',
        resetScroll: false,
      }),
    [router],
  )
  const change = useCallback(
    (next: AuditLogFilter) =>
      void router.navigate({ to: '.', search: () => filterSearch(next), replace: true, resetScroll: false }),
    [router],
  )
  const clear = useCallback(() => change(noFilter), [change])
  const place = { value: { search: filter.search, sort: undefined, page }, change: changePlace }
  return { filter, place, change, clear }
}
