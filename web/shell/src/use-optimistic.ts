import { ApiFailure } from '@sightline/client'
import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useApplication } from './application.ts'
import { createOptimistic } from './optimistic.ts'
import { useTranslation } from './translation.tsx'

interface OptimisticQuery<State, Change> {
  /** The key of the query that shows the value. */
  readonly queryKey: QueryKey
  readonly apply: (state: State, change: Change) => State
  /** Sends one change; resolves with the server's new value. */
  readonly send: (change: Change) => Promise<State>
}

/**
 * Switches that save when pressed. A change shows immediately; an error is reported and undoes it. `pending` are the
 * unconfirmed changes.
 */
export function useOptimistic<State, Change>(given: OptimisticQuery<State, Change>) {
  const { queries, snackBar } = useApplication()
  const t = useTranslation()
  const latest = useRef({ given, t })
  useEffect(() => {
    latest.current = { given, t }
  })
  const name = JSON.stringify(given.queryKey)
  const optimistic = useMemo(() => {
    const queryKey: QueryKey = JSON.parse(name)
    return createOptimistic<State, Change>({
      read: () => queries.getQueryData<State>(queryKey),
      show: (state) => {
        // A pending request would show the value before the change.
        void queries.cancelQueries({ queryKey, exact: true })
        queries.setQueryData(queryKey, state)
      },
      apply: (state, change) => latest.current.given.apply(state, change),
      send: (change) => latest.current.given.send(change),
      failed: (error) => {
        if (!(error instanceof ApiFailure)) throw error
        if (!error.sessionEnded) snackBar.error(latest.current.t.message(error.message))
      },
    })
  }, [name, queries, snackBar])
  const pending = useSyncExternalStore(optimistic.subscribe, optimistic.pending)
  return { change: optimistic.change, pending }
}
