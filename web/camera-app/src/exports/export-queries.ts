import type { Client } from '@sightline/client'
import { type FootageExport, getExports } from '@sightline/contract/exports'
import { areStatesFollowed } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

const POLL_MS = 5000

export const isUnfinished = ({ status }: Pick<FootageExport, 'status'>): boolean =>
  status === 'Queued' || status === 'Created' || status === 'InProgress'

/**
 * The exports that the user may see, newest first. Where the server can't tell how they go on (event-states/follow-events.ts), they are asked for again
 * while one of them is being made, and when the tab is looked at.
 */
export const exportsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['exports'],
    queryFn: ({ signal }) => client.call(getExports, {}, { signal }),
    staleTime: () => (areStatesFollowed() ? Number.POSITIVE_INFINITY : POLL_MS),
    refetchInterval: ({ state }) => (!areStatesFollowed() && state.data?.some(isUnfinished) === true ? POLL_MS : false),
    refetchOnWindowFocus: () => (areStatesFollowed() ? false : 'always'),
  })
