import type { ListPlace } from '@sightline/shell'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type AuditFilter, filterOf, noFilter, pageIn, searchOf } from './audit-filter.ts'

/** Filter and page are only in the address, so links and the back button show the same entries. */
export function useFilterInAddress() {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/audit-log' })
  const filter = useMemo(() => filterOf({ ...search }), [search])
  const page = pageIn({ ...search })
  const changePlace = useCallback(
    (part: Partial<ListPlace>, how: 'push' | 'replace') =>
      void router.navigate({
        to: '/audit-log',
        search: (before: Readonly<Record<string, unknown>>) => {
          const now = filterOf({ ...before })
          return searchOf({ ...now, search: part.search ?? now.search }, part.page ?? pageIn({ ...before }))
        },
        replace: how === 'replace',
        resetScroll: false,
      }),
    [router],
  )
  const change = useCallback(
    (next: AuditFilter) =>
      void router.navigate({ to: '/audit-log', search: searchOf(next), replace: true, resetScroll: false }),
    [router],
  )
  const clear = useCallback(() => change(noFilter), [change])
  const place = { value: { search: filter.search, sort: undefined, page }, change: changePlace }
  return { filter, place, change, clear }
}
