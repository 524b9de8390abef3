import type { CameraTransfer, CameraTransferStatus, NewCameraTransfer } from '@sightline/contract/camera-transfers'
import type { ApiError } from '@sightline/contract/errors'
import { toDateTime } from '@sightline/contract/wire'

/** A camera as it is named in an offer. */
export interface OfferedCamera {
  readonly cameraId: number
  readonly name: string
  readonly brand: string | null
  readonly model: string | null
}

/** A camera of the account, and what could keep it from being offered. */
export interface OfferableCamera extends OfferedCamera {
  readonly isAdded: boolean
  readonly isBodyWorn: boolean
  readonly isInputOfRecorder: boolean
  /** Another camera or recorder of the account has the same MAC address. */
  readonly sharesDevice: boolean
  readonly isTransferred: boolean
}

export interface StoredTransfer {
  readonly accountId: number
  readonly receiverAccountId: number | null
  readonly cameraTransferId: number
  readonly status: Exclude<CameraTransferStatus, 'moved' | 'expired'>
  readonly cameras: readonly OfferedCamera[]
  readonly sender: { readonly name: string; readonly email: string }
  readonly email: string | null
  readonly targetAccountId: number | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
}

/** Why an offer could not be accepted or declined; `done` if it was. */
export type TransferOutcome =
  | 'done'
  | 'notFound'
  | 'ended'
  | 'gone'
  | 'shared'
  | 'busy'
  | 'changed'
  | 'network'
  | 'noZone'

const rule = (detail: string): ApiError => ({ error: 'businessRule', detail })

/** Why one of the cameras can't be offered. */
export function offerFault(cameras: readonly OfferableCamera[]): ApiError | undefined {
  for (const camera of cameras) {
    const reason = offerReason(camera)
    if (reason !== undefined) return rule(`${camera.name}: ${reason}`)
  }
  return undefined
}

function offerReason(camera: OfferableCamera): string | undefined {
  if (camera.isTransferred) return 'this camera belongs to another account already'
  if (camera.isBodyWorn) return 'body-worn cameras can’t be transferred'
  if (!camera.isAdded) return 'this camera hasn’t been added yet'
  if (camera.isInputOfRecorder) return 'this is an input of a recorder, and recorders can’t be transferred'
  if (camera.sharesDevice) return 'this device has more than one camera: offer all of them together'
  return undefined
}

const outcomes: Readonly<Record<Exclude<TransferOutcome, 'done'>, ApiError>> = {
  notFound: { error: 'notFound' },
  ended: rule('this offer has been accepted, declined or withdrawn, or it has expired'),
  gone: rule('a camera of this offer was removed or changed meanwhile: ask for another offer'),
  shared: rule('a device of this offer has more cameras, which were not offered: ask for another offer'),
  busy: rule('a job of one of these cameras is in progress: try again when it has finished'),
  changed: rule('the password of one of these cameras is being changed: try again'),
  network: rule('one of these cameras is in a network that your account doesn’t have: ask your provider'),
  noZone: { error: 'notFound', detail: "zone not found, or you don't have access to it" },
}

export const outcomeError = (outcome: Exclude<TransferOutcome, 'done'>): ApiError => outcomes[outcome]

/** The offer as one of its two accounts sees it. */
export function toTransfer(
  stored: StoredTransfer,
  { accountId, now }: { accountId: number; now: number },
): CameraTransfer {
  const isExpired = stored.status === 'offered' && stored.expiresAt <= now
  return {
    cameraTransferId: stored.cameraTransferId,
    direction: stored.accountId === accountId ? 'outgoing' : 'incoming',
    status: isExpired ? 'expired' : stored.status,
    cameras: stored.cameras.map(({ cameraId, name, brand, model }) => ({ cameraId, name, brand, model })),
    zoneId: null,
    senderName: stored.sender.name,
    senderEmail: stored.sender.email,
    email: stored.email,
    targetAccountId: stored.targetAccountId,
    createdAt: toDateTime(stored.createdAt),
    expiresAt: toDateTime(stored.expiresAt),
    endedAt: stored.endedAt === null ? null : toDateTime(stored.endedAt),
  }
}

/** For the audit log. */
export const toAuditTransfer = ({ cameraIds, email, targetAccountId, zoneId }: NewCameraTransfer) => ({
  cameraIds,
  ...(email === undefined ? {} : { email }),
  ...(targetAccountId === undefined ? {} : { targetAccountId }),
  ...(zoneId === undefined ? {} : { zoneId }),
})
