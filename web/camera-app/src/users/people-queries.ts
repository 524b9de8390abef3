import type { Client } from '@sightline/client'
import { explainAccess } from '@sightline/contract/explanations'
import { getPerson, getPersonAccess, getPersonDetails, getPersonRights } from '@sightline/contract/sub-users'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

/** The server's data about one user, each under its path. */
export function personQueries(client: Client, userId: number) {
  const of = { params: { userId } }
  const path = ['users', userId] as const
  return {
    person: queryOptions({
      queryKey: [...path, 'self'],
      queryFn: ({ signal }) => client.call(getPerson, of, { signal }),
      staleTime: FRESH_MS,
    }),
    details: queryOptions({
      queryKey: [...path, 'details'],
      queryFn: ({ signal }) => client.tagged(getPersonDetails, of, { signal }),
      staleTime: FRESH_MS,
    }),
    rights: queryOptions({
      queryKey: [...path, 'rights'],
      queryFn: ({ signal }) => client.tagged(getPersonRights, of, { signal }),
      staleTime: FRESH_MS,
    }),
    access: queryOptions({
      queryKey: [...path, 'access'],
      queryFn: ({ signal }) => client.tagged(getPersonAccess, of, { signal }),
      staleTime: FRESH_MS,
    }),
    explanation: queryOptions({
      queryKey: [...path, 'explain'],
      queryFn: async ({ signal }) => {
        const explanation = await client.call(explainAccess, of, { signal })
        if (explanation.kind !== 'overview') throw new Error('a question about everything was answered about one call')
        return explanation
      },
      // Shows other people's changes when the page is opened again.
      staleTime: 0,
    }),
  }
}

/** Reloads all data about users, except rights and access while they are being changed. */
export function refetchUser(queries: QueryClient, userId?: number): void {
  void queries.invalidateQueries({ queryKey: ['people'] })
  void queries.invalidateQueries({ queryKey: ['permissionProfiles'] })
  if (userId === undefined) return
  for (const part of ['self', 'explain']) void queries.invalidateQueries({ queryKey: ['users', userId, part] })
}
