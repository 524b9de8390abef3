import type { Client } from '@sightline/client'
import { getDistributor } from '@sightline/contract/distributors'
import { queryOptions } from '@tanstack/react-query'

export const distributorQuery = (client: Client, distributorId: string) =>
  queryOptions({
    queryKey: ['distributors', distributorId, 'self'],
    queryFn: ({ signal }) => client.call(getDistributor, { params: { distributorId } }, { signal }),
    staleTime: 5000,
  })
