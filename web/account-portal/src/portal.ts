import { type Client, createClient, createSession, type Languages, type Session } from '@sightline/client'
import { firstPartyClients, type RuntimeConfig } from '@sightline/contract/runtime-config'
import { createSnackBar, type SnackBar } from '@sightline/kit'
import { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'

/** What the screens share. Server state lives in `queries` only. */
export interface Portal {
  readonly config: RuntimeConfig
  readonly session: Session
  readonly client: Client
  readonly queries: QueryClient
  readonly languages: Languages
  readonly snackBar: SnackBar
}

export function createPortal(config: RuntimeConfig, session: Session, languages: Languages): Portal {
  const client = createClient({
    apiServer: config.apiServer,
    token: () => session.token(),
    onInvalidToken: () => session.end('invalidToken'),
  })
  // The client tries again by itself what never reached the server; an answer, even an error, is an answer.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  return { config, session, client, queries, languages, snackBar: createSnackBar() }
}

export const portalSession = (config: RuntimeConfig): Session =>
  createSession({
    appId: config.clientIds.accountPortal,
    authServer: config.authServer,
    authFlow: config.authFlow,
    path: firstPartyClients.accountPortal.redirectPath,
    loggedOutPath: firstPartyClients.accountPortal.loggedOutPath,
  })

const Shared = createContext<Portal | undefined>(undefined)
export const PortalProvider = Shared.Provider

export function usePortal(): Portal {
  const portal = useContext(Shared)
  if (portal === undefined) throw new Error('usePortal outside of PortalProvider')
  return portal
}
