import { useState } from 'react'

/** A dialog whose state is new each time it opens: `number` is its React key. It stays mounted while it fades out. */
export function useFreshDialog() {
  const [opened, setOpened] = useState<{ readonly number: number; readonly isOpen: boolean }>()
  const open = () => setOpened((before) => ({ number: (before?.number ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  return { opened, open, close }
}
