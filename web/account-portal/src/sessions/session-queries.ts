import type { Client } from '@sightline/client'
import { getLockdown } from '@sightline/contract/lockdown'
import { getSessions } from '@sightline/contract/sessions'
import { getSignIns } from '@sightline/contract/sign-in-history'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

const ASK_EVERY_MS = 30_000
const LINES_AT_ONCE = 10

export const sessionQueries = (client: Client) => ({
  sessions: queryOptions({
    queryKey: ['users/self/sessions'],
    queryFn: ({ signal }) => client.call(getSessions, {}, { signal }),
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  }),
  signIns: infiniteQueryOptions({
    queryKey: ['users/self/signIns'],
    queryFn: ({ signal, pageParam }) =>
      client.page(getSignIns, {}, { limit: LINES_AT_ONCE, pageToken: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  }),
  loss: queryOptions({
    queryKey: ['users/self/lockdown'],
    queryFn: ({ signal }) => client.call(getLockdown, {}, { signal }),
    staleTime: 0,
    gcTime: 0,
  }),
})
