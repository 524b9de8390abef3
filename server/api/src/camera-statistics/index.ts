import { getCameraStatistics, statisticsSpans } from '@sightline/contract/camera-statistics'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import { findCameraInScope } from '../cameras/index.ts'
import { loadPoints } from './store.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
}

const MS = 1000

/** Bandwidth, latency, dropped frames and buffer of cameras over time (docs/decisions/0129). */
export const cameraStatistics = ({ db, now }: Deps) => [
  serve(getCameraStatistics, async (caller, { params: { cameraId }, query: { period = 'hour' } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const { seconds, point } = statisticsSpans[period]
    // Points begin at whole minutes, quarters and hours, so that they stay as they are from one call to the next.
    const till = Math.ceil(now() / (point * MS)) * point * MS
    const from = till - seconds * MS
    const { accountId } = caller
    const points = await db.inTenant(caller, (tx) => loadPoints(tx, { accountId, cameraId, period, from, till }))
    return ok({ cameraId, period, from: toDateTime(from), till: toDateTime(till), pointSeconds: point, points })
  }),
]
