import type { Client } from '@sightline/client'
import { getConnectedApps } from '@sightline/contract/connected-apps'
import { queryOptions } from '@tanstack/react-query'

/** The third-party applications that may act for the signed-in user. */
export const connectedAppsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/connectedApps'],
    queryFn: ({ signal }) => client.call(getConnectedApps, {}, { signal }),
    staleTime: 0,
  })
