import { useEffect } from 'react'

const changed = new Set<symbol>()

/** Whether something on the page was changed and not saved yet. */
export const hasUnsavedChanges = (): boolean => changed.size > 0

/** Makes changes of a form known to {@link hasUnsavedChanges} for as long as there are any. */
export function useUnsavedChanges(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined
    const mark = Symbol('changed')
    changed.add(mark)
    return () => void changed.delete(mark)
  }, [isChanged])
}
