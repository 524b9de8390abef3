import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'

interface Asking {
  onDiscard: (() => void) | undefined
}

let loaded: ComponentType<Asking> | undefined

// A first screen appears before the user can type.
async function load(): Promise<{ default: ComponentType<Asking> }> {
  const { AskBeforeLeaving } = await import('./AskBeforeLeaving.tsx')
  loaded = AskBeforeLeaving
  return { default: AskBeforeLeaving }
}
const Later = lazy(load)

/** React shows what is lazy up to 0.3 s late, and a user may leave before that. So what is loaded isn't lazy. */
function AskOnceLoaded(props: Asking) {
  const [Ask] = useState<ComponentType<Asking>>(() => loaded ?? Later)
  return <Ask {...props} />
}

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
      <AskOnceLoaded onDiscard={onDiscard} />
    </Suspense>
  ) : null
}
