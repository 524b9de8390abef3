import type { Client } from '@sightline/client'
import { getAuditActions } from '@sightline/contract/audit-logs'
import { getUsers } from '@sightline/contract/sub-users'
import { queryOptions } from '@tanstack/react-query'

const KNOWN_MS = 300_000

/** The options of the filters. */
export const auditQueries = (client: Client) => ({
  actions: queryOptions({
    queryKey: ['auditLogs', 'actions'],
    queryFn: ({ signal }) => client.call(getAuditActions, {}, { signal }),
    staleTime: KNOWN_MS,
  }),
  people: queryOptions({
    queryKey: ['people', 'of the audit log'],
    queryFn: async ({ signal }) => {
      const { rows } = await client.page(getUsers, {}, { limit: 500, sort: 'name' }, { signal })
      return rows.map(({ userId, firstName, lastName }) => ({ userId, name: `${firstName} ${lastName}` }))
    },
    staleTime: KNOWN_MS,
  }),
})
