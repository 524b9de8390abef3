import type { Client } from '@sightline/client'
import { getAuditLogs } from '@sightline/contract/audit-logs'
import { getSupportAccess } from '@sightline/contract/support-access'
import { getSupportSessions } from '@sightline/contract/support-sessions'
import { queryOptions } from '@tanstack/react-query'

const ASK_EVERY_MS = 5000
/** The most recent actions; the audit log has all of them. */
const MOST_LINES = 10

export const supportQueries = (client: Client) => ({
  access: queryOptions({
    queryKey: ['users/self/status'],
    queryFn: ({ signal }) => client.call(getSupportAccess, {}, { signal }),
  }),
  /** The same query as the banner's. */
  sessions: queryOptions({
    queryKey: ['accounts/self/supportSessions'],
    queryFn: ({ signal }) => client.call(getSupportSessions, {}, { signal }),
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  }),
  lines: queryOptions({
    queryKey: ['auditLogs', 'staffOnly', MOST_LINES],
    async queryFn({ signal }) {
      const page = await client.page(getAuditLogs, { query: { staffOnly: 'true' } }, { limit: MOST_LINES }, { signal })
      return page.rows
    },
    refetchInterval: 4 * ASK_EVERY_MS,
    staleTime: 0,
  }),
})
