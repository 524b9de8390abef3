import * as z from 'zod/mini'
import { checkedText, emailProblem } from '../user-details/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** How long an offer can be accepted. */
export const TRANSFER_DAYS = 7
/** The most offers that an account makes within 24 hours. */
export const MAX_TRANSFERS_A_DAY = 20
/** The most cameras of an offer. */
export const MAX_TRANSFERRED_CAMERAS = 200

/** `moved`: to another zone of the account, which takes no acceptance. */
export const cameraTransferStatus = z.enum(['moved', 'offered', 'accepted', 'declined', 'withdrawn', 'expired'])
export type CameraTransferStatus = z.infer<typeof cameraTransferStatus>

export const cameraTransfer = z.object({
  /** Null if the cameras were moved to another zone. */
  cameraTransferId: z.nullable(id),
  /** `incoming`: offered to this account. */
  direction: z.enum(['outgoing', 'incoming']),
  status: cameraTransferStatus,
  /** As they were named when they were offered. Ids are those of the account that offers. */
  cameras: z.array(
    z.object({ cameraId: id, name: z.string(), brand: z.nullable(z.string()), model: z.nullable(z.string()) }),
  ),
  /** The zone that the cameras were moved to; null for an offer. */
  zoneId: z.nullable(id),
  /** Who offers: the name of the account and the email address of its owner. */
  senderName: z.string(),
  senderEmail: z.string(),
  /** Who it is offered to, as the sender named them. Whether such an account exists is not said. */
  email: z.nullable(z.string()),
  targetAccountId: z.nullable(id),
  createdAt: dateTime,
  /** Null if the cameras were moved to another zone. */
  expiresAt: z.nullable(dateTime),
  endedAt: z.nullable(dateTime),
})
export type CameraTransfer = z.infer<typeof cameraTransfer>

export const newCameraTransfer = z
  .object({
    cameraIds: z.array(id).check(
      z.minLength(1, 'at least one camera has to be selected'),
      z.maxLength(MAX_TRANSFERRED_CAMERAS),
      z.refine((ids) => new Set(ids).size === ids.length, 'each camera only once'),
    ),
    /** Moves the cameras to this zone of the account. */
    zoneId: z.optional(id),
    /** Offers the cameras to that account. */
    targetAccountId: z.optional(id),
    /** Offers the cameras to the account whose owner has this email address. */
    email: z.optional(checkedText(emailProblem)),
  })
  .check(
    z.refine(
      ({ zoneId, targetAccountId, email }) =>
        [zoneId, targetAccountId, email].filter((target) => target !== undefined).length === 1,
      'one of zoneId, targetAccountId and email is required',
    ),
  )
export type NewCameraTransfer = z.infer<typeof newCameraTransfer>

const byOwner = { access: 'tenant', superUserOnly: true, support: 'no', visitor: 'no' } as const
const ofOffer = {
  ...byOwner,
  access: 'object',
  apiKey: 'no',
  ids: { 'params.cameraTransferId': 'cameraOffer' },
  params: z.object({ cameraTransferId: idText }),
} as const

export const getCameraTransfers = route({
  ...byOwner,
  name: 'getCameraTransfers',
  summary: 'List the offers of cameras that the account made or got in the last 90 days, newest first',
  method: 'GET',
  path: 'cameraTransfers',
  reply: z.array(cameraTransfer),
  list: { key: 'cameraTransferId', sort: ['-createdAt'], defaultLimit: 'all' },
  errors: [],
})

export const postCameraTransfer = route({
  ...byOwner,
  name: 'postCameraTransfer',
  summary: 'Move cameras to another zone, or offer them to another account',
  method: 'POST',
  path: 'cameras/transfer',
  status: 202,
  ids: { 'body.cameraIds': 'camera', 'body.zoneId': 'zone', 'body.targetAccountId': 'account' },
  body: newCameraTransfer,
  reply: cameraTransfer,
  errors: ['validation', 'notFound', 'businessRule', 'tooManyRequests'],
})

export const acceptCameraTransfer = route({
  ...ofOffer,
  name: 'acceptCameraTransfer',
  summary: 'Accept offered cameras into a zone; they are recorded in this account from then on',
  method: 'POST',
  path: 'cameraTransfers/{cameraTransferId}/accept',
  activeAccountOnly: true,
  ids: { ...ofOffer.ids, 'body.zoneId': 'zone' },
  body: z.object({ zoneId: id }),
  /** The cameras as they are named here. */
  reply: z.object({ cameraIds: z.array(id) }),
  errors: ['notFound', 'duplicate', 'businessRule', 'subscriptionLimit'],
})

export const declineCameraTransfer = route({
  ...ofOffer,
  name: 'declineCameraTransfer',
  summary: 'Decline offered cameras',
  method: 'POST',
  path: 'cameraTransfers/{cameraTransferId}/decline',
  status: 204,
  reply: nothing,
  notReplayed: 'a declined offer stays declined',
  errors: ['notFound', 'businessRule'],
})

export const withdrawCameraTransfer = route({
  ...ofOffer,
  name: 'withdrawCameraTransfer',
  summary: 'Withdraw an offer of cameras before it is accepted',
  method: 'DELETE',
  path: 'cameraTransfers/{cameraTransferId}',
  ids: { 'params.cameraTransferId': 'cameraTransfer' },
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})
