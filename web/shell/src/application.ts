import { firstPartyClients } from '@sightline/contract/runtime-config'
import { createContext, useContext } from 'react'
import type { Application } from './create-application.ts'
import { SUPPORT_IS_OVER, wasSupportSession } from './support/support-session.ts'

export type { Application, ApplicationName } from './create-application.ts'

/**
 * Once the session is over nothing of it stays on screen; `goOn` then leads to where somebody can sign in again. Not for
 * one who signed out: the browser is leaving already.
 */
export function whenSessionEnds({ name, session, client, queries }: Application, goOn: () => void): void {
  session.onEnd((reason) => {
    client.cancelReads()
    if (reason === 'left') return
    const isSupport = wasSupportSession(queries)
    queries.clear()
    // Support has nothing to sign in with here.
    if (isSupport) window.location.assign(`${firstPartyClients[name].loggedOutPath}?${SUPPORT_IS_OVER}`)
    else goOn()
  })
}

const Shared = createContext<Application | undefined>(undefined)
export const ApplicationProvider = Shared.Provider

export function useApplication(): Application {
  const application = useContext(Shared)
  if (application === undefined) throw new Error('useApplication outside of ApplicationProvider')
  return application
}
