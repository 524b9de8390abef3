import type { Rule } from '@sightline/contract/rights'
import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed } from '@sightline/shell'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NotAllowed } from './NothingHere.tsx'
import { useOwnStaff } from './own-staff.ts'

/** A screen for who may make that call; others are told so in its place. */
export function Gate({ call, children }: { call: Rule; children: ReactNode }) {
  return useOwnStaff().may(call) ? children : <NotAllowed />
}

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  children: (data: Data) => ReactNode
}

/** What was asked for, its place while it is on its way, or why it did not come. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <LoadFailed error={query.error} reset={() => void query.refetch()} />
  return (
    <SkeletonGroup className="space-y-6">
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-48 w-full" />
    </SkeletonGroup>
  )
}
