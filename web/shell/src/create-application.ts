import { type Client, createClient, createSession, type Languages, type Session } from '@sightline/client'
import { firstPartyClients, type RuntimeConfig } from '@sightline/contract/runtime-config'
import { createSnackBar, type SnackBar } from '@sightline/kit'
import { QueryClient } from '@tanstack/react-query'
import { type Connection, createConnection } from './connection.ts'
import type { Waiting } from './sign-in-again/renew-token.ts'

/** Which of our browser applications this is, as the contract names them. */
export type ApplicationName = keyof typeof firstPartyClients

/** What the screens of an application share. Server state lives in `queries` only. */
export interface Application {
  readonly name: ApplicationName
  /** Where it lives on its host, with a slash at the end: `/` or `/app/`. */
  readonly home: string
  readonly config: RuntimeConfig
  readonly session: Session
  readonly client: Client
  readonly queries: QueryClient
  readonly languages: Languages
  readonly snackBar: SnackBar
  readonly connection: Connection
  /** True on the page that signing in led to, false after it was loaded again. */
  readonly justSignedIn: boolean
}

type Given = Pick<Application, 'name' | 'config' | 'session' | 'languages' | 'justSignedIn'>

export function createApplication(given: Given): Application {
  const { name, config, session } = given
  const connection = createConnection('/config.json', window)
  // Nobody needs it with a first screen.
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
  // The client tries again by itself what never reached the server; an answer, even an error, is an answer.
  // A server in the same house can be reached without any network that the browser knows of.
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 60_000, networkMode: 'always' } },
  })
  connection.subscribe(() => {
    // What could not be asked for meanwhile is asked for at once.
    if (!connection.isLost()) void queries.refetchQueries({ type: 'active' })
  })
  const home = firstPartyClients[name].redirectPath
  const application = { ...given, home, client, queries, connection, snackBar: createSnackBar() }
  return application
}

export const sessionOf = (name: ApplicationName, config: RuntimeConfig): Session =>
  createSession({
    appId: config.clientIds[name],
    authServer: config.authServer,
    authFlow: config.authFlow,
    path: firstPartyClients[name].redirectPath,
    loggedOutPath: firstPartyClients[name].loggedOutPath,
  })
