import { type VideoDetection, type VideoDetector, videoDetection } from '@sightline/contract/detectors'
import { instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import * as z from 'zod/mini'
import { accessibleCameras } from '../cameras/index.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/** Undefined if the camera doesn't exist or is out of the caller's scope. `lock`: until the transaction ends. */
export async function loadVideoDetection(
  tx: Tx,
  caller: CameraScope,
  { cameraId, lock = false }: { readonly cameraId: number; readonly lock?: boolean },
): Promise<VideoDetection | undefined> {
  const query = accessibleCameras(tx, caller)
    .select('cameras.video_detection')
    .where('cameras.camera_id', '=', cameraId)
  const row = await (lock ? query.forNoKeyUpdate('cameras') : query).executeTakeFirst()
  return row && videoDetection.parse(row.video_detection)
}

export async function saveVideoDetection(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  detection: VideoDetection,
): Promise<void> {
  const cameras = tx.updateTable('cameras').set({ video_detection: JSON.stringify(detection) })
  await cameras.where('account_id', '=', accountId).where('camera_id', '=', cameraId).execute()
}

const eventData = z.object({ detectedBy: z.optional(z.enum(['camera', 'server'])) })

/** How far back the last motion is looked for. */
const SOURCE_MS = 30 * 86_400_000

/** What found the camera's last motion; null if there was none lately. */
export async function lastMotionSource(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  now: number,
): Promise<VideoDetector['source']> {
  const row = await tx
    .selectFrom('events')
    .select('data')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('type', '=', 'motion')
    .where('at', '>', instant(now - SOURCE_MS))
    .orderBy('event_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return eventData.parse(row?.data ?? {}).detectedBy ?? null
}
