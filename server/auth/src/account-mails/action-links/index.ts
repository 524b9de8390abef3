import { randomBytes } from 'node:crypto'
import { foldEmail } from '@sightline/contract/user-details'
import type { EpochMs } from '@sightline/platform/clock'
import type { Tx } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { type ActionLinkKind, getLinkRule, listEndedKinds } from './rules.ts'
import { type NewActionLink, removeLinks } from './store.ts'

export {
  askingFrame,
  doneFrame,
  followLink,
  type LinkAction,
  type LinkActions,
  type LinkReply,
  type OpenLink,
} from './page.ts'
export { findLinkPage, listEndedKinds } from './rules.ts'
export {
  findLink,
  insertLink,
  type LiveLink,
  listLinks,
  type NewActionLink,
  removeLink,
  removeLinks,
  sweepLinks,
} from './store.ts'

const TOKEN_BYTES = 32

/**
 * A link to store and the address to send. The token appears only in that address, and the address only in the email,
 * which is encrypted until it is sent.
 */
export function newActionLink(
  kind: ActionLinkKind,
  person: { readonly userId: number; readonly accountId: number; readonly email: string },
  page: { readonly origin: string; readonly language: string; readonly now: EpochMs },
): { readonly link: NewActionLink; readonly address: string } {
  const { userId, accountId, email } = person
  const { origin, language, now } = page
  const { path, lifeMs } = getLinkRule(kind)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const times = { createdAt: now, expiresAt: now + lifeMs }
  return {
    link: { kind, userId, accountId, tokenSha256: tokenSha256(token), emailFolded: foldEmail(email), ...times },
    address: `${origin}${path}${token}?lang=${language}`,
  }
}

/** Ends the links that rest on the sign-ins of a user, all of which are about to end. */
export const endLinksOfSignIns = (tx: Tx, userId: number): Promise<void> =>
  removeLinks(tx, userId, listEndedKinds('endOfSignIns'))
