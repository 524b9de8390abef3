import { tokenSha256 } from '@sightline/platform/sessions'
import { MAIL_LINK_REFERRER, type MailLinkParts, type MailLinkVisit, openLink } from '../mail-links/index.ts'
import { addressOf, frameFor, readFields, sendError, sendPage } from '../pages/index.ts'
import type { SignInMailParts } from '../sign-in-mails/index.ts'
import { confirmChange, refuseChange } from './answer.ts'
import { EMAIL_CHANGE_PATH } from './letter.ts'
import { findChange, type LiveChange } from './store.ts'

export interface EmailPageParts extends MailLinkParts, SignInMailParts {}

/**
 * The page behind the link that asks for another e-mail address: shows both addresses (GET, as often as one likes, because
 * mail programs open links to look at them) and takes the answer (POST, once), without script or cookie.
 */
export async function emailChange(visit: MailLinkVisit, parts: EmailPageParts): Promise<void> {
  const hash = tokenSha256(visit.token)
  const change = await openLink(visit, parts, {
    find: () => findChange(parts.db, hash, parts.clock.now()),
    over: 'emailLink',
  })
  if (change === undefined) return
  if (visit.req.method !== 'POST') return sendQuestion(visit, parts, { change, status: 200 })
  const decision = (await readFields(visit.req))?.get('decision')
  if (decision !== 'confirm' && decision !== 'refuse') {
    return sendError(visit, parts, { kind: 'refused', status: 400 })
  }
  const given = { change, tokenSha256: hash, host: visit.brand.host, address: visit.address }
  const outcome = await (decision === 'confirm' ? confirmChange(given, parts) : refuseChange(given, parts))
  if (outcome === 'over') return sendError(visit, parts, { kind: 'emailLink', status: 404 })
  if (outcome === 'taken') return sendQuestion(visit, parts, { change, status: 409 })
  sendOutcome(visit, parts, { outcome, email: outcome === 'confirmed' ? change.newEmail : change.email })
}

/** Status 409 says that another user has the address. */
function sendQuestion(
  { req, res, brand, token }: MailLinkVisit,
  { pages }: EmailPageParts,
  { change, status }: { readonly change: LiveChange; readonly status: 200 | 409 },
): void {
  const about = { path: `${EMAIL_CHANGE_PATH}${token}` }
  const frame = frameFor(req, brand, about)
  const { email, newEmail, askedBy } = change
  const action = addressOf(about, frame.language)
  const html = pages.confirmEmail({ ...frame, action, email, newEmail, askedBy, isTaken: status === 409 })
  sendPage(res, { status, frame, html, referrer: MAIL_LINK_REFERRER })
}

function sendOutcome(
  { req, res, brand }: MailLinkVisit,
  { pages }: EmailPageParts,
  { outcome, email }: { readonly outcome: 'confirmed' | 'refused'; readonly email: string },
): void {
  // The address of this page opens nothing any more, so the other languages lead to where everybody signs in.
  const frame = { ...frameFor(req, brand, { path: '' }), otherLanguages: [] }
  const signInHref = brand.theme.links.webapp ?? '/app/'
  const html = pages.emailAnswered({ ...frame, outcome, email, signInHref })
  sendPage(res, { status: 200, frame, html, referrer: MAIL_LINK_REFERRER })
}
