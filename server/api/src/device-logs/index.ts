import { getDeviceLogs } from '@sightline/contract/device-logs'
import type { Db } from '@sightline/platform/db'
import { serve, toStorePage } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { findDeviceInScope } from '../devices/index.ts'
import { countEntries, loadEntriesPage, selectEntries, toEntry } from './store.ts'

export const deviceLogs = ({ db }: { readonly db: Db }) => [
  serve(getDeviceLogs, async (caller, { params, query, page }) => {
    const device = await findDeviceInScope(db, caller, params.deviceId)
    if (!device.ok) return device
    if (page.edge !== undefined && !Number.isSafeInteger(page.edge.value)) {
      return fail({ error: 'validation', detail: 'query: pageToken: must come from a Link header of this list' })
    }
    return db.inTenant(caller, async (tx) => {
      const lines = selectEntries(tx, device.value, query)
      const found = await loadEntriesPage(lines, page)
      const total = page.wantsCount ? await countEntries(tx, lines) : undefined
      return ok(toStorePage(found, page, { item: toEntry, total }))
    })
  }),
]
