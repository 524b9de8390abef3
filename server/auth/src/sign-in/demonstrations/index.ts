import type { KoaContextWithOIDC } from 'oidc-provider'

export { holdDemonstration, isDemonstration, listDemonstrations } from './store.ts'

/**
 * The class of a guest's sign-in, which proves no identity (OpenID Connect Core §2, `acr`): its session is inside a
 * demo. Migration public-demonstrations uses it too.
 */
export const VISIT_ACR = '0'

/** Visitors are led back to the sign-in page after that long, and can begin again. */
export const VISIT_S = 2 * 3600

/** Whether the request is a guest's: by the code that it exchanges, or else by the browser's session. */
export function isGuestRequest(ctx: KoaContextWithOIDC | undefined): boolean {
  const { AuthorizationCode: code, Session: session } = ctx?.oidc.entities ?? {}
  return (code ?? session)?.acr === VISIT_ACR
}
