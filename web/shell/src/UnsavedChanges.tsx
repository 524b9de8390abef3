import { lazy, Suspense, useEffect } from 'react'

// A first screen shows before anything can have been typed.
const load = () => import('./AskBeforeLeaving.tsx')
const AskBeforeLeaving = lazy(() => load().then((module) => ({ default: module.AskBeforeLeaving })))

/** Put into a form, asks before its page is left with changes that were not saved: `<UnsavedChanges changed={form.changed} />`. */
export function UnsavedChanges({ changed }: { changed: boolean }) {
  useEffect(() => {
    // Before somebody types; where it cannot be had now, the first change tries again.
    load().catch(() => undefined)
  }, [])
  return changed ? (
    <Suspense fallback={null}>
      <AskBeforeLeaving />
    </Suspense>
  ) : null
}
