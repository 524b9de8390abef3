import { type AuditLog, getAuditLogs, MOST_COUNTED } from '@sightline/contract/audit-logs'
import { rowsPerPageChoices, type TableView } from '@sightline/kit/table'
import { useApplication, useServerRows } from '@sightline/shell'
import { useEffect, useState } from 'react'
import { type AuditFilter, isNarrowing, queryOf } from './audit-filter.ts'

const TYPED_MS = 300

interface AuditLines {
  readonly filter: AuditFilter
  readonly timeZone: string
  readonly change: (filter: AuditFilter) => void
  readonly clear: () => void
}

/** What is typed shows at once and goes into the address when nobody has typed for a moment. */
function useTyped({ filter, change }: Pick<AuditLines, 'filter' | 'change'>) {
  const [typed, type] = useState(filter.search)
  const [known, setKnown] = useState(filter.search)
  const [sent, setSent] = useState(filter.search)
  if (known !== filter.search) {
    setKnown(filter.search)
    // The address comes back with what was typed a moment ago: meanwhile there may be more.
    if (filter.search !== sent) type(filter.search)
  }
  useEffect(() => {
    if (typed === filter.search) return undefined
    const timer = setTimeout(() => {
      setSent(typed)
      change({ ...filter, search: typed })
    }, TYPED_MS)
    return () => clearTimeout(timer)
  }, [typed, filter, change])
  return [typed, type] as const
}

/** The lines that the filter lets through, page by page from the server. */
export function useAuditLines({ filter, timeZone, change, clear }: AuditLines) {
  const { client } = useApplication()
  const [typed, type] = useTyped({ filter, change })
  const query = queryOf(filter, timeZone)
  const { view, error, retry } = useServerRows<AuditLog>({
    name: 'auditLog',
    queryKey: ['auditLogs', query],
    fetch: (wish, _, signal) => client.page(getAuditLogs, { query }, wish, { signal }),
    filter: isNarrowing(filter) ? { onClear: clear } : undefined,
  })
  const counted: TableView<AuditLog> = {
    ...view,
    // The server stops counting there.
    total: view.total === undefined || view.total >= MOST_COUNTED ? undefined : view.total,
    rowsPerPageChoices: rowsPerPageChoices.filter((choice) => choice !== 'all'),
    search: typed,
    onSearch: (text) => type(text),
  }
  return { view: counted, error, retry }
}
