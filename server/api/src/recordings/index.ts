import { getRecordingTimeline } from '@sightline/contract/recordings'
import type { Db } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCameraInScope } from '../cameras/index.ts'
import { toTimeline } from './rules.ts'
import { loadPreviousSlice, loadSlices } from './store.ts'

/** Maximum span of a response: a year and a day. */
const MAX_SPAN_MS = 367 * 24 * 3_600_000

export const recordings = ({ db, now }: { db: Db; now: () => number }) => [
  serve(getRecordingTimeline, async (caller, { params, query }) => {
    const camera = await findCameraInScope(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const { from, till, resolution = 0 } = query
    if (till <= from || till - from > MAX_SPAN_MS) {
      const field = { field: 'till', message: 'must be after from, by at most 367 days' }
      return fail({ error: 'validation', detail: `till: ${field.message}`, fields: [field] })
    }
    const of = { accountId: caller.accountId, cameraId: params.cameraId }
    const [slices, before] = await db.inTenant(caller, async (tx) => [
      await loadSlices(tx, { ...of, from, till }),
      await loadPreviousSlice(tx, { ...of, at: from }),
    ])
    return ok(toTimeline(slices, { from, till, resolutionMs: resolution * 1000, now: now(), before }))
  }),
]
