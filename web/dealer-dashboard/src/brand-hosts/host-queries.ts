import type { Client } from '@sightline/client'
import { getBrandHosts } from '@sightline/contract/brand-hosts'
import { queryOptions } from '@tanstack/react-query'

export const hostsQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: ['resellers', resellerId, 'hosts'],
    queryFn: ({ signal }) => client.call(getBrandHosts, { params: { resellerId } }, { signal }),
    staleTime: 5000,
  })
