import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ForgotPasswordPage, SignInPages } from '@sightline/contract/sign-in-pages'
import { emailProblem } from '@sightline/contract/user-details'
import type { Brand } from '@sightline/platform/brands'
import {
  createPageFrame,
  FORGOT_PASSWORD_PATH,
  getPageHref,
  isSameOrigin,
  readFields,
  SIGN_IN_UID,
  sendError,
  sendPage,
} from '../../sign-in-pages/index.ts'
import { type AskDeps, countResetRequest, sendResets } from './ask.ts'

export interface ForgotRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly brand: Brand
  readonly address: string
}

export interface ForgotDeps extends AskDeps {
  readonly pages: SignInPages
}

const MAX_TYPED = 255

/**
 * Asks for the address (GET) and promises an email (POST), without script or cookie. The response is the same for every
 * address and is sent before any user is looked up.
 */
export async function forgotPassword(request: ForgotRequest, deps: ForgotDeps): Promise<void> {
  const { req, brand } = request
  if (req.method !== 'POST') return sendForm(request, deps, { status: 200, email: '' })
  if (!isSameOrigin(req, brand.origin)) return sendError(request, deps, { kind: 'refused', status: 403 })
  const fields = await readFields(req)
  if (fields === undefined) return sendError(request, deps, { kind: 'refused', status: 400 })
  const email = (fields.get('email') ?? '').trim().slice(0, MAX_TYPED)
  const problem = emailProblem(email)
  if (problem !== undefined) return sendForm(request, deps, { status: 422, email, problem: { kind: 'email', problem } })
  const waitS = await countResetRequest(request.address, deps)
  if (waitS !== undefined) {
    const minutes = Math.ceil(waitS / 60)
    return sendForm(request, deps, { status: 429, email, problem: { kind: 'locked', minutes }, retryAfterS: waitS })
  }
  const { frame, signIn } = framed(request)
  sendPage(request.res, { status: 200, frame, html: deps.pages.resetAsked({ ...frame, ...signIn, email }) })
  await sendResets(email, brand, deps)
}

/** Remembers the sign-in that it was opened from, to return there. */
function framed({ req, brand }: ForgotRequest) {
  const from = new URL(req.url ?? '/', brand.origin).searchParams.get('from')
  const isKnown = from !== null && SIGN_IN_UID.test(from)
  const about = { path: FORGOT_PASSWORD_PATH, ...(isKnown ? { query: { from } } : {}) }
  const frame = createPageFrame(req, brand, about)
  const signIn = isKnown ? { signInHref: getPageHref({ path: `/sign-in/${from}` }, frame.language) } : {}
  return { frame, signIn, action: getPageHref(about, frame.language) }
}

function sendForm(
  request: ForgotRequest,
  { pages }: ForgotDeps,
  shown: Pick<ForgotPasswordPage, 'email' | 'problem'> & { readonly status: number; readonly retryAfterS?: number },
): void {
  const { status, retryAfterS, ...page } = shown
  const { frame, signIn, action } = framed(request)
  const html = pages.forgotPassword({ ...frame, ...signIn, ...page, action })
  sendPage(request.res, { status, frame, html, ...(retryAfterS === undefined ? {} : { retryAfterS }) })
}
