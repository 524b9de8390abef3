import type { Client } from '@sightline/client'
import {
  type Account,
  getAccountUsers,
  getResellerAccount,
  getResellerAccounts,
} from '@sightline/contract/reseller-accounts'
import {
  getAccountSubscription,
  getAccountSubscriptions,
  getSubscriptionPackages,
} from '@sightline/contract/subscriptions'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000
/** The owner can allow or end support at any time, often during a call with support. */
const LOOK_AGAIN_MS = 5000
const AT_ONCE = 500

/** The ids of an account in the tree, as in addresses. */
export interface AccountIds {
  readonly resellerId: string
  readonly accountId: string
}

export const accountsKey = (resellerId: string) => ['resellers', resellerId, 'accounts'] as const

/** The server's data about one account, each under its path. */
export function accountQueries(client: Client, params: AccountIds) {
  const path = ['resellers', params.resellerId, 'account', params.accountId] as const
  return {
    account: queryOptions({
      queryKey: [...path, 'self'],
      queryFn: ({ signal }) => client.call(getResellerAccount, { params }, { signal }),
      staleTime: FRESH_MS,
      refetchInterval: LOOK_AGAIN_MS,
    }),
    users: queryOptions({
      queryKey: [...path, 'users'],
      queryFn: ({ signal }) => client.call(getAccountUsers, { params }, { signal }),
      staleTime: FRESH_MS,
    }),
    subscription: queryOptions({
      queryKey: [...path, 'subscription'],
      queryFn: ({ signal }) => client.call(getAccountSubscription, { params }, { signal }),
      staleTime: FRESH_MS,
    }),
    packages: queryOptions({
      queryKey: [...path, 'packages'],
      queryFn: ({ signal }) =>
        client.call(getAccountSubscriptions, { params, query: { available: 'true' } }, { signal }),
    }),
  }
}

export const packagesQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: ['resellers', resellerId, 'packages'],
    queryFn: async ({ signal }) => {
      const packages = await client.call(getSubscriptionPackages, { params: { resellerId } }, { signal })
      return packages.filter(({ available }) => available)
    },
  })

/** All accounts of a reseller that the user may manage, by name, for selection lists. */
export const everyAccountQuery = (client: Client, resellerId: string) =>
  queryOptions({
    queryKey: [...accountsKey(resellerId), 'every'],
    queryFn: async ({ signal }) => {
      const accounts: Account[] = []
      let pageToken: string | undefined
      do {
        const wish = { limit: AT_ONCE, sort: 'name', ...(pageToken === undefined ? {} : { pageToken }) }
        const page = await client.page(getResellerAccounts, { params: { resellerId } }, wish, { signal })
        accounts.push(...page.rows)
        pageToken = page.next
      } while (pageToken !== undefined)
      return accounts
    },
    staleTime: FRESH_MS,
  })

/** Reloads the figures above the list of accounts and on the insights page. */
export function refetchInsights(queries: QueryClient, resellerId: string): void {
  void queries.invalidateQueries({ queryKey: ['resellers', resellerId, 'insights'] })
}

/** Reloads all data about accounts. */
export function refetchAccount(queries: QueryClient, { resellerId, accountId }: AccountIds): void {
  void queries.invalidateQueries({ queryKey: accountsKey(resellerId) })
  void queries.invalidateQueries({ queryKey: ['resellers', resellerId, 'account', accountId] })
  refetchInsights(queries, resellerId)
}
