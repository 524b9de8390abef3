import { useEffect } from 'react'
import { useAgreementOwed } from '../agreements/agreement-owed.ts'
import { type Application, useApplication } from '../application.ts'

type Follow = (application: Application, leaving: AbortSignal) => void

/**
 * Follows what the server tells while someone is signed in and has accepted the agreement. `load` is the same function each time; the
 * first screen doesn't wait for it.
 */
export function useServerStates(load: () => Promise<Follow>, isWanted = true): void {
  const application = useApplication()
  const isAgreementOwed = useAgreementOwed()
  const follows = isWanted && !isAgreementOwed
  useEffect(() => {
    if (!follows) return
    const leaving = new AbortController()
    void load().then((follow) => follow(application, leaving.signal))
    return () => leaving.abort()
  }, [application, follows, load])
}
