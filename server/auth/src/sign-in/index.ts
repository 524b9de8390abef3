import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorPage, SignInPages, SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Brand } from '@sightline/platform/brands'
import type { Db } from '@sightline/platform/db'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { WriteAudit } from '../audit/index.ts'
import { frameFor, sendPage } from '../pages/index.ts'
import { findByUserId, type Person } from '../people/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { type CheckParts, checkAttempt } from './check.ts'
import { isSameOrigin, readForm, type SignInForm } from './form.ts'

export interface SignInParts extends CheckParts {
  readonly db: Db
  readonly pages: SignInPages
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

/** One request to `/sign-in/{uid}`, as the edge saw it. */
export interface SignInVisit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly uid: string
  readonly brand: Brand
  readonly provider: Provider
  readonly address: string
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** Shows the sign-in page (GET) or takes its form (POST); works without script. */
export async function signIn(visit: SignInVisit, parts: SignInParts): Promise<void> {
  const { req } = visit
  const interaction = await interactionOf(visit)
  if (interaction === undefined) return sendError(visit, parts, { kind: 'expired', status: 400 })
  const page = pageFor(visit, interaction)
  if (req.method !== 'POST') {
    const hint = interaction.params.login_hint
    return sendSignIn(visit, parts, { ...page, status: 200, email: typeof hint === 'string' ? hint.slice(0, 255) : '' })
  }
  if (!isSameOrigin(req, visit.brand.origin)) return sendError(visit, parts, { kind: 'refused', status: 403 })
  const form = await readForm(req)
  if (form === undefined) return sendError(visit, parts, { kind: 'refused', status: 400 })
  if (form.userId !== undefined) return choose(visit, parts, { interaction, userId: form.userId })
  return attempt(visit, parts, { interaction, form })
}

/** The interaction that this browser's cookie and the path both name; undefined where it is over or another's. */
async function interactionOf({ provider, req, res, uid }: SignInVisit): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(req, res)
    return interaction.uid === uid && interaction.prompt.name === 'login' ? interaction : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

interface Page {
  readonly interaction: Interaction
  readonly uiLocales: string | undefined
  readonly clientId: string | undefined
  readonly formTarget: string | undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function pageFor({ brand }: SignInVisit, interaction: Interaction): Page {
  const { redirect_uri, ui_locales, client_id } = interaction.params
  const target = textOf(redirect_uri)
  const origin = target !== undefined && URL.canParse(target) ? new URL(target).origin : undefined
  return {
    interaction,
    uiLocales: textOf(ui_locales),
    clientId: textOf(client_id),
    formTarget: origin === brand.origin || origin === 'null' ? undefined : origin,
  }
}

async function attempt(
  visit: SignInVisit,
  parts: SignInParts,
  given: { readonly interaction: Interaction; readonly form: SignInForm },
): Promise<void> {
  const { interaction, form } = given
  const page = pageFor(visit, interaction)
  const again = (status: number, problem: SignInProblem, retryAfterS?: number) =>
    sendSignIn(visit, parts, { ...page, status, email: form.email, problem, retryAfterS })
  if (form.email.trim() === '' || form.password === '') return again(422, { kind: 'incorrect' })
  const { resellerId } = visit.brand
  const checked = await checkAttempt(
    { email: form.email, password: form.password, resellerId, address: visit.address },
    parts,
  )
  switch (checked.kind) {
    case 'incorrect':
      again(422, { kind: 'incorrect' })
      return writeFailures(visit, parts, { clientId: page.clientId, known: checked.known })
    case 'busy':
      return again(503, { kind: 'busy' }, 2)
    case 'locked':
      return again(429, { kind: 'locked', minutes: Math.ceil(checked.retryAfterS / 60) }, checked.retryAfterS)
    case 'fits': {
      const [person] = checked.people
      if (person !== undefined && checked.people.length === 1) return finish(visit, parts, { interaction, person })
      return askWhich(visit, parts, { page, people: checked.people })
    }
  }
}

/** After the answer: the time that writing takes would tell known addresses from unknown ones. */
async function writeFailures(
  { address }: SignInVisit,
  { audit }: SignInParts,
  failed: { readonly clientId: string | undefined; readonly known: readonly Person[] },
): Promise<void> {
  const { clientId, known } = failed
  for (const { userId, accountId } of known)
    await audit({ accountId, userId, action: 'loginFailed', clientId, address })
}

/** The password fits several accounts; who it was stays in the interaction, so that the password need not be sent again. */
async function askWhich(
  visit: SignInVisit,
  parts: SignInParts,
  given: { readonly page: Page; readonly people: readonly Person[] },
): Promise<void> {
  const { page, people } = given
  const { interaction } = page
  interaction.result = { fits: people.map(({ userId }) => userId) }
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
  const frame = frameFor(visit.req, visit.brand, { path: pathOf(visit), uiLocales: page.uiLocales })
  const accounts = people.map((p) => ({ userId: p.userId, name: p.accountName, brand: p.resellerName }))
  const html = parts.pages.chooseAccount({ ...frame, action: actionOf(visit, frame.language), accounts })
  sendPage(visit.res, { status: 200, frame, html, formTarget: page.formTarget })
}

async function choose(
  visit: SignInVisit,
  parts: SignInParts,
  given: { readonly interaction: Interaction; readonly userId: number },
): Promise<void> {
  const fits = given.interaction.result?.fits
  const mayChoose = Array.isArray(fits) && fits.includes(given.userId)
  const person = mayChoose ? await findByUserId(parts.db, given.userId) : undefined
  if (!person?.maySignIn) return sendError(visit, parts, { kind: 'expired', status: 400 })
  return finish(visit, parts, { interaction: given.interaction, person })
}

async function finish(
  visit: SignInVisit,
  parts: SignInParts,
  given: { readonly interaction: Interaction; readonly person: Person },
): Promise<void> {
  const { interaction, person } = given
  const { req, res, provider, address } = visit
  await endOtherSignIn(visit, parts, given)
  const clientId = textOf(interaction.params.client_id)
  await parts.audit({ accountId: person.accountId, userId: person.userId, action: 'login', clientId, address })
  // The cookie goes with the browser; `ttl.Session` ends it earlier for those who never close theirs.
  const login = { accountId: String(person.userId), remember: false, amr: ['pwd'] }
  await provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false })
}

/** Somebody else was signed in to this browser: that ends, with every token of it, before this one begins. */
async function endOtherSignIn(
  { provider, req, res }: SignInVisit,
  parts: SignInParts,
  { interaction, person }: { readonly interaction: Interaction; readonly person: Person },
): Promise<void> {
  const session = await provider.Session.get(provider.createContext(req, res))
  if (session.accountId === undefined || session.accountId === String(person.userId)) return
  delete interaction.session
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000))
  await parts.sessions.endSignIn(session.uid)
}

const pathOf = ({ uid }: SignInVisit): string => `/sign-in/${uid}`
const actionOf = (visit: SignInVisit, language: string): string => `${pathOf(visit)}?lang=${language}`

function sendSignIn(
  visit: SignInVisit,
  parts: SignInParts,
  shown: Page & {
    readonly status: number
    readonly email: string
    readonly problem?: SignInProblem
    readonly retryAfterS?: number | undefined
  },
): void {
  const frame = frameFor(visit.req, visit.brand, { path: pathOf(visit), uiLocales: shown.uiLocales })
  const problem = shown.problem === undefined ? {} : { problem: shown.problem }
  const action = actionOf(visit, frame.language)
  const html = parts.pages.signIn({ ...frame, action, email: shown.email, ...problem })
  const retry = shown.retryAfterS === undefined ? {} : { retryAfterS: shown.retryAfterS }
  sendPage(visit.res, { status: shown.status, frame, html, formTarget: shown.formTarget, ...retry })
}

function sendError(
  visit: Pick<SignInVisit, 'req' | 'res' | 'brand'>,
  parts: Pick<SignInParts, 'pages'>,
  shown: { readonly kind: ErrorPage['kind']; readonly status: number },
): void {
  const frame = frameFor(visit.req, visit.brand, { path: '' })
  const requestId = visit.req.headers['x-request-id']
  const reference = typeof requestId === 'string' ? { requestId } : {}
  const html = parts.pages.error({ ...frame, kind: shown.kind, ...reference })
  sendPage(visit.res, { status: shown.status, frame, html })
}

export { isSameOrigin, readFields } from './form.ts'
export { sendError }
