import type { Client } from '@sightline/client'
import { getMfa } from '@sightline/contract/mfa'
import { queryOptions } from '@tanstack/react-query'

/** The second factor of the signed-in user; until it is on, with a seed that nobody else is to see. */
export const mfaQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/mfa'],
    queryFn: ({ signal }) => client.call(getMfa, {}, { signal }),
    gcTime: 0,
  })
