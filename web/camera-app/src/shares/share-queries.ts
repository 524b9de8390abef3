import type { Client } from '@sightline/client'
import { getShares, getShareViews } from '@sightline/contract/shares'
import { queryOptions } from '@tanstack/react-query'

const POLL_MS = 2000

/** The shares that the user may see, newest first. Asked again only while one of them is being prepared, or when the tab is looked at. */
export const sharesQuery = (client: Client) =>
  queryOptions({
    queryKey: ['shares'],
    queryFn: ({ signal }) => client.call(getShares, {}, { signal }),
    staleTime: POLL_MS,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'Preparing') === true ? POLL_MS : false,
    refetchOnWindowFocus: 'always',
  })

/** When a share was opened, newest first. */
export const shareViewsQuery = (client: Client, shareId: number) =>
  queryOptions({
    queryKey: ['shares', shareId, 'views'],
    queryFn: ({ signal }) => client.call(getShareViews, { params: { shareId } }, { signal }),
  })
