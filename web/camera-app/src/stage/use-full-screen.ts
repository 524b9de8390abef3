import { useCallback, useEffect, useState } from 'react'

/**
 * Full screen of the stage. The whole document goes to full screen, and the stage covers it, because dialogs and lists open beside the
 * stage. Where the browser has no full screen, as on phones, the stage covers the page.
 */
export function useFullScreen(): { readonly isFull: boolean; toggle(): void; leave(): void } {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const changed = () => {
      if (document.fullscreenElement === null) setFull(false)
    }
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  const leave = useCallback(() => {
    setFull(false)
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
  }, [])
  useEffect(() => leave, [leave])
  const toggle = () => {
    if (isFull) return leave()
    setFull(true)
    // If the browser refuses, the stage covers the page all the same.
    return void document.documentElement.requestFullscreen?.().catch(() => undefined)
  }
  return { isFull, toggle, leave }
}
