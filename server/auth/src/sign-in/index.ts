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
import { keepChecked, passwordChecked, recheckUser, type VerifiedPassword } from './verified-password.ts'

export interface SignInDeps extends CheckDeps, SecondStepDeps, GuestAccessDeps {
  readonly db: Db
  readonly pages: SignInPages
  readonly sessions: Sessions
  readonly audit: WriteAudit
  readonly clock: Clock
}

/** Shows the sign-in page (GET) or handles its form (POST); works without script. */
export async function signIn(request: SignInRequest, deps: SignInDeps, interaction: Interaction): Promise<void> {
  const { req } = request
  const page = getPageContext(request, interaction)
  if (req.method !== 'POST') return show(request, deps, page)
  if (!isSameOrigin(req, request.brand.origin)) return sendError(request, deps, { kind: 'refused', status: 403 })
  const form = await readForm(req)
  if (form === undefined) return sendError(request, deps, { kind: 'refused', status: 400 })
  if (form.demonstration !== undefined)
    return enterDemonstration(request, deps, { page, accountId: form.demonstration })
  if (form.userId !== undefined || isCodePage(request)) {
    const person = await suspendedHalfway(interaction, deps, form.userId)
    if (person !== undefined) return refuseSuspended(request, deps, { page, email: '', person })
  }
  if (form.userId !== undefined) return choose(request, deps, { interaction, userId: form.userId })
  if (form.code !== undefined) return giveCode(request, deps, { interaction, code: form.code })
  if (form.passkey !== undefined) {
    if (isCodePage(request)) return givePasskey(request, deps, { interaction, passkey: form.passkey })
    return byPasskey(request, deps, { interaction, passkey: form.passkey })
  }
  return attempt(request, deps, { interaction, form })
}

async function show(request: SignInRequest, deps: SignInDeps, page: PageContext): Promise<void> {
  const { interaction } = page
  if (isCodePage(request) && (await askForCode(request, deps, interaction))) return
  const hint = interaction.params.login_hint
  const email = typeof hint === 'string' ? hint.slice(0, 255) : ''
  const halfway = isCodePage(request) ? await suspendedHalfway(interaction, deps) : undefined
  const person = halfway ?? (await findSuspendedSession(request, deps))
  const problem = person === undefined ? {} : { problem: suspendedProblem(request, person) }
  return sendSignIn(request, deps, { ...page, status: 200, email, ...problem })
}

async function attempt(
  request: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly form: SignInForm },
): Promise<void> {
  const { interaction, form } = given
  const page = getPageContext(request, interaction)
  const again = (status: number, problem: SignInProblem, retryAfterS?: number) =>
    sendSignIn(request, deps, { ...page, status, email: form.email, problem, retryAfterS })
  if (form.email.trim() === '' || form.password === '') return again(422, { kind: 'incorrect' })
  const checked = await checkAttempt(
    {
      email: form.email,
      password: form.password,
      among: request.among,
      recognizesStaff: request.isOwnApplication && request.among.audience === 'members',
      address: request.address,
    },
    deps,
  )
  switch (checked.kind) {
    case 'incorrect':
      await again(422, { kind: 'incorrect' })
      return writeFailures(request, deps, { clientId: page.clientId, known: checked.known, outcome: 'wrongPassword' })
    case 'suspended':
      return refuseSuspended(request, deps, { page, email: form.email, person: checked.person })
    case 'staff': {
      const company = checked.person.resellerName
      await again(422, { kind: 'staff', company, href: request.brand.theme.links.dealerdashboard ?? '/dealer/' })
      return writeRightPassword(request, deps, { clientId: page.clientId, person: checked.person })
    }
    case 'busy':
      return again(429, { kind: 'busy' }, PASSWORDS_BUSY_RETRY_S)
    case 'locked':
      await again(429, { kind: 'locked', minutes: Math.ceil(checked.retryAfterS / 60) }, checked.retryAfterS)
      return writeFailures(request, deps, { clientId: page.clientId, known: checked.known, outcome: 'locked' })
    case 'fits': {
      const { people, isOnlyOne } = checked
      const password: VerifiedPassword = { fits: people.map(toFitting), isOnlyOne, checkedAt: deps.clock.now() }
      const [person] = people
      if (person !== undefined && people.length === 1) return goOn(request, deps, { interaction, person, password })
      return askWhich(request, deps, { page, people, password })
    }
  }
}

/** The password is right; the page explains why sign-in fails. */
async function refuseSuspended(
  request: SignInRequest,
  deps: SignInDeps,
  { page, email, person }: { readonly page: PageContext; readonly email: string; readonly person: AuthUser },
): Promise<void> {
  await sendSignIn(request, deps, { ...page, status: 422, email, problem: suspendedProblem(request, person) })
  return writeRightPassword(request, deps, { clientId: page.clientId, person })
}

/** A passkey alone counts as two factors: possession, unlocked by biometrics or a PIN. */
async function byPasskey(
  request: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly passkey: string },
): Promise<void> {
  const page = getPageContext(request, given.interaction)
  const refused = await signInByPasskey(request, deps, given)
  if (refused === undefined) return
  const { status, problem, retryAfterS, known, suspended } = refused
  await sendSignIn(request, deps, { ...page, status, email: '', problem, retryAfterS })
  if (suspended !== undefined) return writeRightPassword(request, deps, { clientId: page.clientId, person: suspended })
  return writeFailures(request, deps, { clientId: page.clientId, known, outcome: 'wrongPasskey' })
}

/** Without a password; it may have been closed since the page was shown. */
async function enterDemonstration(
  request: SignInRequest,
  deps: SignInDeps,
  { page, accountId }: { readonly page: PageContext; readonly accountId: number },
): Promise<void> {
  if (await enterAsGuest(request, deps, { interaction: page.interaction, accountId })) return
  return sendSignIn(request, deps, { ...page, status: 422, email: '', problem: { kind: 'demonstration' } })
}

const toFitting = ({ userId, generation }: AuthUser) => ({ userId, generation })

/** To the application, or to the page that asks for the second factor. */
async function goOn(
  request: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly person: AuthUser; readonly password: VerifiedPassword },
): Promise<void> {
  const { interaction, person, password } = given
  if (!person.hasSecondFactor) {
    return finish(request, deps, { interaction, person, checkedAt: password.checkedAt, amr: ['pwd'] })
  }
  await keepChecked(interaction, { ...password, fits: [toFitting(person)], codeOf: person.userId })
  redirectToCode(request, interaction, person)
}

/** The password fits several accounts; the interaction remembers the match, so that the password isn't sent again. */
async function askWhich(
  request: SignInRequest,
  deps: SignInDeps,
  given: { readonly page: PageContext; readonly people: readonly AuthUser[]; readonly password: VerifiedPassword },
): Promise<void> {
  const { page, people, password } = given
  await keepChecked(page.interaction, password)
  const frame = createPageFrame(request.req, request.brand, { path: getSignInPath(request), uiLocales: page.uiLocales })
  const accounts = people.map((p) => ({ userId: p.userId, name: p.accountName, brand: p.resellerName }))
  const html = deps.pages.chooseAccount({ ...frame, action: getFormAction(request, frame.language), accounts })
  sendPage(request.res, { status: 200, frame, html, formTarget: page.formTarget })
}

async function choose(
  request: SignInRequest,
  deps: SignInDeps,
  given: { readonly interaction: Interaction; readonly userId: number },
): Promise<void> {
  const { interaction, userId } = given
  const password = passwordChecked(interaction)
  const person = password === undefined ? undefined : await recheckUser(deps.db, password, userId)
  if (password === undefined || person === undefined) return sendError(request, deps, { kind: 'expired', status: 400 })
  return goOn(request, deps, { interaction, person, password })
}

async function sendSignIn(
  request: SignInRequest,
  deps: SignInDeps,
  shown: PageContext & {
    readonly status: number
    readonly email: string
    readonly problem?: SignInProblem
    readonly retryAfterS?: number | undefined
  },
): Promise<void> {
  const frame = createPageFrame(request.req, request.brand, {
    path: getSignInPath(request),
    uiLocales: shown.uiLocales,
  })
  const problem = shown.problem === undefined ? {} : { problem: shown.problem }
  const action = getFormAction(request, frame.language)
  const forgotHref = getPageHref({ path: FORGOT_PASSWORD_PATH, query: { from: request.uid } }, frame.language)
  const hasScript = relyingParty(request.brand) !== undefined
  const passkey = hasScript ? { passkeyHref: getPasskeyHref(request) } : {}
  const demonstrations = await findDemonstration(request, deps)
  const ways = { forgotHref, ...passkey, ...(demonstrations.length === 0 ? {} : { demonstrations }) }
  const html = deps.pages.signIn({ ...frame, action, email: shown.email, ...ways, ...problem })
  const retry = shown.retryAfterS === undefined ? {} : { retryAfterS: shown.retryAfterS }
  sendPage(request.res, { status: shown.status, frame, html, formTarget: shown.formTarget, hasScript, ...retry })
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
