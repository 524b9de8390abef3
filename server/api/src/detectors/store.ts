import { type AbilityName, type AbilityState, cameraAbilities } from '@sightline/contract/camera-capabilities'
import {
  type AudioDetection,
  audioDetection,
  type PirDetection,
  pirDetection,
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
  readonly pir: PirDetection
  readonly audioCodec: string | null
  /** Whether its sound is used. */
  readonly microphone: boolean
  /** Whether its own events are followed. */
  readonly isOnvif: boolean
  /** Whether it said that it reports loud sounds itself. */
  readonly reportsSounds: boolean
  /** Whether it said that it has neither a PIR sensor nor an input that one could be wired to. */
  readonly lacksPir: boolean
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
    .leftJoin('camera_capabilities', (join) =>
      join
        .onRef('camera_capabilities.account_id', '=', 'cameras.account_id')
        .onRef('camera_capabilities.camera_id', '=', 'cameras.camera_id'),
    )
    .select(['cameras.video_detection', 'cameras.audio_detection', 'cameras.pir_detection', 'cameras.microphone'])
    .select(['cameras.onvif_port', 'camera_status.audio_codec', 'camera_capabilities.abilities'])
    .where('cameras.camera_id', '=', cameraId)
  const row = await (lock ? query.forNoKeyUpdate('cameras') : query).executeTakeFirst()
  return (
    row && {
      video: videoDetection.parse(row.video_detection),
      audio: audioDetection.parse(row.audio_detection),
      pir: pirDetection.parse(row.pir_detection),
      audioCodec: row.audio_codec,
      microphone: row.microphone,
      isOnvif: row.onvif_port !== null,
      reportsSounds: row.onvif_port !== null && stateOf(row.abilities, 'audioDetection') === 'yes',
      lacksPir: stateOf(row.abilities, 'pir') === 'no' && stateOf(row.abilities, 'inputs') === 'no',
    }
  )
}

const stateOf = (abilities: unknown, name: AbilityName): AbilityState =>
  (abilities === null ? undefined : cameraAbilities.parse(abilities).abilities[name]?.state) ?? 'unknown'

export async function saveDetection(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  { video, audio, pir }: Pick<SavedDetection, 'video' | 'audio' | 'pir'>,
): Promise<void> {
  const values = {
    video_detection: JSON.stringify(video),
    audio_detection: JSON.stringify(audio),
    pir_detection: JSON.stringify(pir),
  }
  const cameras = tx.updateTable('cameras').set(values)
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
    .where('type', 'in', ['motion', 'intrusion'])
    .where('at', '>', instant(now - SOURCE_MS))
    .orderBy('event_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return eventData.parse(row?.data ?? {}).detectedBy ?? null
}
