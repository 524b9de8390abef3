import type { Clock } from '@sightline/platform/clock'
import { MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { ok } from '@sightline/platform/result'
import { addMessage, loadAlertedCameras, openWays } from '../event-alerts/index.ts'
import {
  type AlertUser,
  type DueTime,
  isOurs,
  loadQuietClocks,
  loadRecipient,
  shouldNotify,
} from '../recipients/index.ts'
import { type DueTrouble, loadDueTroubles, loadDueUsers, markNotified } from './store.ts'

export interface TroubleAlertDeps {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly log: Logger
}

/** How often cameras are looked at; delays are whole minutes. */
const WATCH_EVERY_MS = 10 * MS_PER_SECOND

/**
 * Notifies people about full storage and about what is wrong with cameras besides being offline: once after a delay, then
 * as often as they chose while it lasts. What they were told is recorded in the transaction that adds the alert.
 */
export const troubleAlertTasks = (deps: TroubleAlertDeps): JobTasks => ({
  watchTroubles: {
    everyMs: WATCH_EVERY_MS,
    async run(_ids, { signal }) {
      await notifyTroubles(deps, signal)
      return ok(undefined)
    },
  },
})

/** Decides all due alerts. */
export async function notifyTroubles(deps: TroubleAlertDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  const due = { now: clock.now(), clocks: await loadQuietClocks(db, clock.now()) }
  for (const person of await loadDueUsers(db, due)) {
    if (signal?.aborted === true) return
    // If one user can't be notified, the others still are.
    await db
      .transaction((tx) => notify(tx, person, { ...deps, due }))
      .catch((err: unknown) => log.error({ err, userId: person.userId }, 'could not send an alert'))
  }
}

async function notify(tx: Tx, person: AlertUser, deps: TroubleAlertDeps & { readonly due: DueTime }): Promise<void> {
  if (!(await isOurs(tx, person))) return
  const { due, ids } = deps
  const byType = Map.groupBy(await loadDueTroubles(tx, person, due), ({ type }) => type)
  for (const [type, troubles] of byType) {
    const recipient = await loadRecipient(tx, person, type)
    if (recipient === undefined) continue
    const cameraIds = troubles.map(({ cameraId }) => cameraId)
    const cameras = await loadAlertedCameras(tx, { accountId: person.accountId, cameraIds, now: due.now })
    const items = troubles.flatMap((each) => {
      const camera = cameras.get(each.cameraId)
      if (camera === undefined || !shouldNotify(recipient, camera)) return []
      const { byEmail, byPush } = openWays(recipient.setting, camera, due.now)
      return byEmail || byPush ? [toItem(each, { byEmail, byPush })] : []
    })
    if (items.length === 0) continue
    const told = new Set(items.map(({ cameraId, trouble }) => `${cameraId} ${trouble}`))
    for (const each of troubles)
      if (told.has(`${each.cameraId} ${each.trouble}`)) await markNotified(tx, person, each, due.now)
    await addMessage(tx, { ...person, type, items }, { ids, now: due.now })
  }
}

const toItem = (
  { cameraId, trouble, since }: DueTrouble,
  ways: { readonly byEmail: boolean; readonly byPush: boolean },
) => ({ cameraId, trouble, count: 1, firstAt: since, lastAt: since, ...ways })
