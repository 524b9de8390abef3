import type { Client } from '@sightline/client'
import { getPermissionProfile, getPermissionProfiles } from '@sightline/contract/permission-profiles'
import { getUsers, type ManagedUser } from '@sightline/contract/sub-users'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

export const profilesQuery = (client: Client) =>
  queryOptions({
    queryKey: ['permissionProfiles'],
    queryFn: ({ signal }) => client.call(getPermissionProfiles, {}, { signal }),
    staleTime: FRESH_MS,
  })

export const profileQuery = (client: Client, permissionProfileId: number) =>
  queryOptions({
    queryKey: ['permissionProfile', permissionProfileId],
    queryFn: ({ signal }) => client.tagged(getPermissionProfile, { params: { permissionProfileId } }, { signal }),
    staleTime: FRESH_MS,
  })

/** The maximum number of pages to search, with 500 users each. */
const MOST_PAGES = 20

/** The users of a profile. `users` is the server's count; the search stops when all are found. */
export const holdersQuery = (client: Client, permissionProfileId: number, users: number) =>
  queryOptions({
    queryKey: ['people', 'ofProfile', permissionProfileId, users],
    queryFn: async ({ signal }): Promise<readonly ManagedUser[]> => {
      const found: ManagedUser[] = []
      let pageToken: string | undefined
      for (let pages = 0; found.length < users && pages < MOST_PAGES; pages += 1) {
        const page = await client.page(getUsers, {}, { limit: 500, sort: 'name', pageToken }, { signal })
        found.push(...page.rows.filter((person) => person.permissionProfileId === permissionProfileId))
        pageToken = page.next
        if (pageToken === undefined) break
      }
      return found
    },
    staleTime: FRESH_MS,
  })
