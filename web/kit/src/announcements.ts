import { useEffect } from 'react'

interface Announcement {
  readonly id: number
  readonly text: string
}

const SPOKEN_MS = 5000
let current: readonly Announcement[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Announcement[]): void {
  current = next
  for (const listener of listeners) listener()
}

/** Texts only for screen readers, which `SnackBars` puts into a live region. */
export const announcements = {
  current: () => current,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Makes screen readers announce something that is otherwise visible. A current text is not announced twice. */
export function announce(text: string): void {
  if (current.some((one) => one.text === text)) return
  lastId += 1
  const id = lastId
  change([...current, { id, text }])
  setTimeout(() => change(current.filter((one) => one.id !== id)), SPOKEN_MS)
}

/** Announces a text when it appears and when it changes, if it is still there after the delay. */
export function useAnnouncement(text: string | undefined, delayMs = 0): void {
  useEffect(() => {
    if (text === undefined || text === '') return undefined
    const timer = setTimeout(() => announce(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
}
