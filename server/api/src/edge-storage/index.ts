import { formatEdgeStorage, getEdgeStorage } from '@sightline/contract/edge-storage'
import type { ApiError } from '@sightline/contract/errors'
import type { CameraCard, MediaPlane } from '@sightline/contract/media-plane'
import type { Db, IdSource } from '@sightline/platform/db'
import { addUserActions } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { commandError, findCameraInScope, lockCamera } from '../cameras/index.ts'
import { hasOpenJob, insertJob, loadConnection } from '../device-jobs/index.ts'
import { FORMAT_MS, toEdgeStorage } from './rules.ts'
import { findFormatJob } from './store.ts'

const noSuchCamera: ApiError = { error: 'notFound' }
const noSuchCard: ApiError = { error: 'notFound', detail: 'the camera has no card with this number' }
const atWork: ApiError = {
  error: 'businessRule',
  detail: 'another job is running on the camera: wait until it has finished',
}
const notFormattable: ApiError = {
  error: 'capabilityNotSupported',
  detail:
    "this card can't be formatted from here: ONVIF has no request for it, and the camera has no known one of its own",
}
const ofRecorder: ApiError = {
  error: 'capabilityNotSupported',
  detail: 'this camera is an input of a recorder: formatting would delete what the recorder has of all its cameras',
}
const noCard: ApiError = { error: 'capabilityNotSupported', detail: 'there is no card in the camera' }

const sentences = {
  noOnvif: 'only cameras that are connected by ONVIF can be asked about their cards',
  unsupported: "the camera doesn't report a card: it doesn't support ONVIF Profile G",
  rejected: "the camera didn't say anything about its cards",
  cameraOffline: "the camera doesn't respond, so its cards aren't known",
} as const

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'command' | 'camerasChanged'>
  readonly now: () => number
}

/** Cards in cameras: what is on them, as the camera says, and formatting them. */
export const edgeStorage = ({ db, ids, media, now }: Deps) => [
  serve(getEdgeStorage, async (caller, { params: { cameraId } }) => {
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const cards = await readCards(media, cameraId)
    if (!cards.ok) return cards
    return await db.inTenant(caller, async (tx) => {
      const last = await findFormatJob(tx, camera.value)
      const { isInput } = await loadConnection(tx, camera.value)
      const shown = isInput ? cards.value.map((card) => ({ ...card, formattable: false })) : cards.value
      return ok(toEdgeStorage(shown, last, now()))
    })
  }),

  serveChange(formatEdgeStorage, async (change, { params: { cameraId, edgeStorageId } }) => {
    const { caller } = change
    const seen = await findCameraInScope(db, caller, cameraId)
    if (!seen.ok) return seen
    const { isInput } = await db.inTenant(caller, (tx) => loadConnection(tx, seen.value))
    if (isInput) return fail(ofRecorder)
    const cards = await readCards(media, cameraId)
    if (!cards.ok) return cards
    const card = cards.value.find((one) => one.edgeStorageId === edgeStorageId)
    if (card === undefined) return fail(noSuchCard)
    if (!card.formattable) return fail(card.state === 'missing' ? noCard : notFormattable)
    const jobId = await ids.next()
    const queued = await change.tx(caller, async (tx) => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      if (card.state === 'formatting' || (await hasOpenJob(tx, camera))) return fail(atWork)
      const job = { jobId, type: 'formatStorage' as const, now: now(), deadlineMs: FORMAT_MS, storageId: edgeStorageId }
      await insertJob(tx, camera, job)
      const done = { action: 'formatEdgeStorage', before: null, after: { edgeStorageId, jobId } }
      await change.audit({ target: { kind: 'camera', id: cameraId }, ...done })
      await addUserActions(tx, { caller, at: now(), cameraIds: [cameraId], ...done, data: {} })
      return ok({ jobId })
    })
    if (queued.ok) media.camerasChanged()
    return queued
  }),
]

async function readCards(
  media: Pick<MediaPlane, 'command'>,
  cameraId: number,
): Promise<Result<readonly CameraCard[], ApiError>> {
  const answer = await media.command({ cameraId, name: 'readEdgeStorage', input: null })
  return answer.kind === 'done' ? ok(answer.output) : fail(commandError(answer, sentences))
}
