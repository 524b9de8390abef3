export { findLink, insertLink, type LockdownLink, removeLink, removeLinksOf } from './store.ts'

/** Where the link of a mail leads, with its token behind. */
export const LOCKDOWN_PATH = '/sign-in/lockdown/'
