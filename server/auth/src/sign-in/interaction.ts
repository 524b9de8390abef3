import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Brand } from '@sightline/platform/brands'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { Lookup } from '../people/index.ts'

/** One request to `/sign-in/{uid}`, as the edge saw it. */
export interface SignInRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly uid: string
  readonly brand: Brand
  readonly provider: Provider
  readonly address: string
  /** Whom the client that asks to authorize is for, on this host. */
  readonly among: Lookup
  /** That client is one of our applications. */
  readonly isOwnApplication: boolean
}

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * The interaction named by both this browser's cookie and the path; undefined if it has expired or belongs to another
 * browser.
 */
export async function findInteraction(
  visit: Pick<SignInRequest, 'provider' | 'req' | 'res' | 'uid'>,
): Promise<Interaction | undefined> {
  try {
    const interaction = await visit.provider.interactionDetails(visit.req, visit.res)
    return interaction.uid === visit.uid ? interaction : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

export interface PageContext {
  readonly interaction: Interaction
  readonly uiLocales: string | undefined
  readonly clientId: string | undefined
  readonly formTarget: string | undefined
}

export const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function getPageContext({ brand }: Pick<SignInRequest, 'brand'>, interaction: Interaction): PageContext {
  const { redirect_uri, ui_locales, client_id } = interaction.params
  const target = sourceOf(toText(redirect_uri))
  return {
    interaction,
    uiLocales: toText(ui_locales),
    clientId: toText(client_id),
    formTarget: target === brand.origin ? undefined : target,
  }
}

/** The target of an address for a content security policy: an origin, or a native client's own scheme. */
function sourceOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}

export const getSignInPath = ({ uid }: Pick<SignInRequest, 'uid'>): string => `/sign-in/${uid}`
/** Where the page's script fetches the passkey challenge; `step` if it follows the password. */
export const getPasskeyHref = (visit: Pick<SignInRequest, 'uid'>, step?: string): string =>
  `${getSignInPath(visit)}/passkey${step === undefined ? '' : `?step=${step}`}`
export const getFormAction = (visit: Pick<SignInRequest, 'uid'>, language: string): string =>
  `${getSignInPath(visit)}?lang=${language}`
