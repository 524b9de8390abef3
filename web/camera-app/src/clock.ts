import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function listen(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const read = () => {
  // There was no listener for a while.
  if (timer === undefined && Date.now() - now > 1000) now = Date.now()
  return now
}

/** Milliseconds since 1970, updated every second. All listeners share one timer. */
export const useNow = (): number => useSyncExternalStore(listen, read)
