import { ApiFailure, type TaggedReply } from '@sightline/client'
import { useApplication, useOptimistic } from '@sightline/shell'
import type { QueryKey } from '@tanstack/react-query'
import { useRef } from 'react'
import { type RightsText, useRightsText } from '../rights/index.ts'

/** Message if someone else made a change first; also the key of its translations. */
export const CHANGED_MEANWHILE: RightsText =
  "Someone else changed this in the meantime. You're now looking at the latest version. Check it and try again."

/** Headers that make the server reject the change if the state is no longer the same. */
export const ifMatch = ({ etag }: TaggedReply<unknown>): Readonly<Record<string, string>> =>
  etag === undefined ? {} : { 'if-match': etag }

interface Switches<Value, Change> {
  /** The query of the value with its ETag. */
  readonly queryKey: QueryKey
  readonly read: () => Promise<TaggedReply<Value>>
  readonly apply: (value: Value, change: Change) => Value
  /**
   * Sends one change to `before`, the server's state. `headers` make the server reject it if that state has changed.
   */
  readonly send: (
    change: Change,
    before: Value,
    headers: Readonly<Record<string, string>>,
  ) => Promise<TaggedReply<Value>>
  /** Called after each accepted change. */
  readonly onSaved?: () => void
}

/**
 * Switches that save when pressed, based on the state that the user saw. If someone else changed it meanwhile, nothing
 * is overwritten, and the user sees the current state and a message.
 */
export function useSwitches<Value, Change>(given: Switches<Value, Change>) {
  const { queryKey, read, apply, send, onSaved } = given
  const { queries, snackBar } = useApplication()
  const t = useRightsText()
  const confirmed = useRef<TaggedReply<Value>>(undefined)
  const { change, pending } = useOptimistic<TaggedReply<Value>, Change>({
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
      if (pending.length === 0) confirmed.current = queries.getQueryData<TaggedReply<Value>>(queryKey)
      snackBar.closeErrors()
      change(next)
    },
  }
}
