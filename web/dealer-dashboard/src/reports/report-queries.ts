import type { Client } from '@sightline/client'
import { getResellerReports } from '@sightline/contract/reports'
import { queryOptions } from '@tanstack/react-query'

export const resellerReportsKey = (resellerId: string) => ['resellers', resellerId, 'reports'] as const

export const resellerReportsQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: resellerReportsKey(resellerId),
    queryFn: ({ signal }) => client.call(getResellerReports, { params: { resellerId } }, { signal }),
    staleTime: 5000,
  })
