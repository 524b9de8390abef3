import { ApiFailure, type Tagged } from '@sightline/client'
import { useApplication, useOptimistic } from '@sightline/shell'
import type { QueryKey } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Text, useText } from './text.ts'

/** What is said where somebody else was quicker; the key of its translations. */
export const CHANGED_MEANWHILE: Text =
  'Somebody else changed this in the meantime. It is shown as it is now: please look again.'

/** Headers that refuse a change of what is another state by now. */
export const ifMatch = ({ etag }: Tagged<unknown>): Readonly<Record<string, string>> =>
  etag === undefined ? {} : { 'if-match': etag }

interface Switches<Value, Change> {
  /** Of the query that holds the tagged value. */
  readonly queryKey: QueryKey
  readonly read: () => Promise<Tagged<Value>>
  readonly apply: (value: Value, change: Change) => Value
  /** Sends one change of `before`, which the server holds; `headers` refuse it where it holds another state by now. */
  readonly send: (change: Change, before: Value, headers: Readonly<Record<string, string>>) => Promise<Tagged<Value>>
  /** Called after each change that the server took. */
  readonly onSaved?: () => void
}

/**
 * Switches that are saved as they are pressed, each against the state that was seen: where somebody else has changed it
 * meanwhile nothing is overwritten, the present state is shown, and that is said.
 */
export function useSwitches<Value, Change>(given: Switches<Value, Change>) {
  const { queryKey, read, apply, send, onSaved } = given
  const { queries, snackBar } = useApplication()
  const t = useText()
  const confirmed = useRef<Tagged<Value>>(undefined)
  const { change, pending } = useOptimistic<Tagged<Value>, Change>({
    queryKey,
    apply: (state, next) => ({ ...state, value: apply(state.value, next) }),
    async send(next) {
      const before = confirmed.current
      if (before === undefined) throw new Error('a change is sent before anything is known')
      try {
        confirmed.current = await send(next, before.value, ifMatch(before))
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.status !== 412) throw failure
        confirmed.current = await read()
        snackBar.error(t(CHANGED_MEANWHILE))
        return confirmed.current
      }
      onSaved?.()
      return confirmed.current
    },
  })
  return {
    pending,
    change: (next: Change) => {
      if (pending.length === 0) confirmed.current = queries.getQueryData<Tagged<Value>>(queryKey)
      snackBar.closeErrors()
      change(next)
    },
  }
}
