import type { Client } from '@sightline/client'
import { getFeatureFlags } from '@sightline/contract/users'
import { accountQueries } from '@sightline/shell'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

export const flagsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/featureFlags'],
    queryFn: ({ signal }) => client.call(getFeatureFlags, {}, { signal }),
  })

/** Asks for all of it at once, before the screen that shows it has even been loaded; what fails is told by the screen. */
export function prefetchAccount(client: Client, queries: QueryClient): void {
  const { user, details, rights, timeZone } = accountQueries(client)
  void queries.prefetchQuery(user)
  void queries.prefetchQuery(details)
  void queries.prefetchQuery(rights)
  void queries.prefetchQuery(flagsQuery(client))
  void queries.prefetchQuery(timeZone)
}
