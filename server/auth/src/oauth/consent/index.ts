import { type ConsentScope, consentScopes, type SignInPages } from '@sightline/contract/sign-in-pages'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { WriteAudit } from '../../people/audit/index.ts'
import { type AuthUser, findByUserId } from '../../people/index.ts'
import {
  getFormAction,
  getPageContext,
  getSignInPath,
  type Interaction,
  type SignInRequest,
} from '../../sign-in/index.ts'
import { createPageFrame, isSameOrigin, readFields, sendError, sendPage } from '../../sign-in-pages/index.ts'
import { findClient, type RegisteredClient } from '../clients/index.ts'
import { consentedScopes, saveConsent } from './store.ts'

export { type ConsentRow, consentedScopes, holdConsent, listConsents, removeConsent } from './store.ts'

export interface ConsentDeps {
  readonly db: Db
  readonly clock: Clock
  readonly pages: SignInPages
  readonly audit: WriteAudit
}

/** The requested scopes and the user. */
interface Question {
  readonly interaction: Interaction
  readonly client: RegisteredClient
  readonly person: AuthUser
  readonly scopes: readonly ConsentScope[]
}

/**
 * Asks whether a client may act for the signed-in user (GET) and handles the answer (POST). The answer counts only from
 * this page in the same browser: same origin, the interaction's own cookie, and the sign-in that was asked.
 */
export async function consent(request: SignInRequest, deps: ConsentDeps, interaction: Interaction): Promise<void> {
  const { req, brand } = request
  const question = await questionOf(request, deps, interaction)
  if (question === undefined) return sendError(request, deps, { kind: 'expired', status: 400 })
  if (req.method !== 'POST') return sendQuestion(request, deps, question)
  if (!isSameOrigin(req, brand.origin)) return sendError(request, deps, { kind: 'refused', status: 403 })
  const decision = (await readFields(req))?.get('decision')
  if (decision === 'allow') return allow(request, deps, question)
  if (decision === 'refuse') return refuse(request)
  return sendError(request, deps, { kind: 'refused', status: 400 })
}

async function questionOf(
  { provider, req, res }: SignInRequest,
  { db }: ConsentDeps,
  interaction: Interaction,
): Promise<Question | undefined> {
  const { session: asked, params } = interaction
  const session = await provider.Session.get(provider.createContext(req, res))
  if (asked === undefined || session.uid !== asked.uid || session.accountId !== asked.accountId) return undefined
  const person = await findByUserId(db, Number(asked.accountId))
  const client = typeof params.client_id === 'string' ? await findClient(db, params.client_id) : undefined
  if (!person?.maySignIn || client === undefined) return undefined
  const wanted = typeof params.scope === 'string' ? params.scope.split(' ') : []
  return { interaction, client, person, scopes: consentScopes.filter((scope) => wanted.includes(scope)) }
}

function sendQuestion(request: SignInRequest, deps: ConsentDeps, question: Question): void {
  const { interaction, client, person, scopes } = question
  const page = getPageContext(request, interaction)
  const frame = createPageFrame(request.req, request.brand, { path: getSignInPath(request), uiLocales: page.uiLocales })
  const { redirect_uri } = interaction.params
  const html = deps.pages.consent({
    ...frame,
    action: getFormAction(request, frame.language),
    clientName: client.name,
    email: person.email,
    scopes,
    returnsTo: typeof redirect_uri === 'string' ? placeOf(redirect_uri) : '',
  })
  sendPage(request.res, { status: 200, frame, html, formTarget: page.formTarget })
}

/** The host that users recognize; for a native client's own scheme, the scheme. */
const placeOf = (address: string): string => {
  const { host, protocol } = new URL(address)
  return host === '' || !protocol.startsWith('http') ? protocol.slice(0, -1) : host
}

async function allow(
  { req, res, provider, address }: SignInRequest,
  { db, clock, audit }: ConsentDeps,
  { client, person, scopes }: Question,
): Promise<void> {
  const { userId, accountId } = person
  const { clientId } = client
  const before = await consentedScopes(db, { userId, clientId })
  if (!scopes.every((scope) => before.includes(scope))) {
    await saveConsent(db, clock, { userId, clientId, scopes })
    await audit({ accountId, userId, action: 'clientAllowed', clientId, address })
  }
  await provider.interactionFinished(req, res, { consent: {} }, { mergeWithLastSubmission: true })
}

/** Back to the client with `access_denied` (RFC 6749 §4.1.2.1). */
async function refuse({ req, res, provider }: SignInRequest): Promise<void> {
  const error_description = 'the user denied access'
  await provider.interactionFinished(
    req,
    res,
    { error: 'access_denied', error_description },
    { mergeWithLastSubmission: false },
  )
}
