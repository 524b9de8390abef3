import type { AdditionStep, AdditionSubStatus } from '@sightline/contract/camera-additions'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { addCameraEvent } from '@sightline/platform/events'
import type { CameraToServe, OnvifEndpoint } from './store.ts'

/** What a camera said about itself when it was added. */
export interface IdentifiedCamera {
  readonly rtspPort: number
  readonly mainPath: string
  readonly subPath: string | null
  readonly isSecure: boolean
  readonly onvif: OnvifEndpoint
  readonly brand: string
  readonly model: string
  readonly firmwareVersion: string
  readonly serial: string
  /** How many inputs the device has. */
  readonly inputs: number
  /** How a device with several names this one in events. */
  readonly motionSources: readonly string[] | null
}

type AddedCamera = Pick<CameraToServe, 'accountId' | 'cameraId' | 'additionStartedAt'>

/** Of an addition that is under way, and no later one of the same camera. */
const underWay = (db: Pick<Tx, 'updateTable'>, camera: AddedCamera) =>
  db
    .updateTable('cameras')
    .where('account_id', '=', camera.accountId)
    .where('camera_id', '=', camera.cameraId)
    .where('addition_started_at', '=', instant(camera.additionStartedAt))
    .where('addition_status', 'in', ['inProgress', 'validated'])

/** Writes down where the streams are; names that the customer gave stay. */
export async function saveIdentified(db: Db, camera: AddedCamera, found: IdentifiedCamera): Promise<void> {
  await underWay(db.plain, camera)
    .set(({ fn, ref, val }) => ({
      addition_status: 'validated' as const,
      addition_step: 'streams' as const,
      rtsp_port: found.rtspPort,
      main_path: found.mainPath,
      sub_path: found.subPath,
      stream_secure: found.isSecure,
      onvif_port: found.onvif.port,
      onvif_secure: found.onvif.isSecure,
      onvif_certificate_sha256: found.onvif.certificate ?? null,
      brand: fn.coalesce(ref('brand'), val(orNull(found.brand))),
      model: fn.coalesce(ref('model'), val(orNull(found.model))),
      firmware_version: orNull(found.firmwareVersion),
      serial: orNull(found.serial),
      device_inputs: found.inputs,
      motion_sources: found.motionSources === null ? null : [...found.motionSources],
    }))
    .execute()
}

const orNull = (text: string): string | null => (text === '' ? null : text)

/** Writes down how far the addition is. */
export async function saveStep(db: Db, camera: AddedCamera, step: AdditionStep): Promise<void> {
  await underWay(db.plain, camera).set({ addition_step: step }).execute()
}

export interface AdditionOutcome {
  readonly status: 'added' | 'failure'
  readonly subStatus: AdditionSubStatus
  /** The last step that succeeded. */
  readonly lastStep: AdditionStep | null
  /** SHA-256 of the certificate that the camera showed; from now on it has to show this one. */
  readonly certificate?: Buffer | undefined
}

/** A camera that was added is an event. */
export async function saveOutcome(
  db: Db,
  camera: AddedCamera,
  { status, subStatus, lastStep, certificate, at }: AdditionOutcome & { readonly at: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const saved = await underWay(tx, camera)
      .set({
        addition_status: status,
        addition_sub_status: subStatus,
        addition_step: lastStep,
        certificate_sha256: certificate ?? null,
      })
      .returning(['account_id as accountId', 'camera_id as cameraId', 'name'])
      .executeTakeFirst()
    if (saved === undefined || status !== 'added') return
    await addCameraEvent(tx, {
      camera: saved,
      type: 'cameraAdded',
      at,
      endsAt: at,
      once: `${saved.cameraId} cameraAdded`,
    })
  })
}
