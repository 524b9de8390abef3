import { firstPartyClients } from '@sightline/contract/runtime-config'

export { clientOrigins } from './client-origins.ts'
export {
  type ApiKeyFacts,
  clientKinds,
  clientScopes,
  isForeign,
  type RegisteredClient,
} from './registered-client.ts'
export {
  type ClientRegistration,
  checkRegistration,
  newClientId,
  newClientSecret,
} from './registration.ts'
export {
  addClient,
  findClient,
  listClients,
  removeClient,
  replaceSecret,
} from './store.ts'

/** One of our own browser applications; users don't have to allow it. */
export interface OwnClient {
  readonly clientId: string
  readonly appId: string
  readonly serves: 'members' | 'staff'
  /** Exact addresses; redirects go only to these. */
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
}

/** Our own browser applications as they are registered on one host of a brand. */
export const listOwnClients = (origin: string): readonly OwnClient[] =>
  Object.values(firstPartyClients).map(({ clientId, appId, serves, redirectPath, loggedOutPath }) => ({
    clientId,
    appId,
    serves,
    redirectUris: [`${origin}${redirectPath}`],
    // Both exact forms: the confirmation page and the start of the application.
    postLogoutRedirectUris: [`${origin}${loggedOutPath}`, `${origin}${redirectPath}`],
  }))

/** The address to go to after sign-out, if a client has registered exactly that one; `client` narrows the search. */
export function registeredPostLogout(
  clients: readonly OwnClient[],
  asked: { readonly redirectUri: string | undefined; readonly clientId: string | undefined },
): string | undefined {
  const { redirectUri, clientId } = asked
  if (redirectUri === undefined) return undefined
  const eligible = clients.filter((client) => clientId === undefined || client.clientId === clientId)
  return eligible.some((client) => client.postLogoutRedirectUris.includes(redirectUri)) ? redirectUri : undefined
}
