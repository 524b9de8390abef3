import { firstPartyClients } from '@sightline/contract/runtime-config'
import { createContext, useContext } from 'react'
import type { Application } from './create-application.ts'
import { SUPPORT_IS_OVER, wasSupportSession } from './support/support-session.ts'

export type { Application, ApplicationName } from './create-application.ts'

/**
 * After the session has ended, none of its data stays on screen. `goOn` then redirects to the sign-in. Not after a
 * sign-out, because the browser is already leaving.
 */
export function whenSessionEnds({ name, session, client, queries }: Application, goOn: () => void): void {
  session.onEnd((reason) => {
    client.cancelReads()
    if (reason === 'left') return
    const isSupport = wasSupportSession(queries)
    queries.clear()
    // Support can't sign in here.
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
