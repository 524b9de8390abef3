import type { Client } from '@sightline/client'
import { getTimeZone } from '@sightline/contract/accounts'
import { getUserDetails } from '@sightline/contract/user-details'
import { getFeatureFlags, getOwnRights, getUser } from '@sightline/contract/users'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

/** What the server knows of the signed-in user, each under its path. */
export const accountQueries = (client: Client) => ({
  user: queryOptions({ queryKey: ['users/self'], queryFn: ({ signal }) => client.call(getUser, {}, { signal }) }),
  details: queryOptions({
    queryKey: ['users/self/details'],
    queryFn: ({ signal }) => client.call(getUserDetails, {}, { signal }),
  }),
  rights: queryOptions({
    queryKey: ['users/self/rights'],
    queryFn: ({ signal }) => client.call(getOwnRights, {}, { signal }),
  }),
  flags: queryOptions({
    queryKey: ['users/self/featureFlags'],
    queryFn: ({ signal }) => client.call(getFeatureFlags, {}, { signal }),
  }),
  timeZone: queryOptions({
    queryKey: ['accounts/self/timeZone'],
    queryFn: ({ signal }) => client.call(getTimeZone, {}, { signal }),
  }),
})

/** Asks for all of it at once, before the screen that shows it has even been loaded; what fails is told by the screen. */
export function prefetchAccount(client: Client, queries: QueryClient): void {
  const { user, details, rights, flags, timeZone } = accountQueries(client)
  void queries.prefetchQuery(user)
  void queries.prefetchQuery(details)
  void queries.prefetchQuery(rights)
  void queries.prefetchQuery(flags)
  void queries.prefetchQuery(timeZone)
}
