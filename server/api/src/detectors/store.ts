import {
  type AudioDetection,
  audioDetection,
  type VideoDetection,
  type VideoDetector,
  videoDetection,
} from '@sightline/contract/detectors'
import { instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import * as z from 'zod/mini'
import { accessibleCameras } from '../cameras/index.ts'

type CameraScope = Pick<MemberCaller, 'accountId' | 'access'>

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/** What a camera is watched for, as stored, and the codec of its sound if it has any. */
export interface SavedDetection {
  readonly video: VideoDetection
  readonly audio: AudioDetection
  readonly audioCodec: string | null
  /** Whether its sound is used. */
  readonly microphone: boolean
}

/** Undefined if the camera doesn't exist or is out of the caller's scope. `lock`: until the transaction ends. */
export async function loadDetection(
  tx: Tx,
  caller: CameraScope,
  { cameraId, lock = false }: { readonly cameraId: number; readonly lock?: boolean },
): Promise<SavedDetection | undefined> {
  const query = accessibleCameras(tx, caller)
    .leftJoin('camera_status', (join) =>
      join
        .onRef('camera_status.account_id', '=', 'cameras.account_id')
        .onRef('camera_status.camera_id', '=', 'cameras.camera_id'),
    )
    .select(['cameras.video_detection', 'cameras.audio_detection', 'cameras.microphone', 'camera_status.audio_codec'])
    .where('cameras.camera_id', '=', cameraId)
  const row = await (lock ? query.forNoKeyUpdate('cameras') : query).executeTakeFirst()
  return (
    row && {
      video: videoDetection.parse(row.video_detection),
      audio: audioDetection.parse(row.audio_detection),
      audioCodec: row.audio_codec,
      microphone: row.microphone,
    }
  )
}

export async function saveDetection(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  { video, audio }: Pick<SavedDetection, 'video' | 'audio'>,
): Promise<void> {
  const cameras = tx
    .updateTable('cameras')
    .set({ video_detection: JSON.stringify(video), audio_detection: JSON.stringify(audio) })
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
