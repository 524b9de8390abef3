import { type AuditLog, getAuditLogs, MOST_COUNTED } from '@sightline/contract/audit-logs'
import type { TableView } from '@sightline/kit/table'
import { type PlaceInList, useApplication, useServerRows } from '@sightline/shell'
import { type AuditFilter, isNarrowing, queryOf } from './audit-filter.ts'

interface AuditLines {
  readonly filter: AuditFilter
  readonly timeZone: string
  readonly place: PlaceInList
  readonly clear: () => void
}

/** The lines that the filter lets through, page by page from the server. */
export function useAuditLines({ filter, timeZone, place, clear }: AuditLines) {
  const { client } = useApplication()
  const query = queryOf(filter, timeZone)
  const { view, error, retry } = useServerRows<AuditLog>({
    name: 'auditLog',
    queryKey: ['auditLogs', query],
    fetch: (wish, _, signal) => client.page(getAuditLogs, { query }, wish, { signal }),
    filter: isNarrowing(filter) ? { onClear: clear } : undefined,
    searches: true,
    place,
  })
  // The server stops counting there.
  const isCounted = view.total !== undefined && view.total < MOST_COUNTED
  const counted: TableView<AuditLog> = { ...view, total: isCounted ? view.total : undefined }
  return { view: counted, error, retry }
}
