import type { ErrorPage, SignInPages, SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Clock, EpochMs } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { WriteAudit } from '../audit/index.ts'
import { frameFor, sendPage } from '../pages/index.ts'
import { findByUserId, type Person } from '../people/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { type CheckParts, checkAttempt } from './check.ts'
import { isSameOrigin, readForm, type SignInForm } from './form.ts'
import { actionOf, type Interaction, type Page, pageFor, pathOf, type SignInVisit, textOf } from './interaction.ts'

export interface SignInParts extends CheckParts {
  readonly db: Db
  readonly pages: SignInPages
  readonly sessions: Sessions
  readonly audit: WriteAudit
  readonly clock: Clock
}

/** An account that address and password fitted, kept in the interaction while the person is asked which is meant. */
type Fitting = Pick<Person, 'userId' | 'generation'>

/** Shows the sign-in page (GET) or takes its form (POST); works without script. */
export async function signIn(visit: SignInVisit, parts: SignInParts, interaction: Interaction): Promise<void> {
  const { req } = visit
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
  const checked = await checkAttempt(
    { email: form.email, password: form.password, among: visit.among, address: visit.address },
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
      if (person !== undefined && checked.people.length === 1) {
        return finish(visit, parts, { interaction, person, checkedAt: parts.clock.now() })
      }
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
  const fits: readonly Fitting[] = people.map(({ userId, generation }) => ({ userId, generation }))
  interaction.result = { fits, checkedAt: parts.clock.now() }
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
  const { fits, checkedAt } = given.interaction.result ?? {}
  const chosen = Array.isArray(fits) ? (fits as Fitting[]).find(({ userId }) => userId === given.userId) : undefined
  const person = chosen === undefined ? undefined : await findByUserId(parts.db, given.userId)
  const isExpired = typeof checkedAt !== 'number' || person?.generation !== chosen?.generation
  if (!person?.maySignIn || isExpired) return sendError(visit, parts, { kind: 'expired', status: 400 })
  return finish(visit, parts, { interaction: given.interaction, person, checkedAt })
}

async function finish(
  visit: SignInVisit,
  parts: SignInParts,
  given: { readonly interaction: Interaction; readonly person: Person; readonly checkedAt: EpochMs },
): Promise<void> {
  const { interaction, person, checkedAt } = given
  const { req, res, provider, address } = visit
  await endOtherSignIn(visit, parts, given)
  const clientId = textOf(interaction.params.client_id)
  await parts.audit({ accountId: person.accountId, userId: person.userId, action: 'login', clientId, address })
  // The cookie goes with the browser; `ttl.Session` ends it earlier for those who never close theirs.
  const login = {
    accountId: String(person.userId),
    remember: false,
    amr: ['pwd'],
    // The hours of a sign-in begin with the password, not with the way back to the application.
    ts: Math.floor(checkedAt / 1000),
    generation: person.generation,
  }
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

export { type CheckParts, checkAttempt } from './check.ts'
export { isSameOrigin, readBody, readFields } from './form.ts'
export {
  actionOf,
  type Interaction,
  interactionOf,
  pageFor,
  pathOf,
  type SignInVisit,
} from './interaction.ts'
export { sendError }
