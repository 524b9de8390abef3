import { useEffect } from 'react'

const changed = new Set<symbol>()

/** Whether the page has unsaved changes. */
export const hasUnsavedChanges = (): boolean => changed.size > 0

/** Reports a form's unsaved changes to {@link hasUnsavedChanges} while there are any. */
export function useUnsavedChanges(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined
    const mark = Symbol('changed')
    changed.add(mark)
    return () => void changed.delete(mark)
  }, [isChanged])
}
