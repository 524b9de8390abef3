import type { KoaContextWithOIDC } from 'oidc-provider'

export { holdDemonstration, isDemonstration, listDemonstrations } from './store.ts'

/**
 * The class of a sign-in by which nobody showed who they are (OpenID Connect Core §2, `acr`): whoever has it looks around a
 * demonstration. Migration public-demonstrations knows it, too.
 */
export const VISIT_ACR = '0'

/** Visitors are led back to the sign-in page after that long, and can begin again. */
export const VISIT_S = 2 * 3600

/** Whether the request is a visitor's: by the code that it exchanges, or else by the browser's session. */
export function isGuestRequest(ctx: KoaContextWithOIDC | undefined): boolean {
  const { AuthorizationCode: code, Session: session } = ctx?.oidc.entities ?? {}
  return (code ?? session)?.acr === VISIT_ACR
}
