import { MS_PER_MINUTE, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, Tx } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { ok } from '@sightline/platform/result'
import {
  type AlertRecipient,
  type AlertUser,
  type DeliveryDeps,
  type DueTime,
  deliverAlert,
  isOurs,
  loadQuietClocks,
  loadRecipient,
  shouldNotify,
} from '../recipients/index.ts'
import { type Alert, type AlertKind, alertEmail, alertPayload } from './email.ts'
import { type DueCamera, dueCameras, loadUsersToNotify, markNotified, takeBack } from './store.ts'

export interface AlertDeps extends DeliveryDeps {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly log: Logger
}

/** The kinds of emails in the outbox. */
const MAIL_KIND: Readonly<Record<AlertKind, string>> = {
  down: 'cameraDown',
  stillDown: 'cameraStillDown',
  up: 'cameraUp',
}

/** How often cameras are checked; delays are whole minutes. */
const WATCH_EVERY_MS = 5 * MS_PER_SECOND

/**
 * Notifies people about cameras that stay offline and that are back. The record of what was sent is in the same
 * transaction as the email and the push messages, so each is created once, even if a process is killed.
 */
export const alertTasks = (deps: AlertDeps): JobTasks => ({
  watchCameras: {
    everyMs: WATCH_EVERY_MS,
    async run(_ids, { signal }) {
      await notifyDue(deps, signal)
      return ok(undefined)
    },
  },
})

/** Sends all due notifications. */
export async function notifyDue(deps: AlertDeps, signal?: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const due = { now, clocks: await loadQuietClocks(deps.db, now) }
  for (const person of await loadUsersToNotify(deps.db, due)) {
    if (signal?.aborted === true) return
    // If one user can't be notified, the others still are.
    await deps.db
      .transaction((tx) => notify(tx, person, { ...deps, due }))
      .catch((err: unknown) => deps.log.error({ err, userId: person.userId }, 'could not send a camera alert'))
  }
}

async function notify(tx: Tx, person: AlertUser, deps: AlertDeps & { readonly due: DueTime }): Promise<void> {
  if (!(await isOurs(tx, person))) return
  const recipient = await loadRecipient(tx, person, 'cameraDown')
  if (recipient === undefined) return
  const { due } = deps
  const isTold = (camera: DueCamera) => shouldNotify(recipient, camera)
  const away = (await dueCameras(tx, person, due)).filter(isTold)
  await markNotified(tx, person, away, due.now)
  const back = (await takeBack(tx, person, due)).filter(isTold)
  const ofUp = back.length === 0 ? undefined : await loadRecipient(tx, person, 'cameraUp')
  const told: Readonly<Record<AlertKind, readonly DueCamera[]>> = {
    down: away.filter(({ wasTold }) => !wasTold),
    stillDown: away.filter(({ wasTold }) => wasTold),
    up: back.filter((camera) => ofUp === undefined || !isToldAsUp(camera, { down: recipient, up: ofUp, now: due.now })),
  }
  for (const kind of ['down', 'stillDown', 'up'] as const) {
    const cameras = told[kind]
    if (cameras.length === 0) continue
    const { language, timeZone } = recipient
    await write(tx, { kind, cameras, language, timeZone }, { ...deps, person, recipient })
  }
}

/** Whether the user's alerts of type `cameraUp` tell them of that camera in all the same ways. */
function isToldAsUp(
  camera: DueCamera,
  { down, up, now }: { readonly down: AlertRecipient; readonly up: AlertRecipient; readonly now: number },
): boolean {
  const { alertDelay, alertByEmail, alertByPush } = up.setting
  const isSame = (alertByEmail || !down.setting.alertByEmail) && (alertByPush || !down.setting.alertByPush)
  const isLong = now - camera.offlineSince >= alertDelay * MS_PER_MINUTE
  return isSame && isLong && camera.mode === 'armed' && shouldNotify(up, camera)
}

async function write(
  tx: Tx,
  alert: Alert,
  deps: AlertDeps & { readonly person: AlertUser; readonly recipient: AlertRecipient },
): Promise<void> {
  const { person, recipient, log } = deps
  const { alertByEmail, alertByPush } = recipient.setting
  const written = {
    mailKind: MAIL_KIND[alert.kind],
    email: alertByEmail ? (origin: string) => alertEmail(alert, origin) : undefined,
    push: alertByPush ? alertPayload(alert) : undefined,
  }
  await deliverAlert(tx, { person, recipient }, { alert: written, deps })
  const cameras = alert.cameras.map(({ cameraId }) => cameraId)
  log.info({ userId: person.userId, alert: alert.kind, cameras }, 'sent a camera alert')
}
