import type { Client } from '@sightline/client'
import { getLayouts } from '@sightline/contract/saved-views'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

export const layoutsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['layouts'],
    queryFn: ({ signal }) => client.call(getLayouts, {}, { signal }),
    staleTime: FRESH_MS,
  })
