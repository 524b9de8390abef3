import { useState } from 'react'

/** A dialog that begins anew each time it opens: `number` is its key. It stays while it closes, so that it can fade out. */
export function useFreshDialog() {
  const [opened, setOpened] = useState<{ readonly number: number; readonly isOpen: boolean }>()
  const open = () => setOpened((before) => ({ number: (before?.number ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  return { opened, open, close }
}
