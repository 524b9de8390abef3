export { timeZoneOptions } from '@sightline/shell/time-zones'

import type { Client } from '@sightline/client'
import { getCountries } from '@sightline/contract/reference-lists'
import type { Option } from '@sightline/kit'
import type { QueryClient } from '@tanstack/react-query'
import { countryOptions } from './countries.ts'

const HOUR_MS = 3_600_000

interface Asked {
  readonly client: Client
  readonly queries: QueryClient
  /** It contains the names of countries. */
  readonly language: string
}

export async function countryList({ client, queries, language }: Asked): Promise<readonly Option[]> {
  const list = await queries.fetchQuery({
    queryKey: ['countries'],
    queryFn: ({ signal }) => client.call(getCountries, {}, { signal }),
    staleTime: 24 * HOUR_MS,
  })
  return countryOptions(
    list.map((entry) => entry.country),
    language,
  )
}
