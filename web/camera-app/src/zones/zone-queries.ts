import type { Client } from '@sightline/client'
import { getTimeZones } from '@sightline/contract/reference-lists'
import { getZone, getZones } from '@sightline/contract/zones'
import type { Option } from '@sightline/kit'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000
const HOUR_MS = 3_600_000

/** What the server knows of zones, each under its path. */
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
  timeZones: queryOptions({
    queryKey: ['timeZones', 'options'],
    queryFn: async ({ signal }): Promise<readonly Option[]> =>
      (await client.call(getTimeZones, {}, { signal }))
        .toSorted((a, b) => a.utcOffset - b.utcOffset || a.timeZone.localeCompare(b.timeZone))
        .map(({ timeZone, label }) => ({
          value: timeZone,
          label: timeZoneName(timeZone),
          hint: /\(([^)]*)\)/.exec(label)?.[1] ?? '',
        })),
    staleTime: HOUR_MS,
  }),
})

/** As people read it: `America/New York`. */
export const timeZoneName = (timeZone: string): string => timeZone.replaceAll('_', ' ')
