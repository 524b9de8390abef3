import { getCameraLogs } from '@sightline/contract/camera-logs'
import type { Db } from '@sightline/platform/db'
import { serve, toStorePage } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findCameraInScope } from '../cameras/index.ts'
import { countEntries, loadEntriesPage, selectEntries, toEntry } from './store.ts'

export const cameraLogs = ({ db }: { readonly db: Db }) => [
  serve(getCameraLogs, async (caller, { params, query, page }) => {
    const camera = await findCameraInScope(db, caller, params.cameraId)
    if (!camera.ok) return camera
    if (page.edge !== undefined && !Number.isSafeInteger(page.edge.value)) {
      return fail({ error: 'validation', detail: 'query: pageToken: must come from a Link header of this list' })
    }
    const of = { accountId: caller.accountId, cameraId: params.cameraId }
    return db.inTenant(caller, async (tx) => {
      const lines = selectEntries(tx, of, query)
      const found = await loadEntriesPage(lines, page)
      const total = page.wantsCount ? await countEntries(tx, lines) : undefined
      return ok(toStorePage(found, page, { item: toEntry, total }))
    })
  }),
]
