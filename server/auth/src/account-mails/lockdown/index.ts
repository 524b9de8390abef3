import { getLockdown, postLockdown } from '@sightline/contract/lockdown'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { liveSessions } from '../../sessions/index.ts'
import { type LockdownDeps, startLockdown } from './lock.ts'
import { loadLockdownLoss } from './store.ts'

export { type LockdownPageDeps, lockdownAction } from './page.ts'

/** `users/self/lockdown`: an intruder is signed in as the user. */
export const lockdown = (deps: LockdownDeps): readonly ServedRoute[] => [
  serve(getLockdown, async (caller) => {
    const now = deps.clock.now()
    const sessions = await liveSessions(deps.db.plain, { ...caller, now })
    return ok({ sessions: sessions.length, ...(await loadLockdownLoss(deps.db, caller.userId, now)) })
  }),
  serve(postLockdown, async (caller, { body, host, address }) => {
    const outcome = await startLockdown({ by: { kind: 'caller', caller }, ...body, host, address }, deps)
    return outcome === 'over' ? fail({ error: 'notAuthorized', detail: 'the user no longer exists' }) : ok(undefined)
  }),
]
