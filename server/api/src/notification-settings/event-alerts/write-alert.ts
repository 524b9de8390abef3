import type { JobOutcome } from '@sightline/platform/jobs'
import { ok } from '@sightline/platform/result'
import {
  type AlertRecipient,
  deliverAlert,
  loadRecipient,
  maySeePictures,
  mayShowPictures,
  shouldNotify,
} from '../recipients/index.ts'
import { eventAlertEmail, eventAlertPayload, type ToldCamera } from './email.ts'
import type { EventAlertDeps } from './index.ts'
import { type AlertMessage, findMessage, loadAlertedCameras, takeMessage } from './message-store.ts'
import { openWays } from './rules.ts'

/** An email shows so many pictures; its page has all. */
const MAX_PICTURES = 3
/** Mail servers refuse large emails. */
const MAX_PICTURE_BYTES = 1_000_000
/** Then the alert is sent without a picture. */
const PICTURE_TIMEOUT_MS = 15_000

/**
 * Writes a decided alert as an email and push messages. What the user may know and see is decided again now. The alert is
 * removed in the transaction that queues them, so that a repeated job queues nothing.
 */
export async function writeAlert(
  key: { readonly accountId: number; readonly alertMessageId: number },
  deps: EventAlertDeps,
): Promise<JobOutcome> {
  const { db, log } = deps
  const message = await findMessage(db, key)
  if (message === undefined) return ok(undefined)
  const told = await db.transaction((tx) => loadTold(tx, message, deps.clock.now()))
  const withPictures = told === undefined ? [] : await addPictures(told, message, deps)
  await db.transaction(async (tx) => {
    if (!(await takeMessage(tx, key)) || told === undefined) return
    const { type } = message
    const { language, timeZone } = told.recipient
    const isShown = mayShowPictures(told.recipient, type)
    const common = { type, language, timeZone, isPlayable: maySeePictures(told.recipient) }
    const ofEmail = withPictures.filter(({ byEmail }) => byEmail)
    const ofPush = withPictures.filter(({ byPush }) => byPush)
    const [first] = ofPush
    const alert = {
      mailKind: type,
      email:
        ofEmail.length === 0 ? undefined : (origin: string) => eventAlertEmail({ ...common, cameras: ofEmail }, origin),
      push: ofPush.length === 0 ? undefined : eventAlertPayload({ ...common, cameras: ofPush }),
      picture: first !== undefined && isShown ? { type, cameraId: first.cameraId, at: first.firstAt } : undefined,
    }
    if (alert.email === undefined && alert.push === undefined) return
    await deliverAlert(tx, { person: message, recipient: told.recipient }, { alert, deps })
    const cameras = withPictures.map(({ cameraId }) => cameraId)
    log.info({ userId: message.userId, alert: type, cameras }, 'sent an alert')
  })
  return ok(undefined)
}

interface Told {
  readonly recipient: AlertRecipient
  readonly cameras: readonly ToldCamera[]
}

/** What of it the user may know now; undefined if the user is gone. */
async function loadTold(
  tx: Parameters<typeof loadRecipient>[0],
  { accountId, userId, type, items }: AlertMessage,
  now: number,
): Promise<Told | undefined> {
  const recipient = await loadRecipient(tx, { accountId, userId }, type)
  if (recipient === undefined) return undefined
  const cameraIds = items.map(({ cameraId }) => cameraId)
  const cameras = await loadAlertedCameras(tx, { accountId, cameraIds, now })
  const told = items.flatMap((item) => {
    const camera = cameras.get(item.cameraId)
    if (camera === undefined || !shouldNotify(recipient, camera)) return []
    const ways = openWays(recipient.setting, camera, now)
    const { byEmail, byPush } = { byEmail: item.byEmail && ways.byEmail, byPush: item.byPush && ways.byPush }
    return byEmail || byPush ? [{ ...item, name: camera.name, byEmail, byPush, picture: undefined }] : []
  })
  return { recipient, cameras: told.toSorted((a, b) => a.name.localeCompare(b.name)) }
}

/** The pictures of what happened, for those who may play recordings. One that can't be had is left out. */
async function addPictures(
  { recipient, cameras }: Told,
  { accountId, type }: AlertMessage,
  { media, log }: EventAlertDeps,
): Promise<readonly ToldCamera[]> {
  if (!mayShowPictures(recipient, type)) return cameras
  const shown = new Set(cameras.filter(({ byEmail }) => byEmail).slice(0, MAX_PICTURES))
  const find = async ({ cameraId, firstAt: at }: ToldCamera): Promise<ToldCamera['picture']> => {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, PICTURE_TIMEOUT_MS, undefined).unref())
    const answer = await Promise.race([media.recordedPicture({ accountId, cameraId, at, format: 'jpeg' }), late])
    if (answer?.kind !== 'picture' || answer.bytes.length > MAX_PICTURE_BYTES) return undefined
    return Buffer.from(answer.bytes).toString('base64')
  }
  return Promise.all(
    cameras.map(async (camera) => {
      if (!shown.has(camera)) return camera
      const picture = await find(camera).catch((err: unknown) => {
        log.warn({ err, cameraId: camera.cameraId }, 'an alert is sent without a picture')
        return undefined
      })
      return { ...camera, picture }
    }),
  )
}
