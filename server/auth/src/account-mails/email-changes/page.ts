import type { SignInPages } from '@sightline/contract/sign-in-pages'
import type { SignInMailDeps } from '../../people/email-templates/index.ts'
import { askingFrame, doneFrame, type LinkAction, type LinkReply, type OpenLink } from '../action-links/index.ts'
import { confirmChange, rejectChange } from './answer.ts'
import { findChange, type LiveChange } from './store.ts'

export interface EmailChangeDeps extends SignInMailDeps {
  readonly pages: SignInPages
}

/** Asks whether a user's email address should change, and handles the answer. */
export const emailChangeAction: LinkAction<EmailChangeDeps> = {
  async show(open, deps) {
    const change = await findChange(deps.db, open.link)
    return change === undefined ? 'over' : question(open, deps, { change, status: 200 })
  },
  async perform(open, deps, fields) {
    const change = await findChange(deps.db, open.link)
    if (change === undefined) return 'over'
    const decision = fields.get('decision')
    if (decision !== 'confirm' && decision !== 'refuse') return 'refused'
    const { link, brand, address } = open
    const given = { change, link, host: brand.host, address }
    const outcome = await (decision === 'confirm' ? confirmChange(given, deps) : rejectChange(given, deps))
    if (outcome === 'over') return 'over'
    if (outcome === 'taken') return question(open, deps, { change, status: 409 })
    const frame = doneFrame(open)
    const email = outcome === 'confirmed' ? change.newEmail : change.email
    const signInHref = brand.theme.links.webapp ?? '/app/'
    return { status: 200, frame, html: deps.pages.emailAnswered({ ...frame, outcome, email, signInHref }) }
  },
}

/** Status 409 means that another user has the address. */
function question(
  open: OpenLink,
  { pages }: EmailChangeDeps,
  { change, status }: { readonly change: LiveChange; readonly status: 200 | 409 },
): LinkReply {
  const { frame, action } = askingFrame(open)
  const { email, newEmail, askedBy } = change
  const html = pages.confirmEmail({ ...frame, action, email, newEmail, askedBy, isTaken: status === 409 })
  return { status, frame, html }
}
