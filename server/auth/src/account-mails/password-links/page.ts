import { PASSWORDS_BUSY_RETRY_S } from '@sightline/contract/auth-plane'
import { confirmationProblem, passwordProblem } from '@sightline/contract/credentials'
import type { SetPasswordField, SetPasswordPage, SignInPages } from '@sightline/contract/sign-in-pages'
import { isCommonPassword } from '../../factors/credentials/index.ts'
import { askingFrame, doneFrame, type LinkAction, type LinkReply, type OpenLink } from '../action-links/index.ts'
import { type SetPasswordDeps, setPasswordByLink } from './set-password.ts'

export interface PasswordPageDeps extends SetPasswordDeps {
  readonly pages: SignInPages
}

/** Asks for a password and sets it, after an invitation or a reset request. */
export const setPasswordAction: LinkAction<PasswordPageDeps> = {
  show: async (open, deps) => form(open, deps, { status: 200, problems: {} }),
  async perform(open, deps, fields) {
    const { brand, link, address } = open
    const password = fields.get('password') ?? ''
    const problems = problemsOf(password, fields.get('confirmation') ?? '')
    if (Object.keys(problems).length > 0) return form(open, deps, { status: 422, problems })
    const outcome = await setPasswordByLink({ link, password, address }, deps)
    if (outcome === 'over') return 'over'
    if (outcome === 'busy') {
      return { ...form(open, deps, { status: 429, problems, isBusy: true }), retryAfterS: PASSWORDS_BUSY_RETRY_S }
    }
    const { links } = brand.theme
    const signInHref = link.person.isStaff ? (links.dealerdashboard ?? '/dealer/') : (links.webapp ?? '/app/')
    const frame = doneFrame(open)
    return { status: 200, frame, html: deps.pages.passwordSet({ ...frame, signInHref }) }
  },
}

function problemsOf(password: string, confirmation: string): SetPasswordPage['problems'] {
  const common = isCommonPassword(password) ? 'This password is too common' : undefined
  const found: Readonly<Record<SetPasswordField, string | undefined>> = {
    password: passwordProblem(password) ?? common,
    confirmation: confirmationProblem(password, confirmation),
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

function form(
  open: OpenLink,
  { pages }: PasswordPageDeps,
  shown: Pick<SetPasswordPage, 'problems' | 'isBusy'> & { readonly status: number },
): LinkReply {
  const { status, problems, isBusy = false } = shown
  const { frame, action } = askingFrame(open)
  const kind = open.link.kind === 'invitation' ? 'invitation' : 'reset'
  const { email } = open.link.person
  return { status, frame, html: pages.setPassword({ ...frame, action, kind, email, problems, isBusy }) }
}
