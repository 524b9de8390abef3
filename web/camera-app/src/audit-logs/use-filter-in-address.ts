import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type AuditFilter, filterOf, noFilter, searchOf } from './audit-filter.ts'

/** The filter stands in the address alone: a link to it shows the same, and so does going back. */
export function useFilterInAddress() {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/audit-log' })
  const filter = useMemo(() => filterOf({ ...search }), [search])
  const change = useCallback(
    (next: AuditFilter) =>
      void router.navigate({ to: '/audit-log', search: searchOf(next), replace: true, resetScroll: false }),
    [router],
  )
  const clear = useCallback(() => change(noFilter), [change])
  return { filter, change, clear }
}
