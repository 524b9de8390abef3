import type { Rule } from '@sightline/contract/rights'
import { Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed } from '@sightline/shell'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NotAllowed } from './NothingHere.tsx'
import { useOwnStaff } from './own-staff.ts'

/** Shows the screen only if the user may make that call; otherwise says so. */
export function Gate({ call, children }: { call: Rule; children: ReactNode }) {
  return useOwnStaff().may(call) ? children : <NotAllowed />
}

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  children: (data: Data) => ReactNode
}

/** The data of a request; a skeleton while it loads; or the error. */
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
