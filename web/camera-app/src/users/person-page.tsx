import { type ManagedUser, patchPerson } from '@sightline/contract/sub-users'
import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication } from '@sightline/shell'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type OwnStanding, useOwnStanding, useStandstill } from '../rights/index.ts'
import { personQueries } from './people-queries.ts'
import { guardTexts } from './person-marks.tsx'
import { useText } from './text.ts'
import { useUserId } from './UserScreen.tsx'

/** Both sides of a page about somebody: who it is about, and who looks. */
export interface Pair {
  readonly person: ManagedUser
  readonly own: OwnStanding
}

/** Undefined only for as long as the screen around shows that it is loading. */
export function usePair(): Pair | undefined {
  const { client } = useApplication()
  const userId = useUserId()
  const { data: own } = useOwnStanding()
  const { data: person } = useQuery(personQueries(client, userId).person)
  return own === undefined || person === undefined ? undefined : { person, own }
}

/** Why whoever looks cannot change anything of this person, as one sentence; undefined where they can. */
export function useReadOnly({ person, own }: Pair): string | undefined {
  const t = useText()
  const standstill = useStandstill(own)
  if (standstill !== undefined) return standstill
  if (!own.may(patchPerson)) {
    return t('You may look, not change: that needs the right to change users. The account owner can give it to you.')
  }
  return person.guard === null ? undefined : t(guardTexts[person.guard])
}

interface LoadedProps<Value> {
  query: UseQueryResult<Value>
  children: (value: Value) => ReactNode
}

/** What a page shows of something that is asked for: its room, why it could not be had, or it. */
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
