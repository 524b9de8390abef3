import { lazy, Suspense, useEffect } from 'react'

// A first screen shows before anything can have been typed.
const load = () => import('./AskBeforeLeaving.tsx')
const AskBeforeLeaving = lazy(() => load().then((module) => ({ default: module.AskBeforeLeaving })))

interface UnsavedChangesProps {
  changed: boolean
  /** Forgets what was typed, so that going back before the page is gone does not show it again. */
  onDiscard?: () => void
}

/** Put into a form, asks before its page is left with changes that were not saved. */
export function UnsavedChanges({ changed, onDiscard }: UnsavedChangesProps) {
  useEffect(() => {
    // Before somebody types; where it cannot be had now, the first change tries again.
    load().catch(() => undefined)
  }, [])
  return changed ? (
    <Suspense fallback={null}>
      <AskBeforeLeaving onDiscard={onDiscard} />
    </Suspense>
  ) : null
}
