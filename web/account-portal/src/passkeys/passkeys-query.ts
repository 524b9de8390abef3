import type { Client } from '@sightline/client'
import { getPasskeys } from '@sightline/contract/passkeys'
import { queryOptions } from '@tanstack/react-query'

/** The passkeys of the signed-in user, and whether one is required after the password. */
export const passkeysQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/passkeys'],
    queryFn: ({ signal }) => client.call(getPasskeys, {}, { signal }),
  })
