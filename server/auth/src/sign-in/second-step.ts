import type { SecondFactorPage, SignInPages, SignInProblem } from '@sightline/contract/sign-in-pages'
import type { Db } from '@sightline/platform/db'
import { checkSecondFactor, type SecondFactorParts } from '../mfa/index.ts'
import { addressOf, frameFor, sendPage } from '../pages/index.ts'
import { type FinishParts, finish } from './finish.ts'
import { actionOf, type Interaction, interactionOf, pageFor, pathOf, type SignInVisit } from './interaction.ts'
import { passwordChecked, stillFitting } from './password-checked.ts'
import { sendError, writeFailures } from './replies.ts'

export interface SecondStepParts extends SecondFactorParts, FinishParts {
  readonly db: Db
  readonly pages: SignInPages
}

/** What the address of the page says besides its language; the way back to the password says nothing. */
const STEPS: Readonly<Record<SecondFactorPage['kind'], string>> = { app: 'code', recoveryCode: 'recovery' }

function kindOf({ req, brand }: SignInVisit): SecondFactorPage['kind'] | undefined {
  const step = new URL(req.url ?? '/', brand.origin).searchParams.get('step')
  if (step === STEPS.app) return 'app'
  return step === STEPS.recoveryCode ? 'recoveryCode' : undefined
}

/** Whether the address is that of the page for the second factor. */
export const isCodePage = (visit: SignInVisit): boolean => kindOf(visit) !== undefined

/**
 * Leads to the page: by an address of its own, so that reloading it sends no password again, and a step back is the page
 * before.
 */
export function redirectToCode(visit: SignInVisit, interaction: Interaction): void {
  const { uiLocales } = pageFor(visit, interaction)
  const { language } = frameFor(visit.req, visit.brand, { path: pathOf(visit), uiLocales })
  const location = addressOf({ path: pathOf(visit), query: { step: STEPS.app } }, language)
  visit.res.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': '0' })
  visit.res.end()
}

/** Shows the page; false, and nothing is answered, where no password was right yet. */
export function askForCode(visit: SignInVisit, parts: SecondStepParts, interaction: Interaction): boolean {
  if (passwordChecked(interaction)?.codeOf === undefined) return false
  sendCodePage(visit, parts, { interaction, status: 200 })
  return true
}

/** Takes the form of the page. */
export async function giveCode(
  visit: SignInVisit,
  parts: SecondStepParts,
  given: { readonly interaction: Interaction; readonly code: string },
): Promise<void> {
  const { interaction, code } = given
  const { address, brand } = visit
  if (isDone(interaction)) return resume(visit, interaction)
  const password = passwordChecked(interaction)
  const userId = password?.codeOf
  const person =
    password === undefined || userId === undefined ? undefined : await stillFitting(parts.db, password, userId)
  if (password === undefined || person === undefined) return sendError(visit, parts, { kind: 'expired', status: 400 })
  const { clientId } = pageFor(visit, interaction)
  const { checkedAt, isOnlyOne } = password
  const about = { person, code, address, host: brand.host, clientId, isOnlyOne }
  const verdict = await checkSecondFactor(about, parts)
  switch (verdict.kind) {
    case 'right':
      return finish(visit, parts, { interaction, person, checkedAt, amr: ['pwd', 'otp', 'mfa'] })
    case 'wrong':
      if (isDone(await interactionOf(visit))) return resume(visit, interaction)
      sendCodePage(visit, parts, { interaction, status: 422, problem: { kind: 'incorrect' } })
      return writeFailures(visit, parts, { clientId, known: [person] })
    case 'busy':
      return sendCodePage(visit, parts, { interaction, status: 503, problem: { kind: 'busy' }, retryAfterS: 2 })
    case 'locked': {
      const { retryAfterS } = verdict
      const minutes = Math.ceil(retryAfterS / 60)
      return sendCodePage(visit, parts, { interaction, status: 429, problem: { kind: 'locked', minutes }, retryAfterS })
    }
  }
}

/** A button that is pressed twice sends one code twice, and the browser shows what the second one brings. */
const isDone = (interaction: Interaction | undefined): boolean => interaction?.result?.login !== undefined

function resume({ res }: SignInVisit, { returnTo }: Interaction): void {
  res.writeHead(303, { location: returnTo, 'cache-control': 'no-store', 'content-length': '0' })
  res.end()
}

function sendCodePage(
  visit: SignInVisit,
  parts: SecondStepParts,
  shown: {
    readonly interaction: Interaction
    readonly status: number
    readonly problem?: SignInProblem
    readonly retryAfterS?: number
  },
): void {
  const { status } = shown
  const page = pageFor(visit, shown.interaction)
  const path = pathOf(visit)
  const kind = kindOf(visit) ?? 'app'
  const frame = frameFor(visit.req, visit.brand, { path, uiLocales: page.uiLocales, query: { step: STEPS[kind] } })
  const at = (step: string) => addressOf({ path, query: { step } }, frame.language)
  const html = parts.pages.secondFactor({
    ...frame,
    kind,
    action: at(STEPS[kind]),
    otherHref: at(STEPS[kind === 'app' ? 'recoveryCode' : 'app']),
    startHref: actionOf(visit, frame.language),
    ...(shown.problem === undefined ? {} : { problem: shown.problem }),
  })
  const retry = shown.retryAfterS === undefined ? {} : { retryAfterS: shown.retryAfterS }
  sendPage(visit.res, { status, frame, html, formTarget: page.formTarget, ...retry })
}
