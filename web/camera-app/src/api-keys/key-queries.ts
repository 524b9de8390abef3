import type { Client } from '@sightline/client'
import { getApiKeys } from '@sightline/contract/api-keys'
import { queryOptions } from '@tanstack/react-query'

export const apiKeysQuery = (client: Client) =>
  queryOptions({
    queryKey: ['apiKeys'],
    queryFn: ({ signal }) => client.call(getApiKeys, {}, { signal }),
    staleTime: 5000,
  })
