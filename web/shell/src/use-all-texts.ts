import { startTransition, useEffect, useState } from 'react'
import { useApplication } from './application.ts'

/**
 * Whether the late texts are loaded, so that nothing appears in English first. If they can't be loaded, true in the
 * end, with English texts.
 */
export function useAllTexts(): boolean {
  const { languages } = useApplication()
  const [areThere, setAreThere] = useState(false)
  useEffect(() => {
    languages
      .complete()
      .catch(() => undefined)
      .finally(() => startTransition(() => setAreThere(true)))
  }, [languages])
  return areThere
}
