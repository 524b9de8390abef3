import type { Client } from '@sightline/client'
import { type FootageExport, getExports } from '@sightline/contract/exports'
import { queryOptions } from '@tanstack/react-query'

const POLL_MS = 1500

export const isUnfinished = ({ status }: Pick<FootageExport, 'status'>): boolean =>
  status === 'Queued' || status === 'Created' || status === 'InProgress'

/** The exports that the user may see, newest first. Asked again only while one of them is being made, or when the tab is looked at. */
export const exportsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['exports'],
    queryFn: ({ signal }) => client.call(getExports, {}, { signal }),
    staleTime: POLL_MS,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) === true ? POLL_MS : false),
    refetchOnWindowFocus: 'always',
  })
