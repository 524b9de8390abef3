import type { MediaPlane } from '@sightline/contract/media-plane'
import { MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, Tx } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { ok } from '@sightline/platform/result'
import {
  type AlertUser,
  type DeliveryDeps,
  type DueTime,
  isOurs,
  loadQuietClocks,
  loadRecipient,
  shouldNotify,
} from '../recipients/index.ts'
import { type AlertItem, addMessage, loadAlertedCameras } from './message-store.ts'
import { openWays } from './rules.ts'
import { countEvents, forgetStale, loadDueAlerts, loadDueUsers, settle, type WaitingAlert } from './store.ts'
import { writeAlert } from './write-alert.ts'

export { type AlertMessage, addMessage, loadAlertedCameras } from './message-store.ts'
export { openWays } from './rules.ts'

export interface EventAlertDeps extends DeliveryDeps {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly media: Pick<MediaPlane, 'recordedPicture'>
  readonly log: Logger
}

/** How often events are looked at. */
const WATCH_EVERY_MS = 2 * MS_PER_SECOND

/**
 * Notifies people about motion, tampering and cameras that are back: at once, then once per camera and pause with a count.
 * An event is queued with itself, counted with its removal from that queue, and told with its count's reset, each in one
 * transaction, so that it is told once, even if a process is killed.
 */
export const eventAlertTasks = (deps: EventAlertDeps): JobTasks => ({
  watchEvents: {
    everyMs: WATCH_EVERY_MS,
    async run(_ids, { signal }) {
      await notifyEvents(deps, signal)
      return ok(undefined)
    },
  },
})

/** Alerts are written apart from that, since pictures take their time. */
export const alertWritingTasks = (deps: EventAlertDeps): JobTasks => ({
  writeAlert: { run: (message) => writeAlert(message, deps) },
})

/** Decides all due alerts. */
export async function notifyEvents(deps: EventAlertDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  const due = { now: clock.now(), clocks: await loadQuietClocks(db, clock.now()) }
  await countEvents(db, due)
  await forgetStale(db, due.now)
  for (const person of await loadDueUsers(db, due)) {
    if (signal?.aborted === true) return
    // If one user can't be notified, the others still are.
    await db
      .transaction((tx) => notify(tx, person, { ...deps, due }))
      .catch((err: unknown) => log.error({ err, userId: person.userId }, 'could not send an alert'))
  }
}

async function notify(tx: Tx, person: AlertUser, deps: EventAlertDeps & { readonly due: DueTime }): Promise<void> {
  if (!(await isOurs(tx, person))) return
  const { due } = deps
  const byType = Map.groupBy(await loadDueAlerts(tx, person, due), ({ type }) => type)
  for (const [type, waiting] of byType) {
    const items = await decide(tx, person, { waiting, due })
    const told = new Set(items.map(({ cameraId }) => cameraId))
    for (const each of waiting) await settle(tx, person, each, told.has(each.cameraId) ? due.now : undefined)
    if (items.length > 0) await addMessage(tx, { ...person, type, items }, { ids: deps.ids, now: due.now })
  }
}

/** What the user is told of that, all of one type. */
async function decide(
  tx: Tx,
  person: AlertUser,
  { waiting, due: { now } }: { readonly waiting: readonly WaitingAlert[]; readonly due: DueTime },
): Promise<readonly AlertItem[]> {
  const [first] = waiting
  const recipient = first && (await loadRecipient(tx, person, first.type))
  if (recipient === undefined) return []
  const cameraIds = waiting.map(({ cameraId }) => cameraId)
  const cameras = await loadAlertedCameras(tx, { accountId: person.accountId, cameraIds, now })
  return waiting.flatMap(({ cameraId, count, firstAt, lastAt }) => {
    const camera = cameras.get(cameraId)
    if (camera === undefined || !shouldNotify(recipient, camera)) return []
    const { byEmail, byPush } = openWays(recipient.setting, camera, now)
    return byEmail || byPush ? [{ cameraId, count, firstAt, lastAt, byEmail, byPush }] : []
  })
}
