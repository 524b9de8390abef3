import type { Client } from '@sightline/client'
import { getDeletion } from '@sightline/contract/account-deletion'
import { queryOptions } from '@tanstack/react-query'

/** Whether the signed-in user or the account will be deleted. */
export const deletionQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/deletion'],
    queryFn: ({ signal }) => client.call(getDeletion, {}, { signal }),
  })
