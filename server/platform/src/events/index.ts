import type { EventType } from '@sightline/contract/events'
import type { EpochMs } from '../clock/index.ts'
import { instant, type Tx } from '../db/index.ts'

/** What happened at a camera. */
export interface CameraEventInput {
  readonly camera: { readonly accountId: number; readonly cameraId: number; readonly name: string }
  readonly type: EventType
  readonly at: EpochMs
  /** Null while it is in progress; the same as `at` for a moment. */
  readonly endsAt: EpochMs | null
  /** Shown to all who see the camera: no addresses, no names of people. */
  readonly data?: Readonly<Record<string, string>>
  /** With the time and account the same for the same event, so that it is written once. */
  readonly once: string
}

/**
 * Writes an event of a camera, as the last statement of its transaction: other writers of the account wait until it
 * ends. Returns its id; undefined if it is there already.
 */
export async function addCameraEvent(
  tx: Tx,
  { camera, type, at, endsAt, data = {}, once }: CameraEventInput,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('events')
    .values({
      account_id: camera.accountId,
      at: instant(at),
      ended_at: endsAt === null ? null : instant(endsAt),
      type,
      source_kind: 'camera',
      source_id: camera.cameraId,
      source_name: camera.name,
      camera_id: camera.cameraId,
      data: JSON.stringify(data),
      once_key: once,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return row?.event_id
}
