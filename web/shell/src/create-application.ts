import { type Client, createClient, createSession, type Languages, type SignInSession } from '@sightline/client'
import { firstPartyClients, type RuntimeConfig } from '@sightline/contract/runtime-config'
import { createSnackBar, type SnackBar } from '@sightline/kit'
import { QueryClient } from '@tanstack/react-query'
import { type Connection, createConnection } from './connection.ts'
import type { Waiting } from './sign-in-again/renew-token.ts'

/** The browser application, by its name in the contract. */
export type ApplicationName = keyof typeof firstPartyClients

/** Everything that the screens of an application share. Server state is only in `queries`. */
export interface Application {
  readonly name: ApplicationName
  /** Path of the application on its host, with a slash at the end: `/` or `/app/`. */
  readonly home: string
  readonly config: RuntimeConfig
  readonly session: SignInSession
  readonly client: Client
  readonly queries: QueryClient
  readonly languages: Languages
  readonly snackBar: SnackBar
  readonly connection: Connection
  /** True on the page that the sign-in returned to, false after a reload. */
  readonly justSignedIn: boolean
}

type Given = Pick<Application, 'name' | 'config' | 'session' | 'languages' | 'justSignedIn'>

export function createApplication(given: Given): Application {
  const { name, config, session } = given
  const connection = createConnection('/config.json', window)
  // A first screen doesn't need this.
  const renewToken = async (waiting: Waiting) =>
    (await import('./sign-in-again/renew-token.ts')).renewToken(application, waiting)
  session.onExpiry(() => renewToken({ dead: undefined, isWrite: false }))
  const client = createClient({
    apiServer: config.apiServer,
    fetch: connection.fetch,
    token: () => session.token(),
    onInvalidToken: () => session.end('invalidToken'),
    renewToken,
  })
  // The client already repeats requests that didn't reach the server. Any response, even an error, counts as reached.
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 60_000, networkMode: 'always' } },
  })
  connection.subscribe(() => {
    // Requests that failed while offline are repeated immediately.
    if (!connection.isLost()) void queries.refetchQueries({ type: 'active' })
  })
  const home = firstPartyClients[name].redirectPath
  const application = { ...given, home, client, queries, connection, snackBar: createSnackBar() }
  return application
}

export const openSession = (name: ApplicationName, config: RuntimeConfig): SignInSession =>
  createSession({
    appId: config.clientIds[name],
    authServer: config.authServer,
    authFlow: config.authFlow,
    path: firstPartyClients[name].redirectPath,
    loggedOutPath: firstPartyClients[name].loggedOutPath,
  })
