import type { ListState } from '@sightline/shell'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type AuditLogFilter, filterSearch, noFilter, parseFilter, parsePage } from './audit-filter.ts'

/** Filter and page are only in the address, so links and the back button show the same entries. */
export function useFilterInAddress() {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/audit-log' })
  const filter = useMemo(() => parseFilter({ ...search }), [search])
  const page = parsePage({ ...search })
  const changePlace = useCallback(
    (part: Partial<ListState>, how: 'push' | 'replace') =>
      void router.navigate({
        to: '/audit-log',
        search: (before: Readonly<Record<string, unknown>>) => {
          const now = parseFilter({ ...before })
          return filterSearch({ ...now, search: part.search ?? now.search }, part.page ?? parsePage({ ...before }))
        },
        replace: how === 'replace',
        resetScroll: false,
      }),
    [router],
  )
  const change = useCallback(
    (next: AuditLogFilter) =>
      void router.navigate({ to: '/audit-log', search: filterSearch(next), replace: true, resetScroll: false }),
    [router],
  )
  const clear = useCallback(() => change(noFilter), [change])
  const place = { value: { search: filter.search, sort: undefined, page }, change: changePlace }
  return { filter, place, change, clear }
}
