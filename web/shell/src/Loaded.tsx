import type { ReactNode } from 'react'
import { LoadFailed } from './LoadFailed.tsx'

/** The state of a request, from TanStack Query. */
interface Asked<Reply> {
  readonly data: Reply | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

interface LoadedProps<Replies extends readonly unknown[]> {
  asked: readonly [...{ readonly [At in keyof Replies]: Asked<Replies[At]> }]
  /** Placeholder until everything has loaded. */
  place: ReactNode
  /** Title of the error: what couldn't be loaded. */
  failure?: string
  children: (...replies: Replies) => ReactNode
}

/**
 * Renders the content after all requests have succeeded. If some failed, shows the reason and a button to try again.
 */
export function Loaded<Replies extends readonly unknown[]>({ asked, place, failure, children }: LoadedProps<Replies>) {
  const failed = asked.filter(({ data, error }) => data === undefined && error !== null)
  if (failed.length > 0) {
    const again = () => {
      for (const one of failed) void one.refetch()
    }
    return <LoadFailed error={failed[0]?.error} reset={again} title={failure} />
  }
  if (asked.some(({ data }) => data === undefined)) return place
  return children(...(asked.map(({ data }) => data) as unknown as Replies))
}
