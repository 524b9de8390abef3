import { ApiFailure, type Client } from '@sightline/client'
import { getAccountUsage } from '@sightline/contract/storage-usage'
import {
  type AccountSubscription,
  getCurrentSubscription,
  getSubscriptions,
  patchSubscription,
  type SubscriptionChoice,
} from '@sightline/contract/subscriptions'
import { useApplication, useSave } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { useSubscriptionText } from './text.ts'

/** Self-service clients use this reseller id, whatever their reseller is (specification §9). */
const SELF_SERVICE_RESELLER_ID = 255

const orNone = (failure: unknown): null => {
  if (failure instanceof ApiFailure && failure.status === 404) return null
  throw failure
}

export const subscriptionQueries = (client: Client) => ({
  /** Null if the account has none. */
  current: queryOptions({
    queryKey: ['accounts/self/subscriptions/current'],
    queryFn: ({ signal }): Promise<AccountSubscription | null> =>
      client.call(getCurrentSubscription, { params: { accountId: 'self' } }, { signal }).catch(orNone),
    staleTime: 0,
  }),
  usage: queryOptions({
    queryKey: ['accounts/self/usage'],
    queryFn: ({ signal }) => client.call(getAccountUsage, { params: { accountId: 'self' } }, { signal }),
    staleTime: 0,
  }),
  /** All packages of the brand, including unavailable ones: the next subscription may be one of them. */
  packages: queryOptions({
    queryKey: ['accounts/self/subscriptions'],
    queryFn: ({ signal }) => client.call(getSubscriptions, { params: { accountId: 'self' } }, { signal }),
    staleTime: 0,
  }),
})

/** Error codes for a choice. Network errors have their own texts. */
const ANSWERED = [1, 2, 3, 4, 5, 6, 7, 9, 16]
const always = (text: string) => Object.fromEntries(ANSWERED.map((code) => [code, text]))

/** Chooses, renews or cancels a subscription; true if it succeeded. Then reloads the lists. */
export function useSubscriptionChange() {
  const { client, queries } = useApplication()
  const t = useSubscriptionText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const change = async (body: SubscriptionChoice): Promise<boolean> => {
    const isEnd = body.nextSubscriptionPackageId === -1
    setBusy(true)
    const params = { resellerId: SELF_SERVICE_RESELLER_ID, accountId: 'self' } as const
    const outcome = await save(() => client.call(patchSubscription, { params, body }), {
      success: t(isEnd ? 'Subscription was canceled successfully' : 'Subscription was prolonged successfully'),
      messages: always(t(isEnd ? 'Error while canceling subscription' : 'Error while updating subscription')),
    })
    const { current, packages } = subscriptionQueries(client)
    if ('saved' in outcome) queries.setQueryData(current.queryKey, outcome.saved)
    await queries.invalidateQueries({ queryKey: packages.queryKey })
    await queries.invalidateQueries({ queryKey: current.queryKey })
    setBusy(false)
    return 'saved' in outcome
  }
  return { busy, change }
}
