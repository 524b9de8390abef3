import type { SignInPages } from '@sightline/contract/sign-in-pages'
import { askingFrame, doneFrame, type LinkAction } from '../action-links/index.ts'
import { type LockdownDeps, startLockdown } from './lock.ts'
import { loadLockdownLoss } from './store.ts'

export interface LockdownPageDeps extends LockdownDeps {
  readonly pages: SignInPages
}

/** Explains what reporting an intruder ends, and ends it. */
export const lockdownAction: LinkAction<LockdownPageDeps> = {
  async show(open, deps) {
    const { userId, emailFolded: email } = open.link
    const { frame, action } = askingFrame(open)
    const loss = await loadLockdownLoss(deps.db, userId, deps.clock.now())
    return { status: 200, frame, html: deps.pages.lockdown({ ...frame, action, email, ...loss }) }
  },
  async perform(open, deps, fields) {
    const { brand, link, address } = open
    const chosen = { endApiKeys: fields.get('apiKeys') === 'end', removePasskeys: false }
    const outcome = await startLockdown({ by: { kind: 'link', link }, ...chosen, host: brand.host, address }, deps)
    if (outcome === 'over') return 'over'
    const frame = doneFrame(open)
    const { passkeys } = await loadLockdownLoss(deps.db, link.userId, deps.clock.now())
    const said = { isMailed: outcome === 'mailed', email: link.emailFolded, passkeys }
    return { status: 200, frame, html: deps.pages.lockedDown({ ...frame, ...said }) }
  },
}
