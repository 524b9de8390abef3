import type { Client } from '@sightline/client'
import { getSubscriptionPackages } from '@sightline/contract/subscriptions'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

const keyOf = (resellerId: string) => ['resellers', resellerId, 'subscriptionPackages'] as const

/** Every package of a reseller, retired ones too. */
export const allPackagesQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: keyOf(resellerId),
    queryFn: ({ signal }) => client.call(getSubscriptionPackages, { params: { resellerId } }, { signal }),
    staleTime: 5000,
  })

/** Makes every list of packages of the reseller be asked for again, also those to choose from. */
export function refetchPackages(queries: QueryClient, resellerId: string): void {
  void queries.invalidateQueries({ queryKey: keyOf(resellerId) })
  void queries.invalidateQueries({ queryKey: ['resellers', resellerId, 'packages'] })
}
