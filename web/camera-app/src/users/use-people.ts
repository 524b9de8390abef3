import { getUsers, type Person } from '@sightline/contract/sub-users'
import { useApplication, useServerRows } from '@sightline/shell'
import { useState } from 'react'

export type BlockedFilter = 'true' | 'false' | undefined

/** The people of the account as the server sorts, searches and pages them. */
export function usePeople() {
  const { client } = useApplication()
  const [blocked, filterBlocked] = useState<BlockedFilter>()
  const found = useServerRows<Person>({
    name: 'users',
    queryKey: ['people', { blocked }],
    firstSort: { column: 'name', descending: false },
    searches: true,
    filter: blocked === undefined ? undefined : { onClear: () => filterBlocked(undefined) },
    fetch: (wish, q, signal) => {
      const query = { ...(q === '' ? {} : { q }), ...(blocked === undefined ? {} : { blocked }) }
      return client.page(getUsers, { query }, wish, { signal })
    },
  })
  return { ...found, blocked, filterBlocked }
}
