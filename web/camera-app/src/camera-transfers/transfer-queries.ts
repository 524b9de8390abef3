import type { Client } from '@sightline/client'
import { getCameraTransfers } from '@sightline/contract/camera-transfers'
import { queryOptions } from '@tanstack/react-query'

const LOOK_EVERY_MS = 15_000

/** Offers that the account made and got; the other side may answer at any time. */
export const transfersQuery = (client: Client) =>
  queryOptions({
    queryKey: ['cameras', 'transfers'],
    queryFn: ({ signal }) => client.call(getCameraTransfers, {}, { signal }),
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  })
