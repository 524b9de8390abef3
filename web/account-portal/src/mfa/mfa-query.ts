import type { Client } from '@sightline/client'
import { getMfa } from '@sightline/contract/mfa'
import { queryOptions } from '@tanstack/react-query'

/** The second factor of the signed-in user. Until it is on, it includes the secret seed. */
export const mfaQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/mfa'],
    queryFn: ({ signal }) => client.call(getMfa, {}, { signal }),
    gcTime: 0,
  })
