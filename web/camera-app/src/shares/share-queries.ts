import type { Client } from '@sightline/client'
import { getShares, getShareViews } from '@sightline/contract/shares'
import { areStatesFollowed } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

const POLL_MS = 2000

/**
 * The shares that the user may see, newest first. Where the server can't tell how they go on (event-states/follow-events.ts), they are asked
 * for again while one of them is being prepared, and when the tab is looked at.
 */
export const sharesQuery = (client: Client) =>
  queryOptions({
    queryKey: ['shares'],
    queryFn: ({ signal }) => client.call(getShares, {}, { signal }),
    staleTime: () => (areStatesFollowed() ? Number.POSITIVE_INFINITY : POLL_MS),
    refetchInterval: ({ state }) =>
      !areStatesFollowed() && state.data?.some(({ status }) => status === 'Preparing') === true ? POLL_MS : false,
    refetchOnWindowFocus: () => (areStatesFollowed() ? false : 'always'),
  })

/** When a share was opened, newest first. */
export const shareViewsQuery = (client: Client, shareId: number) =>
  queryOptions({
    queryKey: ['shares', shareId, 'views'],
    queryFn: ({ signal }) => client.call(getShareViews, { params: { shareId } }, { signal }),
  })
