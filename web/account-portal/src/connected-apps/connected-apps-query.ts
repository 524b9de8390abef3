import type { Client } from '@sightline/client'
import { getConnectedApps } from '@sightline/contract/connected-apps'
import { queryOptions } from '@tanstack/react-query'

/** The third-party applications that the signed-in user allowed to act for them. */
export const connectedAppsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/connectedApps'],
    queryFn: ({ signal }) => client.call(getConnectedApps, {}, { signal }),
    staleTime: 0,
  })
