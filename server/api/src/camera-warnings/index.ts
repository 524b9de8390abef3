import { patchCameraWarning } from '@sightline/contract/camera-warnings'
import { cameraWarning } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import { serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCamera } from '../cameras/index.ts'
import { lockUser } from '../users/index.ts'
import { dismiss, isDismissed, showAgain } from './store.ts'

const notFound: ApiError = { error: 'notFound' }

/** Warnings about cameras that a user doesn't want to see; `cameras` lists the warnings. */
export const cameraWarnings = ({ now }: { readonly now: () => number }) => [
  serveChange(patchCameraWarning, async (change, { params: { cameraId, warning: text }, body }) => {
    const { caller } = change
    const known = cameraWarning.safeParse(text)
    if (!known.success) return fail(notFound)
    const warning = known.data
    return change.tx(caller, async (tx) => {
      await lockUser(tx, caller)
      if ((await findCamera(tx, caller, cameraId)) === undefined) return fail(notFound)
      const key = { accountId: caller.accountId, userId: caller.userId, cameraId, warning }
      const before = { warning, dismissed: await isDismissed(tx, key) }
      change.ifMatch(before)
      const after = { warning, dismissed: body.dismissed ?? before.dismissed }
      if (after.dismissed) await dismiss(tx, key, now())
      else await showAgain(tx, key)
      await change.audit({ action: 'patchCameraWarning', target: { kind: 'camera', id: cameraId }, before, after })
      return ok(after)
    })
  }),
]
