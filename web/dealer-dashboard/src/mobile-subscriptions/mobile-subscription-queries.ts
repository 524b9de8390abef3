import type { Client } from '@sightline/client'
import { getMobileSubscriptions } from '@sightline/contract/mobile-subscriptions'
import { queryOptions } from '@tanstack/react-query'

/** The ids of an account in the tree, as in addresses. */
export interface AccountParams {
  readonly resellerId: string
  readonly accountId: string
}

export const mobileSubscriptionsQuery = (client: Client, params: AccountParams) =>
  queryOptions({
    queryKey: ['resellers', params.resellerId, 'account', params.accountId, 'mobileSubscriptions'],
    queryFn: ({ signal }) => client.call(getMobileSubscriptions, { params }, { signal }),
    staleTime: 5000,
  })
