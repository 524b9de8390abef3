import { lazy, Suspense, useEffect } from 'react'

// A first screen appears before the user can type.
const load = () => import('./AskBeforeLeaving.tsx')
const AskBeforeLeaving = lazy(() => load().then((module) => ({ default: module.AskBeforeLeaving })))

interface UnsavedChangesProps {
  changed: boolean
  /** Discards the changes, so that they are gone if the user returns immediately. */
  onDiscard?: () => void
}

/** Inside a form, asks before the user leaves the page with unsaved changes. */
export function UnsavedChanges({ changed, onDiscard }: UnsavedChangesProps) {
  useEffect(() => {
    // Loads before the user types. If that fails, the first change tries again.
    load().catch(() => undefined)
  }, [])
  return changed ? (
    <Suspense fallback={null}>
      <AskBeforeLeaving onDiscard={onDiscard} />
    </Suspense>
  ) : null
}
