import {
  getRecordingSums,
  getRecordingTimeline,
  getRecordingTimelines,
  MAX_TIMELINE_INTERVALS,
} from '@sightline/contract/recordings'
import { toDateTime } from '@sightline/contract/wire'
import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db, Tx } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { findCameraInScope, listCameras } from '../cameras/index.ts'
import { numberFault, spanFault } from './faults.ts'
import { toTimeline } from './rules.ts'
import { loadSpans, loadSums, loadTails } from './store.ts'
import { toSums } from './sums.ts'

/** Maximum span of a response: a year and a day. */
const MAX_SPAN_MS = 367 * MS_PER_DAY
/** The same for several cameras; sums are for longer ones. */
const MAX_SPAN_OF_SEVERAL_MS = 8 * MS_PER_DAY

export { spanFault } from './faults.ts'

interface Deps {
  readonly db: Db
  readonly now: () => number
}

export const recordings = (deps: Deps) => [...exactly(deps), inSums(deps)]

const exactly = ({ db, now }: Deps) => [
  serve(getRecordingTimeline, async (caller, { params, query }) => {
    const camera = await findCameraInScope(db, caller, params.cameraId)
    if (!camera.ok) return camera
    const { from, till, resolution = 0 } = query
    const fault = spanFault(query, MAX_SPAN_MS)
    if (fault !== undefined) return fail(fault)
    const { accountId } = caller
    const spans = await db.inTenant(caller, (tx) =>
      loadSpans(tx, { accountId, cameraIds: [params.cameraId], from, till }),
    )
    const { slices, before } = spans(params.cameraId)
    const question = { from, till, resolutionMs: resolution * 1000, now: now(), before }
    return ok({ from: toDateTime(from), till: toDateTime(till), ...toTimeline(slices, question) })
  }),

  serve(getRecordingTimelines, async (caller, { query }) => {
    const { from, till, resolution = 0 } = query
    const fault = spanFault(query, MAX_SPAN_OF_SEVERAL_MS) ?? numberFault(query.cameraIds)
    if (fault !== undefined) return fail(fault)
    const cameras = await db.inTenant(caller, async (tx) => {
      const cameraIds = await accessible(tx, caller, query.cameraIds)
      const spans = await loadSpans(tx, { accountId: caller.accountId, cameraIds, from, till })
      return cameraIds.map((cameraId) => {
        const { slices, before } = spans(cameraId)
        return { cameraId, ...toTimeline(slices, { from, till, resolutionMs: resolution * 1000, now: now(), before }) }
      })
    })
    return ok({ from: toDateTime(from), till: toDateTime(till), cameras })
  }),
]

const inSums = ({ db, now }: Deps) =>
  serve(getRecordingSums, async (caller, { query }) => {
    const { interval } = query
    const intervalMs = interval === 'hour' ? MS_PER_HOUR : MS_PER_DAY
    const from = Math.floor(query.from / intervalMs) * intervalMs
    const till = Math.ceil(query.till / intervalMs) * intervalMs
    const number = Math.max(query.cameraIds.length, 1)
    const longest = Math.floor(MAX_TIMELINE_INTERVALS / number) * intervalMs
    const fault = numberFault(query.cameraIds) ?? spanFault({ from, till }, longest)
    if (fault !== undefined) return fail(fault)
    const cameras = await db.inTenant(caller, async (tx) => {
      const cameraIds = await accessible(tx, caller, query.cameraIds)
      const of = { accountId: caller.accountId, cameraIds, from, till }
      const [sums, tails] = await Promise.all([loadSums(tx, { ...of, interval }), loadTails(tx, of)])
      const question = { from, till, intervalMs, now: now() }
      return cameraIds.map((cameraId) => ({ cameraId, ...toSums(sums(cameraId), tails(cameraId), question) }))
    })
    return ok({ from: toDateTime(from), till: toDateTime(till), intervalSeconds: intervalMs / 1000, cameras })
  })

/** Those that the caller has access to, in the same order, each once. */
async function accessible(tx: Tx, caller: MemberCaller, cameraIds: readonly number[]): Promise<readonly number[]> {
  const found = new Set((await listCameras(tx, caller, { cameraIds: [...cameraIds] })).map(({ cameraId }) => cameraId))
  return [...new Set(cameraIds)].filter((cameraId) => found.has(cameraId))
}
