import type { BrandSource } from '@sightline/platform/brands'
import { type Clock, MS_PER_DAY, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { type MailOutbox, renderEmail } from '@sightline/platform/mail'
import { ok } from '@sightline/platform/result'
import type { PushQueue } from '../../push-devices/index.ts'
import { type Alert, type AlertKind, alertEmail, alertPayload, getAlertTag } from './email.ts'
import { type AlertRecipient, shouldNotify } from './rules.ts'
import {
  type AlertUser,
  type DueCamera,
  deviceIds,
  dueCameras,
  findSignInHost,
  isOurs,
  loadReader,
  loadUsersToNotify,
  markNotified,
  takeBack,
} from './store.ts'

export interface AlertDeps {
  /** Under the role `alerts`. */
  readonly db: Db
  readonly ids: IdSource
  readonly brands: BrandSource
  readonly outbox: MailOutbox
  readonly pushes: PushQueue
  readonly clock: Clock
  readonly log: Logger
}

/** The kinds of emails in the outbox. */
const MAIL_KIND: Readonly<Record<AlertKind, string>> = {
  down: 'cameraDown',
  stillDown: 'cameraStillDown',
  up: 'cameraUp',
}

/** After this time, an alert is no longer useful. */
const USELESS_AFTER_MS = MS_PER_DAY

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
  for (const person of await loadUsersToNotify(deps.db, deps.clock.now())) {
    if (signal?.aborted === true) return
    // If one user can't be notified, the others still are.
    await deps.db
      .transaction((tx) => notify(tx, person, deps))
      .catch((err: unknown) => deps.log.error({ err, userId: person.userId }, 'could not send a camera alert'))
  }
}

async function notify(tx: Tx, person: AlertUser, deps: AlertDeps): Promise<void> {
  if (!(await isOurs(tx, person))) return
  const reader = await loadReader(tx, person)
  if (reader === undefined) return
  const now = deps.clock.now()
  const isTold = (camera: DueCamera) => shouldNotify(reader, camera)
  const away = (await dueCameras(tx, person, now)).filter(isTold)
  await markNotified(tx, person, away, now)
  const back = (await takeBack(tx, person, now)).filter(isTold)
  const told: Readonly<Record<AlertKind, readonly DueCamera[]>> = {
    down: away.filter(({ wasTold }) => !wasTold),
    stillDown: away.filter(({ wasTold }) => wasTold),
    up: back,
  }
  for (const kind of ['down', 'stillDown', 'up'] as const) {
    const cameras = told[kind]
    if (cameras.length === 0) continue
    const { language, timeZone } = reader
    await write(tx, { kind, cameras, language, timeZone }, { ...deps, person, reader })
  }
}

async function write(
  tx: Tx,
  alert: Alert,
  deps: AlertDeps & { readonly person: AlertUser; readonly reader: AlertRecipient },
): Promise<void> {
  const { person, reader, ids, outbox, pushes, clock, brands, log } = deps
  const { accountId, userId } = person
  const until = clock.now() + USELESS_AFTER_MS
  if (reader.ways.byEmail) {
    const brand = await brands.forHost((await findSignInHost(tx, reader.resellerId)) ?? '')
    const content = renderEmail(alertEmail(alert, brand.origin), brand)
    const mail = { ...content, accountId, mailId: await ids.next(), kind: MAIL_KIND[alert.kind], to: reader.email }
    await outbox.add(tx, { ...mail, uselessAt: until })
  }
  const devices = reader.ways.byPush ? await deviceIds(tx, person) : []
  for (const pushDeviceId of devices) {
    await pushes.add(tx, {
      accountId,
      pushDeviceId,
      payload: alertPayload(alert),
      topic: getAlertTag(alert),
      uselessAt: until,
    })
  }
  log.info({ userId, alert: alert.kind, cameras: alert.cameras.map(({ cameraId }) => cameraId) }, 'sent a camera alert')
}
