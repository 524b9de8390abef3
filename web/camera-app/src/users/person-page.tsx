import { type ManagedUser, patchPerson } from '@sightline/contract/sub-users'
import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication } from '@sightline/shell'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type OwnPermissions, useOwnPermissions, useReadOnlyReason } from '../rights/index.ts'
import { personQueries } from './people-queries.ts'
import { guardTexts } from './person-marks.tsx'
import { useText } from './text.ts'
import { useUserId } from './UserScreen.tsx'

/** The user of a page, and the current user. */
export interface Pair {
  readonly person: ManagedUser
  readonly own: OwnPermissions
}

/** Undefined only while the surrounding screen is loading. */
export function usePair(): Pair | undefined {
  const { client } = useApplication()
  const userId = useUserId()
  const { data: own } = useOwnPermissions()
  const { data: person } = useQuery(personQueries(client, userId).person)
  return own === undefined || person === undefined ? undefined : { person, own }
}

/** Why the current user can't change this user, as one sentence; undefined if they can. */
export function useReadOnly({ person, own }: Pair): string | undefined {
  const t = useText()
  const standstill = useReadOnlyReason(own)
  if (standstill !== undefined) return standstill
  if (!own.may(patchPerson)) {
    return t('You can view users but not change them. Ask the account owner for the “Edit users” right.')
  }
  return person.guard === null ? undefined : t(guardTexts[person.guard])
}

interface LoadedProps<Value> {
  query: UseQueryResult<Value>
  children: (value: Value) => ReactNode
}

/** The state of a request on a page: loading, failed, or its data. */
export function Loaded<Value>({ query, children }: LoadedProps<Value>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <LoadFailed error={query.error} reset={() => void query.refetch()} />
  return (
    <SkeletonGroup className="space-y-5">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  )
}
