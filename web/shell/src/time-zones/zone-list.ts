import type { Client } from '@sightline/client'
import { getTimeZones } from '@sightline/contract/reference-lists'
import type { Option } from '@sightline/kit'
import type { QueryClient } from '@tanstack/react-query'
import { zoneOptions } from './zone-options.ts'

const HOUR_MS = 3_600_000

/** The list of time zones, with place names in that language. */
export async function timeZoneOptions(asked: {
  readonly client: Client
  readonly queries: QueryClient
  readonly language: string
}): Promise<readonly Option[]> {
  const { client, queries, language } = asked
  const list = await queries.fetchQuery({
    queryKey: ['timeZones', language],
    // The browser's preference may differ from the current language.
    queryFn: ({ signal }) => client.call(getTimeZones, {}, { signal, headers: { 'accept-language': language } }),
    // Offsets change on the hour at the earliest.
    staleTime: HOUR_MS - (Date.now() % HOUR_MS),
  })
  return zoneOptions(list)
}
