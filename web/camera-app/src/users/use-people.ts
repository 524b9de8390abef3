import { getUsers, type ManagedUser } from '@sightline/contract/sub-users'
import { useApplication, useServerRows } from '@sightline/shell'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type BlockedFilter, parseUserListState, type UserListState, userListSearch } from './people-filter.ts'

/** The state of the list is only in the address, so links and the back button show the same users. */
function usePlaceInAddress() {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/users' })
  const value = useMemo(() => parseUserListState({ ...search }), [search])
  const change = useCallback(
    (part: Partial<UserListState>, how: 'push' | 'replace') =>
      void router.navigate({
        to: '/users',
        search: (before: Readonly<Record<string, unknown>>) =>
          userListSearch({ ...parseUserListState(before), ...part }),
        replace: how === 'replace',
        resetScroll: false,
      }),
    [router],
  )
  return { value, change }
}

/** The users of the account; the server sorts, searches and pages them. */
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
