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

/** Texts for screen readers alone, which `SnackBars` puts into a live region of the page. */
export const announcements = {
  current: () => current,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Has a screen reader say something that others see. What is being said already is not said twice. */
export function announce(text: string): void {
  if (current.some((one) => one.text === text)) return
  lastId += 1
  const id = lastId
  change([...current, { id, text }])
  setTimeout(() => change(current.filter((one) => one.id !== id)), SPOKEN_MS)
}

/** Announces a text when it comes onto the page and when it changes; only if it is still there after the delay. */
export function useAnnouncement(text: string | undefined, delayMs = 0): void {
  useEffect(() => {
    if (text === undefined || text === '') return undefined
    const timer = setTimeout(() => announce(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
}
