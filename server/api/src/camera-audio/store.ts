import type { Tx } from '@sightline/platform/db'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/** What of a camera's sound is used. */
export interface SoundSwitches {
  readonly microphone: boolean
  readonly speaker: boolean
}

/** Of a camera that the caller has been found to see. */
export async function loadSound(tx: Tx, { accountId, cameraId }: CameraKey): Promise<SoundSwitches> {
  const camera = tx.selectFrom('cameras').select(['microphone', 'speaker']).where('account_id', '=', accountId)
  return await camera.where('camera_id', '=', cameraId).executeTakeFirstOrThrow()
}

export async function saveSound(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  { microphone, speaker }: SoundSwitches,
): Promise<void> {
  const cameras = tx.updateTable('cameras').set({ microphone, speaker }).where('account_id', '=', accountId)
  await cameras.where('camera_id', '=', cameraId).execute()
}
