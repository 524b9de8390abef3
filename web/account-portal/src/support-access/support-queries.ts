import type { Client } from '@sightline/client'
import { getAuditLogs } from '@sightline/contract/audit-logs'
import { getSupportAccess } from '@sightline/contract/support-access'
import { supportSessionsQuery } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

const ASK_EVERY_MS = 20_000
/** The most recent actions; the audit log has all of them. */
const MOST_LINES = 10

export const supportQueries = (client: Client) => ({
  access: queryOptions({
    queryKey: ['users/self/status'],
    queryFn: ({ signal }) => client.call(getSupportAccess, {}, { signal }),
  }),
  sessions: supportSessionsQuery(client),
  lines: queryOptions({
    queryKey: ['auditLogs', 'staffOnly', MOST_LINES],
    async queryFn({ signal }) {
      const page = await client.page(getAuditLogs, { query: { staffOnly: 'true' } }, { limit: MOST_LINES }, { signal })
      return page.rows
    },
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  }),
})
