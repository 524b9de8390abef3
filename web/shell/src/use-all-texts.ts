import { startTransition, useEffect, useState } from 'react'
import { useApplication } from './application.ts'

/**
 * Whether the texts that come after a first screen are there, so that nothing is said in English first. Where they
 * cannot be had, it is English, at last.
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
