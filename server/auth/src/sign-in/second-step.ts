import { PASSWORDS_BUSY_RETRY_S } from '@sightline/contract/auth-plane'
import type { SecondFactorPage, SignInPages, SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Db } from '@sightline/platform/db'
import type { Subject } from '../factors/failures/index.ts'
import { checkSecondFactor, listFailureSubjects, type SecondFactorDeps } from '../factors/mfa/index.ts'
import { checkPasskey, listPasskeys, relyingParty } from '../factors/passkeys/index.ts'
import type { AuthUser } from '../people/index.ts'
import { createPageFrame, getPageHref, sendError, sendPage } from '../sign-in-pages/index.ts'
import { type FinishDeps, finish } from './finish.ts'
import {
  findInteraction,
  getFormAction,
  getPageContext,
  getPasskeyHref,
  getSignInPath,
  type Interaction,
  type SignInRequest,
} from './interaction.ts'
import { REFUSED, readAnswer, toLockedFailure } from './passkey.ts'
import { isDone, resume, writeFailures } from './replies.ts'
import { passwordChecked, recheckUser } from './verified-password.ts'

export interface SecondStepDeps extends SecondFactorDeps, FinishDeps {
  readonly db: Db
  readonly pages: SignInPages
}

/** The query of the page's address, in addition to its language; the way back to the password has none. */
const STEPS = { app: 'code', passkey: 'passkey', recoveryCode: 'recovery' } as const
const KINDS: readonly SecondFactorPage['kind'][] = ['app', 'passkey', 'recoveryCode']

function kindOf({ req, brand }: SignInRequest): SecondFactorPage['kind'] | undefined {
  const step = new URL(req.url ?? '/', brand.origin).searchParams.get('step')
  return KINDS.find((kind) => STEPS[kind] === step)
}

/** The first choice: the app's code if there is an app; a passkey is accepted there too. */
const mainKindOf = ({ hasAuthenticatorApp }: AuthUser): 'app' | 'passkey' => (hasAuthenticatorApp ? 'app' : 'passkey')

/** Whether the address is that of the page for the second factor. */
export const isCodePage = (request: SignInRequest): boolean => kindOf(request) !== undefined

/**
 * Redirects to the page's own address, so that reloading sends no password again and Back leads to the previous page.
 */
export function redirectToCode(request: SignInRequest, interaction: Interaction, person: AuthUser): void {
  const { uiLocales } = getPageContext(request, interaction)
  const { language } = createPageFrame(request.req, request.brand, { path: getSignInPath(request), uiLocales })
  const location = getPageHref({ path: getSignInPath(request), query: { step: STEPS[mainKindOf(person)] } }, language)
  request.res.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': '0' })
  request.res.end()
}

/** Shows the page; false, without a response, if no password has been verified yet. */
export async function askForCode(
  request: SignInRequest,
  deps: SecondStepDeps,
  interaction: Interaction,
): Promise<boolean> {
  const person = (await halfway(interaction, deps))?.person
  if (person === undefined) return false
  await sendCodePage(request, deps, { interaction, person, status: 200 })
  return true
}

/** The user with a verified password who must provide a second factor; undefined if that has expired. */
async function halfway(interaction: Interaction, { db }: Pick<SecondStepDeps, 'db'>) {
  const password = passwordChecked(interaction)
  const userId = password?.codeOf
  const person = password === undefined || userId === undefined ? undefined : await recheckUser(db, password, userId)
  return password === undefined || person === undefined ? undefined : { password, person }
}

/** Handles the page's form. */
export async function giveCode(
  request: SignInRequest,
  deps: SecondStepDeps,
  given: { readonly interaction: Interaction; readonly code: string },
): Promise<void> {
  const { interaction, code } = given
  const { address, brand } = request
  if (isDone(interaction)) return resume(request, interaction)
  const found = await halfway(interaction, deps)
  if (found === undefined) return sendError(request, deps, { kind: 'expired', status: 400 })
  const { person, password } = found
  const { clientId } = getPageContext(request, interaction)
  const { checkedAt, isOnlyOne } = password
  const again = (shown: Omit<CodePageShown, 'interaction' | 'person'>) =>
    sendCodePage(request, deps, { interaction, person, ...shown })
  const about = { person, code, address, host: brand.host, clientId, isOnlyOne }
  const verdict = await checkSecondFactor(about, deps)
  switch (verdict.kind) {
    case 'right':
      return finish(request, deps, { interaction, person, checkedAt, amr: ['pwd', 'otp', 'mfa'] })
    case 'wrong':
      if (isDone(await findInteraction(request))) return resume(request, interaction)
      await again({ status: 422, problem: { kind: 'incorrect' } })
      return writeFailures(request, deps, { clientId, known: [person], outcome: 'wrongCode' })
    case 'busy':
      return again({ status: 429, problem: { kind: 'busy' }, retryAfterS: PASSWORDS_BUSY_RETRY_S })
    case 'locked':
      return again(toLockedFailure(verdict.retryAfterS))
  }
}

/** Accepts a passkey instead of the code. */
export async function givePasskey(
  request: SignInRequest,
  deps: SecondStepDeps,
  given: { readonly interaction: Interaction; readonly passkey: string },
): Promise<void> {
  const { interaction } = given
  if (isDone(interaction)) return resume(request, interaction)
  const found = await halfway(interaction, deps)
  const rp = relyingParty(request.brand)
  if (found === undefined || rp === undefined) return sendError(request, deps, { kind: 'expired', status: 400 })
  const { person, password } = found
  const { clientId } = getPageContext(request, interaction)
  const email: readonly Subject[] = password.isOnlyOne ? [{ kind: 'email', emailFolded: person.emailFolded }] : []
  const verdict = await checkPasskey(
    {
      place: { purpose: 'secondStep', boundTo: request.uid },
      rp,
      answer: readAnswer(given.passkey),
      address: request.address,
      clientId,
      person,
      subjects: [...email, ...listFailureSubjects(person.userId)],
    },
    deps,
  )
  if (verdict.kind === 'right') {
    return finish(request, deps, { interaction, person, checkedAt: password.checkedAt, amr: ['pwd', 'pop', 'mfa'] })
  }
  if (isDone(await findInteraction(request))) return resume(request, interaction)
  const isLocked = verdict.kind === 'locked'
  const refusal = isLocked ? toLockedFailure(verdict.retryAfterS) : REFUSED
  await sendCodePage(request, deps, { interaction, person, ...refusal })
  if (!isLocked) return writeFailures(request, deps, { clientId, known: [person], outcome: 'wrongPasskey' })
}

interface CodePageShown {
  readonly interaction: Interaction
  readonly person: AuthUser
  readonly status: number
  readonly problem?: SignInProblem
  readonly retryAfterS?: number
}

async function sendCodePage(request: SignInRequest, deps: SecondStepDeps, shown: CodePageShown): Promise<void> {
  const { status, person } = shown
  const page = getPageContext(request, shown.interaction)
  const path = getSignInPath(request)
  const mainKind = mainKindOf(person)
  const kind = kindOf(request) ?? mainKind
  const rp = relyingParty(request.brand)
  const passkeys = await listPasskeys(deps.db.plain, person.userId)
  const hasScript = kind !== 'recoveryCode' && passkeys.some(({ rpId }) => rpId === rp?.id)
  const frame = createPageFrame(request.req, request.brand, {
    path,
    uiLocales: page.uiLocales,
    query: { step: STEPS[kind] },
  })
  const at = (step: string) => getPageHref({ path, query: { step } }, frame.language)
  const html = deps.pages.secondFactor({
    ...frame,
    kind,
    action: at(STEPS[kind]),
    otherHref: at(STEPS[kind === 'recoveryCode' ? mainKind : 'recoveryCode']),
    mainKind,
    startHref: getFormAction(request, frame.language),
    passkeyHosts: [...new Set(passkeys.map(({ rpId }) => rpId))],
    ...(hasScript ? { passkeyHref: getPasskeyHref(request, STEPS.passkey) } : {}),
    ...(shown.problem === undefined ? {} : { problem: shown.problem }),
  })
  const retry = shown.retryAfterS === undefined ? {} : { retryAfterS: shown.retryAfterS }
  sendPage(request.res, { status, frame, html, formTarget: page.formTarget, hasScript, ...retry })
}
