import {
  acceptCameraTransfer,
  type CameraTransfer,
  declineCameraTransfer,
  getCameraTransfers,
  MAX_TRANSFERS_A_DAY,
  type NewCameraTransfer,
  postCameraTransfer,
  TRANSFER_DAYS,
  withdrawCameraTransfer,
} from '@sightline/contract/camera-transfers'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { foldEmail } from '@sightline/contract/user-details'
import { toDateTime } from '@sightline/contract/wire'
import { MS_PER_DAY, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { addCameraEvent } from '@sightline/platform/events'
import { serve, serveChange } from '@sightline/platform/http'
import { enqueue } from '@sightline/platform/jobs'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { isAlreadyAdded } from '../camera-additions/index.ts'
import { cameraPasswordContext } from '../camera-connection/index.ts'
import { changeCameras, lockCamera, moveFault, saveCamera, slotFault } from '../cameras/index.ts'
import { offerFault, outcomeError, toAuditTransfer, toTransfer } from './rules.ts'
import {
  acceptTransfer,
  countTransfers,
  declineTransfer,
  findTransfer,
  insertTransfer,
  isOffered,
  listOfferedPasswords,
  listTransfers,
  loadSender,
  lockOfferable,
  lockOwnTransfer,
  markWithdrawn,
} from './store.ts'

export { transferTasks } from './tasks.ts'

const LISTED_MS = 90 * MS_PER_DAY
const noSuchCamera: ApiError = { error: 'notFound', detail: "camera not found, or you don't have access to it" }
const noSuchOffer: ApiError = { error: 'notFound' }
const ownAccount: ApiError = { error: 'businessRule', detail: 'this is your own account' }
const offered: ApiError = {
  error: 'businessRule',
  detail: 'one of these cameras is offered to an account already: withdraw that offer first',
}
const tooMany: ApiError = {
  error: 'tooManyRequests',
  detail: `at most ${MAX_TRANSFERS_A_DAY} offers can be made within 24 hours`,
  retryAfter: MS_PER_DAY / MS_PER_SECOND / 24,
}
const added: ApiError = { error: 'duplicate', detail: 'your account already has one of these cameras' }

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly media: Pick<MediaPlane, 'camerasChanged'>
  readonly encryption: EnvelopeEncryption
  readonly now: () => number
}

/** Cameras are moved to another zone, or offered to another account, whose owner accepts or declines (decision 0124). */
export const cameraTransfers = (deps: Deps) => [listing(deps), offering(deps), ...answering(deps), withdrawing(deps)]

const listing = ({ db, now }: Deps) =>
  serve(getCameraTransfers, async (caller) => {
    const { accountId } = caller
    const stored = await db.inTenant(caller, (tx) => listTransfers(tx, accountId, now() - LISTED_MS))
    return ok(stored.map((one) => toTransfer(one, { accountId, now: now() })))
  })

const offering = ({ ids, media, now }: Deps) =>
  serveChange(postCameraTransfer, async (change, { body }) => {
    const cameraTransferId = await ids.next()
    return changeCameras(change, media, async (tx, caller) => {
      const done =
        body.zoneId === undefined
          ? await offerCameras(tx, caller, { body, cameraTransferId, now: now() })
          : await moveCameras(tx, caller, { ...body, zoneId: body.zoneId, now: now() })
      if (!done.ok) return done
      const target =
        body.zoneId === undefined ? { kind: 'cameraTransfer', id: cameraTransferId } : { kind: 'zone', id: body.zoneId }
      await change.audit({ action: 'postCameraTransfer', target, after: toAuditTransfer(body) })
      return done
    })
  })

async function moveCameras(
  tx: Tx,
  caller: MemberCaller,
  { cameraIds, zoneId, now }: { readonly cameraIds: readonly number[]; readonly zoneId: number; readonly now: number },
): Promise<Result<CameraTransfer, ApiError>> {
  const { accountId } = caller
  const cameras = []
  for (const cameraId of [...cameraIds].sort((a, b) => a - b)) {
    const camera = await lockCamera(tx, caller, cameraId)
    if (camera === undefined) return fail(noSuchCamera)
    const refusal = await moveFault(tx, caller, { camera, to: zoneId })
    if (refusal !== undefined) return fail(refusal)
    await saveCamera(tx, { ...camera, zoneId })
    cameras.push({ cameraId, name: camera.name, brand: camera.brand, model: camera.model })
  }
  const sender = await loadSender(tx, accountId)
  return ok({
    cameraTransferId: null,
    direction: 'outgoing',
    status: 'moved',
    cameras,
    zoneId,
    senderName: sender.name,
    senderEmail: sender.email,
    email: null,
    targetAccountId: null,
    createdAt: toDateTime(now),
    expiresAt: null,
    endedAt: toDateTime(now),
  })
}

interface Offer {
  readonly body: NewCameraTransfer
  readonly cameraTransferId: number
  readonly now: number
}

async function offerCameras(
  tx: Tx,
  { accountId }: MemberCaller,
  { body, cameraTransferId, now }: Offer,
): Promise<Result<CameraTransfer, ApiError>> {
  const { cameraIds, email, targetAccountId = accountId } = body
  const sender = await loadSender(tx, accountId)
  const target = email === undefined ? { targetAccountId } : { email: email.trim(), emailFolded: foldEmail(email) }
  if ('email' in target ? target.emailFolded === sender.emailFolded : targetAccountId === accountId)
    return fail(ownAccount)
  if ((await countTransfers(tx, accountId, now - MS_PER_DAY)) >= MAX_TRANSFERS_A_DAY) return fail(tooMany)
  const cameras = await lockOfferable(tx, { accountId, cameraIds })
  if (cameras.length < cameraIds.length) return fail(noSuchCamera)
  const fault = offerFault(cameras)
  if (fault !== undefined) return fail(fault)
  if (await isOffered(tx, { accountId, cameraIds }, now)) return fail(offered)
  const named = cameras.map(({ cameraId, name, brand, model }) => ({ cameraId, name, brand, model }))
  const expiresAt = now + TRANSFER_DAYS * MS_PER_DAY
  const row = { accountId, cameraTransferId, target, sender, cameras: named, createdAt: now, expiresAt }
  await insertTransfer(tx, row)
  // Enqueued even if nobody has that address: it takes the same time, so it gives no hint.
  await enqueue(tx, { task: 'writeTransferMail', payload: { accountId, cameraTransferId } })
  const stored = await findTransfer(tx, cameraTransferId)
  return stored === undefined ? fail(noSuchOffer) : ok(toTransfer(stored, { accountId, now }))
}

const answering = (deps: Deps) => [
  serveChange(acceptCameraTransfer, async (change, { params, body }) => {
    try {
      return await changeCameras(change, deps.media, async (tx, caller) => {
        const accepted = await acceptOffer(tx, caller, { ...params, ...body }, deps)
        if (!accepted.ok) return accepted
        const { offer, cameraIds } = accepted.value
        const target = { kind: 'cameraTransfer', id: params.cameraTransferId }
        const from = { senderName: offer.sender.name, zoneId: body.zoneId }
        await change.audit({ action: 'acceptCameraTransfer', target, after: { ...from, cameraIds } })
        const at = deps.now()
        for (const [index, cameraId] of cameraIds.entries()) {
          const camera = { accountId: caller.accountId, cameraId, name: offer.cameras[index]?.name ?? '' }
          await addCameraEvent(tx, { camera, type: 'cameraAdded', at, endsAt: at, once: `${cameraId} cameraAdded` })
        }
        return ok({ cameraIds })
      })
    } catch (error) {
      if (isAlreadyAdded(error)) return fail(added)
      const fault = slotFault(error, acceptCameraTransfer)
      if (fault !== undefined) return fail(fault)
      throw error
    }
  }),

  serveChange(declineCameraTransfer, async (change, { params: { cameraTransferId } }) => {
    const { caller } = change
    const entryId = await deps.ids.next()
    return change.tx(caller, async (tx) => {
      const offer = await findTransfer(tx, cameraTransferId)
      const outcome = await declineTransfer(tx, { cameraTransferId, entryId, now: deps.now() })
      if (outcome !== 'done' || offer === undefined)
        return fail(outcome === 'done' ? noSuchOffer : outcomeError(outcome))
      await tellSender(tx, offer)
      const target = { kind: 'cameraTransfer', id: cameraTransferId }
      await change.audit({ action: 'declineCameraTransfer', target, after: { senderName: offer.sender.name } })
      return ok(undefined)
    })
  }),
]

const tellSender = (tx: Tx, { accountId, cameraTransferId }: { accountId: number; cameraTransferId: number }) =>
  enqueue(tx, { task: 'writeTransferMail', payload: { accountId, cameraTransferId } })

async function acceptOffer(
  tx: Tx,
  { accountId }: MemberCaller,
  { cameraTransferId, zoneId }: { readonly cameraTransferId: number; readonly zoneId: number },
  { ids, encryption, now }: Pick<Deps, 'ids' | 'encryption' | 'now'>,
) {
  const offer = await findTransfer(tx, cameraTransferId)
  if (offer === undefined || offer.receiverAccountId !== accountId) return fail(noSuchOffer)
  const moves = []
  for (const { cameraId, sealed, accountId: sender } of await listOfferedPasswords(tx, cameraTransferId)) {
    const newCameraId = await ids.next()
    const own = cameraPasswordContext({ accountId, cameraId: newCameraId })
    const password = sealed && encryption.open(cameraPasswordContext({ accountId: sender, cameraId }), sealed)
    moves.push({
      cameraId,
      newCameraId,
      was: sealed,
      sealed: password === null ? null : encryption.seal(own, password),
    })
  }
  const entryId = await ids.next()
  const outcome = await acceptTransfer(tx, { cameraTransferId, zoneId, moves, entryId, now: now() })
  if (outcome !== 'done') return fail(outcomeError(outcome))
  await tellSender(tx, offer)
  const renamed = new Map(moves.map(({ cameraId, newCameraId }) => [cameraId, newCameraId]))
  const cameraIds = offer.cameras.flatMap(({ cameraId }) => renamed.get(cameraId) ?? [])
  return ok({ offer, cameraIds })
}

const withdrawing = ({ now }: Deps) =>
  serveChange(withdrawCameraTransfer, async (change, { params: { cameraTransferId } }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      const offer = await lockOwnTransfer(tx, { accountId: caller.accountId, cameraTransferId })
      if (offer === undefined) return fail(noSuchOffer)
      if (toTransfer(offer, { accountId: caller.accountId, now: now() }).status !== 'offered')
        return fail(outcomeError('ended'))
      await markWithdrawn(tx, offer, now())
      const target = { kind: 'cameraTransfer', id: cameraTransferId }
      await change.audit({ action: 'withdrawCameraTransfer', target })
      return ok(undefined)
    })
  })
