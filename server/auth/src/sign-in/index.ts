import { PASSWORDS_BUSY_RETRY_S } from '@sightline/contract/auth-plane'
import type { SignInPages, SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { relyingParty } from '../factors/passkeys/index.ts'
import type { WriteAudit } from '../people/audit/index.ts'
import type { AuthUser } from '../people/index.ts'
import type { Sessions } from '../sessions/index.ts'
import {
  createPageFrame,
  FORGOT_PASSWORD_PATH,
  getPageHref,
  isSameOrigin,
  sendError,
  sendPage,
} from '../sign-in-pages/index.ts'
import { type CheckDeps, checkAttempt } from './check.ts'
import { finish } from './finish.ts'
import { readForm, type SignInForm } from './form.ts'
import { enterAsGuest, findDemonstration, type GuestAccessDeps } from './guest-access.ts'
import {
  getFormAction,
  getPageContext,
  getPasskeyHref,
  getSignInPath,
  type Interaction,
  type PageContext,
  type SignInRequest,
} from './interaction.ts'
import { signInByPasskey } from './passkey.ts'
import { writeFailures, writeRightPassword } from './replies.ts'
import { askForCode, giveCode, givePasskey, isCodePage, redirectToCode, type SecondStepDeps } from './second-step.ts'
import { findSuspendedSession, suspendedHalfway, suspendedProblem } from './suspended.ts'
import { keepChecked, passwordChecked, stillFitting, type VerifiedPassword } from './verified-password.ts'

export interface SignInDeps extends CheckDeps, SecondStepDeps, GuestAccessDeps {
  readonly db: Db
  readonly pages: SignInPages
  readonly sessions: Sessions
  readonly audit: WriteAudit
  readonly clock: Clock
}

/** Shows the sign-in page (GET) or takes its form (POST); works without script. */
export async function signIn(visit: SignInRequest, deps: SignInDeps, interaction: Interaction): Promise<void> {
  const { req } = visit
  const page = getPageContext(visit, interaction)
  if (req.method !== 'POST') return show(visit, deps, page)
  if (!isSameOrigin(req, visit.brand.origin)) return sendError(visit, deps, { kind: 'refused', status: 403 })
  const form = await readForm(req)
  if (form === undefined) return sendError(visit, deps, { kind: 'refused', status: 400 })
  if (form.demonstration !== undefined) return visitDemonstration(visit, deps, { page, accountId: form.demonstration })
  if (form.userId !== undefined || isCodePage(visit)) {
    const person = await suspendedHalfway(interaction, deps, form.userId)
    if (person !== undefined) return refuseSuspended(visit, deps, { page, email: '', person })
  }
  if (form.userId !== undefined) return choose(visit, deps, { interaction, userId: form.userId })
  if (form.code !== undefined) return giveCode(visit, deps, { interaction, code: form.code })
  if (form.passkey !== undefined) {
    if (isCodePage(visit)) return givePasskey(visit, deps, { interaction, passkey: form.passkey })
    return byPasskey(visit, deps, { interaction, passkey: form.passkey })
  }
  return attempt(visit, deps, { interaction, form })
}

async function show(visit: SignInRequest, deps: SignInDeps, page: PageContext): Promise<void> {
  const { interaction } = page
  if (isCodePage(visit) && (await askForCode(visit, deps, interaction))) return
  const hint = interaction.params.login_hint
  const email = typeof hint === 'string' ? hint.slice(0, 255) : ''
  const halfway = isCodePage(visit) ? await suspendedHalfway(interaction, deps) : undefined
  const person = halfway ?? (await findSuspendedSession(visit, deps))
  const problem = person === undefined ? {} : { problem: suspendedProblem(visit, person) }
  return sendSignIn(visit, deps, { ...page, status: 200, email, ...problem })
}

async function attempt(
  visit: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly form: SignInForm },
): Promise<void> {
  const { interaction, form } = given
  const page = getPageContext(visit, interaction)
  const again = (status: number, problem: SignInProblem, retryAfterS?: number) =>
    sendSignIn(visit, deps, { ...page, status, email: form.email, problem, retryAfterS })
  if (form.email.trim() === '' || form.password === '') return again(422, { kind: 'incorrect' })
  const checked = await checkAttempt(
    {
      email: form.email,
      password: form.password,
      among: visit.among,
      recognizesStaff: visit.isOwnApplication && visit.among.audience === 'members',
      address: visit.address,
    },
    deps,
  )
  switch (checked.kind) {
    case 'incorrect':
      await again(422, { kind: 'incorrect' })
      return writeFailures(visit, deps, { clientId: page.clientId, known: checked.known, outcome: 'wrongPassword' })
    case 'suspended':
      return refuseSuspended(visit, deps, { page, email: form.email, person: checked.person })
    case 'staff': {
      const company = checked.person.resellerName
      await again(422, { kind: 'staff', company, href: visit.brand.theme.links.dealerdashboard ?? '/dealer/' })
      return writeRightPassword(visit, deps, { clientId: page.clientId, person: checked.person })
    }
    case 'busy':
      return again(429, { kind: 'busy' }, PASSWORDS_BUSY_RETRY_S)
    case 'locked':
      await again(429, { kind: 'locked', minutes: Math.ceil(checked.retryAfterS / 60) }, checked.retryAfterS)
      return writeFailures(visit, deps, { clientId: page.clientId, known: checked.known, outcome: 'locked' })
    case 'fits': {
      const { people, isOnlyOne } = checked
      const password: VerifiedPassword = { fits: people.map(toFitting), isOnlyOne, checkedAt: deps.clock.now() }
      const [person] = people
      if (person !== undefined && people.length === 1) return goOn(visit, deps, { interaction, person, password })
      return askWhich(visit, deps, { page, people, password })
    }
  }
}

/** The password is right; the page says why that does not sign in. */
async function refuseSuspended(
  visit: SignInRequest,
  deps: SignInDeps,
  { page, email, person }: { readonly page: PageContext; readonly email: string; readonly person: AuthUser },
): Promise<void> {
  await sendSignIn(visit, deps, { ...page, status: 422, email, problem: suspendedProblem(visit, person) })
  return writeRightPassword(visit, deps, { clientId: page.clientId, person })
}

/** A passkey alone: it is something that the person has, unlocked by what the person is or knows. */
async function byPasskey(
  visit: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly passkey: string },
): Promise<void> {
  const page = getPageContext(visit, given.interaction)
  const refused = await signInByPasskey(visit, deps, given)
  if (refused === undefined) return
  const { status, problem, retryAfterS, known, suspended } = refused
  await sendSignIn(visit, deps, { ...page, status, email: '', problem, retryAfterS })
  if (suspended !== undefined) return writeRightPassword(visit, deps, { clientId: page.clientId, person: suspended })
  return writeFailures(visit, deps, { clientId: page.clientId, known, outcome: 'wrongPasskey' })
}

/** Without a password; it may have been closed since the page was shown. */
async function visitDemonstration(
  visit: SignInRequest,
  deps: SignInDeps,
  { page, accountId }: { readonly page: PageContext; readonly accountId: number },
): Promise<void> {
  if (await enterAsGuest(visit, deps, { interaction: page.interaction, accountId })) return
  return sendSignIn(visit, deps, { ...page, status: 422, email: '', problem: { kind: 'demonstration' } })
}

const toFitting = ({ userId, generation }: AuthUser) => ({ userId, generation })

/** To the application, or to the page that asks for the second factor. */
async function goOn(
  visit: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly person: AuthUser; readonly password: VerifiedPassword },
): Promise<void> {
  const { interaction, person, password } = given
  if (!person.hasSecondFactor) {
    return finish(visit, deps, { interaction, person, checkedAt: password.checkedAt, amr: ['pwd'] })
  }
  await keepChecked(interaction, { ...password, fits: [toFitting(person)], codeOf: person.userId })
  redirectToCode(visit, interaction, person)
}

/** The password fits several accounts; who it was stays in the interaction, so that the password need not be sent again. */
async function askWhich(
  visit: SignInRequest,
  deps: SignInDeps,
  given: { readonly page: PageContext; readonly people: readonly AuthUser[]; readonly password: VerifiedPassword },
): Promise<void> {
  const { page, people, password } = given
  await keepChecked(page.interaction, password)
  const frame = createPageFrame(visit.req, visit.brand, { path: getSignInPath(visit), uiLocales: page.uiLocales })
  const accounts = people.map((p) => ({ userId: p.userId, name: p.accountName, brand: p.resellerName }))
  const html = deps.pages.chooseAccount({ ...frame, action: getFormAction(visit, frame.language), accounts })
  sendPage(visit.res, { status: 200, frame, html, formTarget: page.formTarget })
}

async function choose(
  visit: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly userId: number },
): Promise<void> {
  const { interaction, userId } = given
  const password = passwordChecked(interaction)
  const person = password === undefined ? undefined : await stillFitting(deps.db, password, userId)
  if (password === undefined || person === undefined) return sendError(visit, deps, { kind: 'expired', status: 400 })
  return goOn(visit, deps, { interaction, person, password })
}

async function sendSignIn(
  visit: SignInRequest,
  deps: SignInDeps,
  shown: PageContext & {
    readonly status: number
    readonly email: string
    readonly problem?: SignInProblem
    readonly retryAfterS?: number | undefined
  },
): Promise<void> {
  const frame = createPageFrame(visit.req, visit.brand, { path: getSignInPath(visit), uiLocales: shown.uiLocales })
  const problem = shown.problem === undefined ? {} : { problem: shown.problem }
  const action = getFormAction(visit, frame.language)
  const forgotHref = getPageHref({ path: FORGOT_PASSWORD_PATH, query: { from: visit.uid } }, frame.language)
  const hasScript = relyingParty(visit.brand) !== undefined
  const passkey = hasScript ? { passkeyHref: getPasskeyHref(visit) } : {}
  const demonstrations = await findDemonstration(visit, deps)
  const ways = { forgotHref, ...passkey, ...(demonstrations.length === 0 ? {} : { demonstrations }) }
  const html = deps.pages.signIn({ ...frame, action, email: shown.email, ...ways, ...problem })
  const retry = shown.retryAfterS === undefined ? {} : { retryAfterS: shown.retryAfterS }
  sendPage(visit.res, { status: shown.status, frame, html, formTarget: shown.formTarget, hasScript, ...retry })
}

export { type CheckDeps, checkAttempt, signInAttempts } from './check.ts'
export {
  findInteraction,
  getFormAction,
  getPageContext,
  getSignInPath,
  type Interaction,
  type SignInRequest,
} from './interaction.ts'
export { passkeyOptions } from './passkey.ts'
