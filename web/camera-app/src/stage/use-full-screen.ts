import { useCallback, useEffect, useRef, useState } from 'react'

export interface FullScreen {
  readonly isFull: boolean
  toggle(): void
  leave(): void
}

/**
 * Full screen of the stage. The whole document goes to full screen, and the stage covers it, because dialogs and lists open beside the
 * stage. Where the browser has no full screen, as on some phones, the stage covers the page.
 */
export function useFullScreen(): FullScreen {
  const [isFull, setFull] = useState(false)
  const wanted = useRef(false)
  const isChanging = useRef(false)
  const change = useCallback((isWanted: boolean) => {
    wanted.current = isWanted
    setFull(isWanted)
    if (!isChanging.current) void follow(wanted, isChanging)
  }, [])
  useEffect(() => {
    const changed = () => {
      // The user left it by the browser's own key.
      if (!isChanging.current && document.fullscreenElement === null && wanted.current) change(false)
    }
    document.addEventListener('fullscreenchange', changed)
    return () => {
      document.removeEventListener('fullscreenchange', changed)
      if (wanted.current) change(false)
    }
  }, [change])
  return { isFull, toggle: () => change(!wanted.current), leave: () => change(false) }
}

interface Flag {
  current: boolean
}

/** Changes the document until it is as wanted; that may change meanwhile. */
async function follow(wanted: Flag, isChanging: Flag): Promise<void> {
  isChanging.current = true
  try {
    while (wanted.current !== (document.fullscreenElement !== null)) {
      await (wanted.current ? document.documentElement.requestFullscreen() : document.exitFullscreen())
    }
  } catch {
    // If the browser refuses, the stage covers the page all the same.
  } finally {
    isChanging.current = false
  }
}
