import type { ApiError } from '@sightline/contract/errors'
import {
  getAccountUsage,
  getStorageUsage,
  MAX_STORAGE_DAYS,
  USUAL_STORAGE_DAYS,
} from '@sightline/contract/storage-usage'
import type { Db } from '@sightline/platform/db'
import { serve, withStatementTimeout } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { loadTimeZone } from '../accounts/index.ts'
import { listCameras } from '../cameras/index.ts'
import { today } from '../subscriptions/index.ts'
import { addDays, countDays, isDay, listDays } from './days.ts'
import { loadUsage, sumStorage } from './store.ts'

export { addDays, countDays, type Days, isDay, listDays } from './days.ts'
export { type NamedCamera, sumCameraDays } from './store.ts'

const noSuchAccount: ApiError = { error: 'notFound' }

export const storageUsage = ({ db, now }: { readonly db: Db; readonly now: () => number }) => [
  serve(getStorageUsage, async (caller, { params, query }) => {
    const { accountId } = caller
    if (params.accountId !== 'self' && params.accountId !== accountId) return fail(noSuchAccount)
    return withStatementTimeout(() =>
      db.inTenant(caller, async (tx) => {
        const timeZone = await loadTimeZone(tx, accountId)
        const { till = today(timeZone, now()) } = query
        const { from = addDays(till, 1 - USUAL_STORAGE_DAYS) } = query
        const fault = spanFault(from, till)
        if (fault !== undefined) return fail(fault)
        const cameras = await listCameras(tx, caller, {})
        const sums = await sumStorage(tx, { accountId, cameras, days: listDays(timeZone, from, till) })
        return ok({ accountId, timeZone, from, till, ...sums })
      }),
    )
  }),

  serve(getAccountUsage, async (caller, { params }) => {
    const { accountId } = caller
    if (params.accountId !== 'self' && params.accountId !== accountId) return fail(noSuchAccount)
    return withStatementTimeout(() => db.inTenant(caller, async (tx) => ok(await loadUsage(tx, accountId))))
  }),
]

function spanFault(from: string, till: string): ApiError | undefined {
  const noDay = [from, till].find((day) => !isDay(day))
  if (noDay !== undefined) return { error: 'validation', detail: `query: ${noDay} is not a valid date` }
  const days = countDays(from, till)
  if (days >= 1 && days <= MAX_STORAGE_DAYS) return undefined
  const message = `must not be before from, nor more than ${MAX_STORAGE_DAYS} days after it`
  return { error: 'validation', detail: `till: ${message}`, fields: [{ field: 'till', message }] }
}
