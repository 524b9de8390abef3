import type { Client } from '@sightline/client'
import { getZone, getZones } from '@sightline/contract/zones'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

/** The server's data about zones, each under its path. */
export const zoneQueries = (client: Client) => ({
  list: queryOptions({
    queryKey: ['zones'],
    queryFn: ({ signal }) => client.call(getZones, {}, { signal }),
    staleTime: FRESH_MS,
  }),
  zone: (zoneId: number) =>
    queryOptions({
      queryKey: ['zones', zoneId],
      queryFn: ({ signal }) => client.tagged(getZone, { params: { zoneId } }, { signal }),
      staleTime: FRESH_MS,
    }),
})
