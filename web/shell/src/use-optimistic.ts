import { ApiFailure } from '@sightline/client'
import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useApplication } from './application.ts'
import { createOptimistic } from './optimistic.ts'
import { useTranslation } from './translation.tsx'

interface OptimisticQuery<State, Change> {
  /** Of the query that shows it. */
  readonly queryKey: QueryKey
  readonly apply: (state: State, change: Change) => State
  /** Sends one change; resolves with what the server then holds. */
  readonly send: (change: Change) => Promise<State>
}

/**
 * Switches that are saved as they are pressed: a change shows at once, errors are told and take it back. `pending` are
 * the changes on their way.
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
        // What is being asked for now would show how it was before.
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
