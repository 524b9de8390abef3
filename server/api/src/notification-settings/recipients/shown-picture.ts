import type { Tx } from '@sightline/platform/db'
import type { ShownPicture } from '../../push-devices/index.ts'
import { findType } from '../rules.ts'
import { mayShowPictures, shouldNotify } from './rules.ts'
import { findCameraZone, loadRecipient } from './store.ts'

/** Whether a push message may show that picture to its user now: what they may know and see is decided again. */
export async function canShowPicture(
  tx: Tx,
  { accountId, userId, cameraId, type: name }: ShownPicture & { readonly accountId: number },
): Promise<boolean> {
  const type = findType(name)
  const zoneId = await findCameraZone(tx, { accountId, cameraId })
  if (type === undefined || zoneId === undefined) return false
  const recipient = await loadRecipient(tx, { accountId, userId }, type)
  if (recipient === undefined || !shouldNotify(recipient, { accountId, cameraId, zoneId })) return false
  return mayShowPictures(recipient, type)
}
