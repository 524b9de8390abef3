import type { ReactNode } from 'react'
import { LoadFailed } from './LoadFailed.tsx'

/** What was asked for, as TanStack Query tells. */
interface Asked<Reply> {
  readonly data: Reply | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

interface LoadedProps<Replies extends readonly unknown[]> {
  asked: readonly [...{ readonly [At in keyof Replies]: Asked<Replies[At]> }]
  /** Stands there until everything has come. */
  place: ReactNode
  children: (...replies: Replies) => ReactNode
}

/** Draws what was asked for once all of it is there; where some could not be loaded, says why and asks for that again. */
export function Loaded<Replies extends readonly unknown[]>({ asked, place, children }: LoadedProps<Replies>) {
  const failed = asked.filter(({ data, error }) => data === undefined && error !== null)
  if (failed.length > 0) {
    const again = () => {
      for (const one of failed) void one.refetch()
    }
    return <LoadFailed error={failed[0]?.error} reset={again} />
  }
  if (asked.some(({ data }) => data === undefined)) return place
  return children(...(asked.map(({ data }) => data) as unknown as Replies))
}
