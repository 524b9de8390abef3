import { getCameraLogs } from '@sightline/contract/camera-logs'
import type { Db } from '@sightline/platform/db'
import { serve, toStorePage } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { reachCamera } from '../cameras/index.ts'
import { countLines, pageOfLines, selectEntries, toLine } from './store.ts'

export const cameraLogs = ({ db }: { readonly db: Db }) => [
  serve(getCameraLogs, async (caller, { params, query, page }) => {
    const camera = await reachCamera(db, caller, params.cameraId)
    if (!camera.ok) return camera
    if (page.edge !== undefined && !Number.isSafeInteger(page.edge.value)) {
      return fail({ error: 'validation', detail: 'query: pageToken: not one that a Link of this list gave' })
    }
    const of = { accountId: caller.accountId, cameraId: params.cameraId }
    return db.inTenant(caller, async (tx) => {
      const lines = selectEntries(tx, of, query)
      const found = await pageOfLines(lines, page)
      const total = page.wantsCount ? await countLines(tx, lines) : undefined
      return ok(toStorePage(found, page, { item: toLine, total }))
    })
  }),
]
