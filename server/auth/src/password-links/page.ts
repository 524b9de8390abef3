import { PASSWORDS_BUSY_RETRY_S } from '@sightline/contract/auth-plane'
import { confirmationProblem, passwordProblem } from '@sightline/contract/credentials'
import type { SetPasswordField, SetPasswordPage } from '@sightline/contract/sign-in-pages'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { isCommonPassword } from '../credentials/index.ts'
import { MAIL_LINK_REFERRER, type MailLinkParts, type MailLinkVisit, openLink } from '../mail-links/index.ts'
import { addressOf, frameFor, readFields, sendError, sendPage } from '../pages/index.ts'
import { type SetPasswordParts, setPasswordByLink } from './set-password.ts'
import { findLink, type LiveLink } from './store.ts'

export interface PasswordPageParts extends SetPasswordParts, MailLinkParts {
  readonly db: Db
  readonly clock: Clock
}

export const PASSWORD_LINK_PATH = '/sign-in/password/'

/**
 * The page behind a link of a mail: asks for a password (GET, as often as one likes, because mail programs open links to
 * look at them) or sets it (POST, once), without script or cookie. Links that are over, used or made up look alike.
 */
export async function passwordLink(visit: MailLinkVisit, parts: PasswordPageParts): Promise<void> {
  const hash = tokenSha256(visit.token)
  const link = await openLink(visit, parts, {
    find: () => findLink(parts.db.plain, hash, parts.clock.now()),
    over: 'passwordLink',
  })
  if (link === undefined) return
  if (visit.req.method !== 'POST') return sendForm(visit, parts, { link, status: 200, problems: {} })
  return take(visit, parts, { link, hash })
}

async function take(
  visit: MailLinkVisit,
  parts: PasswordPageParts,
  { link, hash }: { readonly link: LiveLink; readonly hash: Buffer },
): Promise<void> {
  const fields = await readFields(visit.req)
  if (fields === undefined) return sendError(visit, parts, { kind: 'refused', status: 400 })
  const password = fields.get('password') ?? ''
  const problems = problemsOf(password, fields.get('confirmation') ?? '')
  if (Object.keys(problems).length > 0) return sendForm(visit, parts, { link, status: 422, problems })
  const outcome = await setPasswordByLink({ link, tokenSha256: hash, password, address: visit.address }, parts)
  if (outcome === 'over') return sendOver(visit, parts)
  if (outcome === 'busy') {
    visit.res.setHeader('retry-after', String(PASSWORDS_BUSY_RETRY_S))
    return sendForm(visit, parts, { link, status: 429, problems, isBusy: true })
  }
  const { links } = visit.brand.theme
  const signInHref = link.isStaff ? (links.dealerdashboard ?? '/dealer/') : (links.webapp ?? '/app/')
  // The address of this page opens nothing any more, so the other languages lead to where everybody signs in.
  const frame = { ...frameFor(visit.req, visit.brand, { path: '' }), otherLanguages: [] }
  const html = parts.pages.passwordSet({ ...frame, signInHref })
  sendPage(visit.res, { status: 200, frame, html, referrer: MAIL_LINK_REFERRER })
}

function problemsOf(password: string, confirmation: string): SetPasswordPage['problems'] {
  const common = isCommonPassword(password) ? 'This password is too common' : undefined
  const found: Readonly<Record<SetPasswordField, string | undefined>> = {
    password: passwordProblem(password) ?? common,
    confirmation: confirmationProblem(password, confirmation),
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

const sendOver = (visit: MailLinkVisit, parts: Pick<PasswordPageParts, 'pages'>): void =>
  sendError(visit, parts, { kind: 'passwordLink', status: 404 })

function sendForm(
  { req, res, brand, token }: MailLinkVisit,
  { pages }: PasswordPageParts,
  shown: Pick<SetPasswordPage, 'problems' | 'isBusy'> & { readonly link: LiveLink; readonly status: number },
): void {
  const { link, status, problems, isBusy = false } = shown
  const about = { path: `${PASSWORD_LINK_PATH}${token}` }
  const frame = frameFor(req, brand, about)
  const { kind, email } = link
  const html = pages.setPassword({ ...frame, action: addressOf(about, frame.language), kind, email, problems, isBusy })
  sendPage(res, { status, frame, html, referrer: MAIL_LINK_REFERRER })
}
