import { tokenSha256 } from '@sightline/platform/sessions'
import { findLink, LOCKDOWN_PATH } from '../lockdown-links/index.ts'
import { MAIL_LINK_REFERRER, type MailLinkParts, type MailLinkVisit, openLink } from '../mail-links/index.ts'
import { addressOf, frameFor, readFields, sendError, sendPage } from '../pages/index.ts'
import { type LockdownParts, lockDown } from './lock.ts'
import { lossOf } from './store.ts'

export interface LockdownPageParts extends LockdownParts, MailLinkParts {}

/**
 * The page behind the link of a mail that tells of a sign-in: says what is ended (GET, as often as one likes, because mail
 * programs open links to look at them) and ends it (POST, once), without script or cookie.
 */
export async function lockdownPage(visit: MailLinkVisit, parts: LockdownPageParts): Promise<void> {
  const hash = tokenSha256(visit.token)
  const link = await openLink(visit, parts, {
    find: () => findLink(parts.db.plain, hash, parts.clock.now()),
    over: 'lockdownLink',
  })
  if (link === undefined) return
  const { req, res, brand, token, address } = visit
  if (req.method !== 'POST') {
    const about = { path: `${LOCKDOWN_PATH}${token}` }
    const frame = frameFor(req, brand, about)
    const loss = await lossOf(parts.db, link.userId, parts.clock.now())
    const action = addressOf(about, frame.language)
    const html = parts.pages.lockdown({ ...frame, action, email: link.emailFolded, ...loss })
    return sendPage(res, { status: 200, frame, html, referrer: MAIL_LINK_REFERRER })
  }
  const fields = await readFields(req)
  if (fields === undefined) return sendError(visit, parts, { kind: 'refused', status: 400 })
  const by = { kind: 'link', link, tokenSha256: hash } as const
  const chosen = { endApiKeys: fields.get('apiKeys') === 'end', removePasskeys: false }
  const outcome = await lockDown({ by, ...chosen, host: brand.host, address }, parts)
  if (outcome === 'over') return sendError(visit, parts, { kind: 'lockdownLink', status: 404 })
  // The address of this page opens nothing any more, so there are no other languages of it.
  const frame = { ...frameFor(req, brand, { path: '' }), otherLanguages: [] }
  const { passkeys } = await lossOf(parts.db, link.userId, parts.clock.now())
  const html = parts.pages.lockedDown({ ...frame, isMailed: outcome === 'mailed', email: link.emailFolded, passkeys })
  sendPage(res, { status: 200, frame, html, referrer: MAIL_LINK_REFERRER })
}
