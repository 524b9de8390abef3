import type { Client } from '@sightline/client'
import { getSubscriptionPackages } from '@sightline/contract/subscriptions'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

const keyOf = (resellerId: string) => ['resellers', resellerId, 'subscriptionPackages'] as const

/** All packages of a reseller, including retired ones. */
export const allPackagesQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: keyOf(resellerId),
    queryFn: ({ signal }) => client.call(getSubscriptionPackages, { params: { resellerId } }, { signal }),
    staleTime: 5000,
  })

/** Reloads all lists of the reseller's packages, including selection lists. */
export function refetchPackages(queries: QueryClient, resellerId: string): void {
  void queries.invalidateQueries({ queryKey: keyOf(resellerId) })
  void queries.invalidateQueries({ queryKey: ['resellers', resellerId, 'packages'] })
}
