import { getUsers, type ManagedUser } from '@sightline/contract/sub-users'
import { useApplication, useServerRows } from '@sightline/shell'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type BlockedFilter, type PeoplePlace, peoplePlaceIn, searchOfPeoplePlace } from './people-filter.ts'

/** The place in the list stands in the address alone: a link to it shows the same, and so does going back. */
function usePlaceInAddress() {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/users' })
  const value = useMemo(() => peoplePlaceIn({ ...search }), [search])
  const change = useCallback(
    (part: Partial<PeoplePlace>, how: 'push' | 'replace') =>
      void router.navigate({
        to: '/users',
        search: (before: Readonly<Record<string, unknown>>) =>
          searchOfPeoplePlace({ ...peoplePlaceIn(before), ...part }),
        replace: how === 'replace',
        resetScroll: false,
      }),
    [router],
  )
  return { value, change }
}

/** The people of the account as the server sorts, searches and pages them. */
export function usePeople() {
  const { client } = useApplication()
  const place = usePlaceInAddress()
  const { blocked } = place.value
  const found = useServerRows<ManagedUser>({
    name: 'users',
    queryKey: ['people', { blocked }],
    firstSort: { column: 'name', descending: false },
    searches: true,
    place,
    filter:
      blocked === undefined
        ? undefined
        : { onClear: () => place.change({ search: '', blocked: undefined, page: 0 }, 'push') },
    fetch: (wish, q, signal) => {
      const query = { ...(q === '' ? {} : { q }), ...(blocked === undefined ? {} : { blocked }) }
      return client.page(getUsers, { query }, wish, { signal })
    },
  })
  const filterBlocked = (next: BlockedFilter) => place.change({ blocked: next, page: 0 }, 'push')
  return { ...found, blocked, filterBlocked }
}
