import { setTimeout as sleep } from 'node:timers/promises'
import { getCameraAddition, postCamera } from '@sightline/contract/camera-additions'
import type { Camera } from '@sightline/contract/cameras'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { holdsZone } from '@sightline/contract/zones'
import type { Db, IdSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { findCamera, keepZone, slotFault } from '../cameras/index.ts'
import { lockUsers } from '../permission-profiles/index.ts'
import { connectionKey, isNews, toAuditSettings, unsupportedAddition } from './rules.ts'
import { isAlreadyAdded, loadAddition, lockFailedAddition, saveAddition } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchZone: ApiError = { error: 'notFound', detail: "zone not found, or you don't have access to it" }

/** The longest that a poll waits (api.md §8). */
const POLL_MS = 180_000
const LOOK_EVERY_MS = 300

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

export const cameraAdditions = ({ db, ids, media, encryption, now }: Deps) => [
  serveChange(postCamera, async (change, { body }) => {
    const unsupported = unsupportedAddition(body)
    if (unsupported !== undefined) return fail(unsupported)
    const { accountId, userId } = change.caller
    const newId = await ids.next()
    try {
      const added = await change.tx({ accountId, userId }, async (tx): Promise<Result<Camera, ApiError>> => {
        await lockUsers(tx, accountId)
        const asked = await change.reauthorize()
        if (!asked.ok) return asked
        const caller = asked.value
        const { zoneId } = body
        const isTheirs = holdsZone(caller, { accountId, zoneId }) && (await keepZone(tx, { accountId, zoneId }))
        if (!isTheirs) return fail(noSuchZone)
        const cameraId = (await lockFailedAddition(tx, { accountId, key: connectionKey(body) })) ?? newId
        await saveAddition(tx, { accountId, cameraId, given: body, encryption, now: now() })
        await change.audit({
          action: 'postCamera',
          target: { kind: 'camera', id: cameraId },
          after: toAuditSettings(body),
        })
        const camera = await findCamera(tx, caller, cameraId)
        return camera === undefined ? fail(noSuchCamera) : ok(camera)
      })
      if (added.ok) media.camerasChanged()
      return added
    } catch (error) {
      if (isAlreadyAdded(error)) return fail({ error: 'duplicate', detail: 'this camera has already been added' })
      const full = slotFault(error, postCamera)
      if (full !== undefined) return fail(full)
      throw error
    }
  }),

  serve(getCameraAddition, async (caller, { params, query }) => {
    const { cameraId } = params
    const until = performance.now() + POLL_MS
    for (;;) {
      const state = await db.inTenant(caller, async (tx) => {
        const camera = await findCamera(tx, caller, cameraId)
        return camera === undefined ? undefined : loadAddition(tx, camera)
      })
      if (state === undefined) return fail(noSuchCamera)
      const { status, subStatus, channels } = state
      if (isNews(status, query.known) || performance.now() >= until)
        return ok({ cameraId, status, subStatus, channels, Status: status, SubStatus: subStatus })
      await sleep(LOOK_EVERY_MS)
    }
  }),
]
