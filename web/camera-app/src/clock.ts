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
  // Nobody listened for a while.
  if (timer === undefined && Date.now() - now > 1000) now = Date.now()
  return now
}

/** Milliseconds since 1970, anew each second; one timer for all. */
export const useNow = (): number => useSyncExternalStore(listen, read)
