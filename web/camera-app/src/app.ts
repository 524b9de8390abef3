import { type Client, createClient, createSession, type Languages, type Session } from '@sightline/client'
import { firstPartyClients, type RuntimeConfig } from '@sightline/contract/runtime-config'
import { createSnackBar, type SnackBar } from '@sightline/kit'
import { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'

/** What the screens share. Server state lives in `queries` only. */
export interface App {
  readonly config: RuntimeConfig
  readonly session: Session
  readonly client: Client
  readonly queries: QueryClient
  readonly languages: Languages
  readonly snackBar: SnackBar
}

export function createApp(config: RuntimeConfig, session: Session, languages: Languages): App {
  const client = createClient({
    apiServer: config.apiServer,
    token: () => session.token(),
    onInvalidToken: () => session.end('invalidToken'),
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5000 } } })
  return { config, session, client, queries, languages, snackBar: createSnackBar() }
}

export const appSession = (config: RuntimeConfig): Session =>
  createSession({
    appId: config.clientIds.cameraApp,
    authServer: config.authServer,
    authFlow: config.authFlow,
    path: firstPartyClients.cameraApp.redirectPath,
    loggedOutPath: firstPartyClients.cameraApp.loggedOutPath,
  })

const Shared = createContext<App | undefined>(undefined)
export const AppProvider = Shared.Provider

export function useApp(): App {
  const app = useContext(Shared)
  if (app === undefined) throw new Error('useApp outside of AppProvider')
  return app
}
