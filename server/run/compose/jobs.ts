import {
  additionTasks,
  alertTasks,
  alertWritingTasks,
  bodyCameraTasks,
  brandPictureTasks,
  cameraPasswordTasks,
  deletionTasks,
  derivedExportTasks,
  type ExportTaskDeps,
  erasureTasks,
  eventAlertTasks,
  exportTasks,
  type PushDeps,
  publicInternet,
  pushQueue,
  pushTasks,
  replacementTasks,
  reportTasks,
  subscriptionTasks,
  transferTasks,
  troubleAlertTasks,
} from '@sightline/api'
import type { Auth } from '@sightline/auth'
import type { MediaPlane } from '@sightline/contract/media-plane'
import type { BrandSource } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type DatabaseConnection, type Db, idSource } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type JobLane, type JobTasks, startJobWorker } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import type { Secrets } from './secrets.ts'

export interface JobsDeps {
  readonly connection: DatabaseConnection
  /** Under the roles `app`, `alerts` and `eraser`. */
  readonly app: Db
  readonly alerts: Db
  readonly eraser: Db
  readonly mailTasks: JobTasks
  readonly auth: Pick<Auth, 'plane' | 'tasks'>
  readonly brands: BrandSource
  /** For the pictures of alerts, and for cameras whose password was being changed. */
  readonly media: Pick<MediaPlane, 'recordedPicture' | 'exportedClip' | 'clipEnd' | 'command' | 'camerasChanged'>
  readonly exporting: Pick<ExportTaskDeps, 'artefacts' | 'freeBytes' | 'signer' | 'checkPage'>
  readonly push: PushDeps
  readonly secrets: Secrets
  readonly log: Logger
}

/**
 * Runs every job of the product: emails, push messages, and scheduled work. The queue takes time to load, so a start
 * doesn't wait for it.
 */
export function startJobs({ connection, log, ...deps }: JobsDeps): AsyncDisposable {
  const starting = startJobWorker({ connection, lanes: lanesOf({ ...deps, log }), log }).catch((err: unknown) => {
    log.error({ err }, 'jobs are not running, so no emails are sent and no scheduled work is done: restart the server')
  })
  return {
    async [Symbol.asyncDispose]() {
      const worker = await starting
      await worker?.[Symbol.asyncDispose]()
    },
  }
}

/** An unresponsive mail server or push service delays nothing else. */
function lanesOf(deps: Omit<JobsDeps, 'connection'>): readonly JobLane[] {
  const { app, alerts, eraser, mailTasks, auth, brands, media, exporting, push, secrets, log } = deps
  const seals = envelopeEncryption(secrets.installationKey)
  const clock = systemClock
  const outbox = mailOutbox(seals, clock)
  const ofApp = { db: app, ids: idSource(app), brands, outbox, clock, log }
  const alertIds = idSource(alerts)
  const pushes = pushQueue({ ids: alertIds, encryption: seals, clock })
  const ofAlerts = { db: alerts, ids: alertIds, brands, outbox, pushes, media, clock, log }
  const ofExports = { db: app, media, encryption: seals, ...exporting, clock, log }
  const rest: JobTasks = {
    ...alertTasks(ofAlerts),
    ...eventAlertTasks(ofAlerts),
    ...troubleAlertTasks(ofAlerts),
    ...reportTasks({ db: app, ids: ofApp.ids, now: Date.now, auth: auth.plane, log }),
    ...subscriptionTasks(ofApp),
    ...bodyCameraTasks({ db: app, clock }),
    ...cameraPasswordTasks({ ...ofApp, media }),
    ...additionTasks(ofApp),
    ...replacementTasks(ofApp),
    ...transferTasks(ofApp),
    ...brandPictureTasks({ db: app, ids: ofApp.ids, rules: publicInternet, log }),
    ...deletionTasks(ofApp),
    ...erasureTasks({ db: eraser, auth: auth.plane, clock, log }),
  }
  return [
    { tasks: { ...auth.tasks, ...mailTasks }, concurrency: 2 },
    { tasks: pushTasks({ db: alerts, encryption: seals, deliver: push.deliver, clock, log }), concurrency: 4 },
    // A worker may take seconds to decode a picture.
    { tasks: alertWritingTasks(ofAlerts), concurrency: 2 },
    { tasks: exportTasks(ofExports), concurrency: 2 },
    { tasks: derivedExportTasks(ofExports), concurrency: 1 },
    { tasks: rest, concurrency: 3 },
  ]
}
