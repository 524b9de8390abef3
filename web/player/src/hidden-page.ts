/** A page that is hidden for a moment, as when someone looks through their tabs, keeps its streams. */
const LEFT_AFTER_MS = 5000

export interface PageEvents {
  readonly onHidden: () => void
  /** It has been hidden for a while, so nothing may be received any more. */
  readonly onLeft: () => void
  readonly onShown: () => void
}

/** Watches whether the page is hidden, until `signal` aborts. */
export function watchPage(events: PageEvents, signal: AbortSignal): void {
  let isHidden = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const judge = () => {
    if (document.hidden === isHidden) return
    isHidden = document.hidden
    clearTimeout(timer)
    if (!isHidden) return events.onShown()
    timer = setTimeout(events.onLeft, LEFT_AFTER_MS)
    return events.onHidden()
  }
  document.addEventListener('visibilitychange', judge, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
  // The page may have been opened in a tab that isn't in front.
  if (document.hidden) judge()
}
