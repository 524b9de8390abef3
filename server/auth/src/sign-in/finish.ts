import type { EpochMs } from '@sightline/platform/clock'
import type { WriteAudit } from '../people/audit/index.ts'
import type { AuthUser } from '../people/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { type Interaction, type SignInRequest, toText } from './interaction.ts'
import { deviceCookie, getSignInMethod, type HistoryDeps, recordSignIn } from './sign-in-history/index.ts'

export interface FinishDeps extends HistoryDeps {
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

interface Finished {
  readonly interaction: Interaction
  readonly person: AuthUser
  /** When the password, or the passkey used instead, was verified. */
  readonly checkedAt: EpochMs
  /** By what (RFC 8176). */
  readonly amr: readonly string[]
}

/** The user is authenticated: records it and redirects to the application. */
export async function finish(request: SignInRequest, deps: FinishDeps, given: Finished): Promise<void> {
  const { interaction, person, checkedAt, amr } = given
  const { req, res, provider, address, brand } = request
  await endOtherSignIn(request, deps, given)
  const clientId = toText(interaction.params.client_id)
  await deps.audit({ accountId: person.accountId, userId: person.userId, action: 'login', clientId, address })
  const sender = { address, userAgent: req.headers['user-agent'] }
  const cookie = deviceCookie(req, res, brand.origin)
  await recordSignIn(person, { method: getSignInMethod(amr), clientId, sender, cookie, host: brand.host }, deps)
  // The cookie ends with the browser; `ttl.Session` ends it earlier for browsers that stay open.
  const login = {
    accountId: String(person.userId),
    remember: false,
    amr: [...amr],
    // The hours of a sign-in start with the password, not with the return to the application.
    ts: Math.floor(checkedAt / 1000),
    generation: person.generation,
  }
  await provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false })
}

/**
 * Another user was signed in to this browser, or the same one in another class, such as a guest. That session ends with
 * all its tokens before this one begins.
 */
export async function endOtherSignIn(
  { provider, req, res }: SignInRequest,
  deps: Pick<FinishDeps, 'sessions'>,
  { interaction, person, acr }: Pick<Finished, 'interaction' | 'person'> & { readonly acr?: string },
): Promise<void> {
  const session = await provider.Session.get(provider.createContext(req, res))
  const isSame = session.accountId === String(person.userId) && session.acr === acr
  if (session.accountId === undefined || isSame) return
  delete interaction.session
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
  await deps.sessions.endSignIn(session.uid)
}
