import type { MediaPlane } from '@sightline/contract/media-plane'
import { appendAudit } from '@sightline/platform/audit'
import { type Clock, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import type { JobOutcome, JobTasks } from '@sightline/platform/jobs'
import { fail, ok } from '@sightline/platform/result'
import { findNewPassword, forgetNewPassword } from './password-store.ts'
import { toCredentials } from './rules.ts'
import { type PasswordPair, type SettledPassword, settlePassword, withPassword } from './settle-password.ts'
import { signInTurns } from './sign-in-turns.ts'
import { loadConnection, saveCameraCredentials } from './store.ts'

interface PasswordTaskDeps {
  /** Under the role `app`. */
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'command' | 'camerasChanged'>
  readonly clock: Clock
}

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/**
 * Ends what a call left open that set a camera's password: it was killed, or the camera didn't answer. Keeps the password that the
 * camera takes.
 */
export const cameraPasswordTasks = (deps: PasswordTaskDeps): JobTasks => ({
  settleCameraPassword: {
    run: (key) => signInTurns.run(key.cameraId, () => settle(deps, key)),
  },
})

async function settle(deps: PasswordTaskDeps, key: CameraKey): Promise<JobOutcome> {
  const { db, media, clock } = deps
  const pair = await db.inTenant({ ...key, userId: key.accountId }, (tx) => findPair(tx, key))
  if (pair === undefined) return ok(undefined)
  const settled = await settlePassword(media, pair)
  // No attempt: a camera may be off for days.
  if (settled === 'unreachable')
    return fail({
      reason: 'the camera does not respond',
      retry: { kind: 'postponed', at: clock.now() + MS_PER_MINUTE },
    })
  if (settled === 'neither') return fail({ reason: 'the camera takes neither password', retry: { kind: 'backoff' } })
  await keepSettled(deps, key, { ...pair, settled })
  return ok(undefined)
}

async function findPair(tx: Parameters<typeof loadConnection>[0], key: CameraKey): Promise<PasswordPair | undefined> {
  const newSealed = await findNewPassword(tx, key)
  return newSealed === undefined ? undefined : { stored: await loadConnection(tx, key), newSealed }
}

async function keepSettled(
  { db, ids, media }: PasswordTaskDeps,
  key: CameraKey,
  { stored, newSealed, settled }: PasswordPair & { readonly settled: SettledPassword },
): Promise<void> {
  await db.inTenant({ ...key, userId: key.accountId }, async (tx) => {
    // Somebody entered another one meanwhile.
    if (!(await forgetNewPassword(tx, key, newSealed)) || settled !== 'new') return
    await saveCameraCredentials(tx, key, withPassword(stored, newSealed))
    const before = toCredentials(stored)
    const after = { ...before, passwordKnown: true, password: 'changed' }
    const entry = { action: 'setCameraPassword', target: { kind: 'camera', id: key.cameraId }, before, after }
    const caller = { accountId: key.accountId, userId: null, clientId: 'server' }
    await appendAudit(tx, { ids, caller, address: '', entry })
  })
  media.camerasChanged()
}
