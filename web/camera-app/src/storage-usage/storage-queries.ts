import type { Client } from '@sightline/client'
import { getAccountUsage, getStorageUsage } from '@sightline/contract/storage-usage'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { StorageSearch } from './days-in-address.ts'

const FRESH_MS = 5000
const own = { params: { accountId: 'self' } } as const

/** The account's usage and storage, each under its path. */
export const storageQueries = (client: Client) => ({
  usage: queryOptions({
    queryKey: ['accounts/self/usage'],
    queryFn: ({ signal }) => client.call(getAccountUsage, own, { signal }),
    staleTime: FRESH_MS,
  }),
  storage: ({ from, till }: StorageSearch) =>
    queryOptions({
      queryKey: ['accounts/self/storage', from, till],
      queryFn: ({ signal }) =>
        client.call(
          getStorageUsage,
          { ...own, query: from === undefined || till === undefined ? {} : { from, till } },
          { signal },
        ),
      staleTime: FRESH_MS,
      // The plot stays while other days load.
      placeholderData: keepPreviousData,
    }),
})
