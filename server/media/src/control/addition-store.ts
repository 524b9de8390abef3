import type { AdditionStep, AdditionSubStatus } from '@sightline/contract/camera-additions'
import { type Db, instant, type Tx } from '@sightline/platform/db'
import { addCameraEvent } from '@sightline/platform/events'
import { sql } from 'kysely'
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
  /** Of its network interfaces. */
  readonly macAddresses: readonly string[]
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

/** Whether {@link underWay} finds the camera, which stays so until the transaction ends: what is claimed for it is released with it. */
async function isUnderWay(tx: Tx, camera: AddedCamera): Promise<boolean> {
  const found = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', camera.accountId)
  const row = await found
    .where('camera_id', '=', camera.cameraId)
    .where('addition_started_at', '=', instant(camera.additionStartedAt))
    .where('addition_status', 'in', ['inProgress', 'validated'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Why what was found doesn't become a camera of the account. */
export type ClaimDenyReason = Extract<AdditionSubStatus, 'alreadyAttached' | 'recentlyRemoved'>

/** Takes a MAC address for the account; undefined if the account has it now. */
export async function claimMacAddress(
  tx: Tx,
  accountId: number,
  macAddress: string,
): Promise<ClaimDenyReason | undefined> {
  if (macAddress === '') return undefined
  const { rows } = await sql<{ answer: 'claimed' | 'taken' | 'resting' }>`
    select claim_mac_address(${accountId}, ${macAddress}) as answer`.execute(tx)
  const answer = rows[0]?.answer
  if (answer === 'claimed') return undefined
  return answer === 'taken' ? 'alreadyAttached' : 'recentlyRemoved'
}

/** What was found for a new camera. `macAddress` is empty if it isn't known. */
export type AdoptedCamera = IdentifiedCamera & { readonly address: string; readonly macAddress: string }

/** Whether the account has another camera with that MAC address and, of a recorder, that input. */
export async function hasSameInput(
  tx: Tx,
  { accountId, cameraId, input }: Pick<CameraToServe, 'accountId' | 'cameraId' | 'input'>,
  macAddress: string,
): Promise<boolean> {
  if (macAddress === '') return false
  const others = tx.selectFrom('cameras').select('camera_id').where('account_id', '=', accountId)
  const same = others
    .where('eth_mac_address', '=', macAddress)
    .where('camera_id', '<>', cameraId)
    .where(({ fn, val }) => fn.coalesce('input', val(1)), '=', input)
    .where('addition_status', '<>', 'failure')
    // One with a named path may be another stream of the same camera.
    .where('onvif_port', 'is not', null)
  return (await same.limit(1).executeTakeFirst()) !== undefined
}

/**
 * Writes down where the streams are; names that the customer gave stay. The same camera isn't in two accounts, and not twice in one.
 */
export async function saveIdentified(
  db: Db,
  camera: AddedCamera & Pick<CameraToServe, 'input'>,
  found: AdoptedCamera,
): Promise<ClaimDenyReason | undefined> {
  return await db.transaction(async (tx) => {
    // It was removed or begun again meanwhile, and nothing would release the claim.
    if (!(await isUnderWay(tx, camera))) return undefined
    const refusal = await claimMacAddress(tx, camera.accountId, found.macAddress)
    if (refusal !== undefined) return refusal
    if (await hasSameInput(tx, camera, found.macAddress)) return 'alreadyAttached'
    await writeIdentified(tx, camera, found)
    return undefined
  })
}

async function writeIdentified(tx: Tx, camera: AddedCamera, found: AdoptedCamera): Promise<void> {
  await underWay(tx, camera)
    .set(({ fn, ref, val }) => ({
      addition_status: 'validated' as const,
      addition_step: 'streams' as const,
      address: found.address,
      eth_mac_address: found.macAddress,
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

/** `macAddress`: what the network says of a camera that was added with its stream path; undefined if it says nothing. */
export type SavedOutcome = AdditionOutcome & { readonly at: number; readonly macAddress?: string | undefined }

/**
 * A camera that was added is an event. Says how the addition ended: one whose MAC address another account has, or that was just removed,
 * isn't added.
 */
export async function saveOutcome(db: Db, camera: AddedCamera, outcome: SavedOutcome): Promise<'added' | 'failure'> {
  return await db.transaction(async (tx) => {
    const { macAddress } = outcome
    if (outcome.status === 'failure' || macAddress === undefined || !(await isUnderWay(tx, camera)))
      return await writeOutcome(tx, camera, outcome)
    const refusal = await claimMacAddress(tx, camera.accountId, macAddress)
    if (refusal !== undefined)
      return await writeOutcome(tx, camera, { ...outcome, status: 'failure', subStatus: refusal, lastStep: 'signedIn' })
    await underWay(tx, camera).set({ eth_mac_address: macAddress }).execute()
    return await writeOutcome(tx, camera, outcome)
  })
}

async function writeOutcome(
  tx: Tx,
  camera: AddedCamera,
  { status, subStatus, lastStep, certificate, at }: SavedOutcome,
): Promise<'added' | 'failure'> {
  const saved = await underWay(tx, camera)
    .set({
      addition_status: status,
      addition_sub_status: subStatus,
      addition_step: lastStep,
      certificate_sha256: certificate ?? null,
      // What isn't added holds no MAC address that another account may need.
      ...(status === 'failure' ? { eth_mac_address: '' } : {}),
    })
    .returning(['account_id as accountId', 'camera_id as cameraId', 'name'])
    .executeTakeFirst()
  if (saved === undefined || status !== 'added') return status
  await addCameraEvent(tx, {
    camera: saved,
    type: 'cameraAdded',
    at,
    endsAt: at,
    once: `${saved.cameraId} cameraAdded`,
  })
  return status
}
