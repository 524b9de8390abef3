import { appendAudit } from '@sightline/platform/audit'
import { type Db, type IdSource, isUniqueViolation, matchAny } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { CameraToServe } from './store.ts'

/** A camera that can be recognized at another address. */
export interface MovableCamera
  extends Pick<
    CameraToServe,
    | 'accountId'
    | 'cameraId'
    | 'address'
    | 'rtspPort'
    | 'mainPath'
    | 'isSecure'
    | 'certificateSha256'
    | 'onvif'
    | 'username'
    | 'passwordSealed'
  > {
  /** Lower case with colons. */
  readonly macAddress: string
  /** As the camera said last; empty if it never did. */
  readonly serial: string
  /** What names its connection in the account; null: nothing. */
  readonly connectionKey: string | null
}

const ADDRESS_IN_NUMBERS = /^\d{1,3}(\.\d{1,3}){3}$/

/**
 * Those of the given cameras that may be looked for: with a MAC address, at an IPv4 address, connected by themselves. The password of
 * a camera that takes it in plain text would be read by whatever answers there, so it stays where it is; so does a camera over TLS
 * without a known certificate.
 */
export async function loadMovable(db: Db, cameraIds: readonly number[]): Promise<readonly MovableCamera[]> {
  if (cameraIds.length === 0) return []
  const saidSerial = sql<
    string | null
  >`(select nullif(a.abilities->'information'->>'serial', '') from camera_capabilities a
    where a.account_id = c.account_id and a.camera_id = c.camera_id)`
  const rows = await db.plain
    .selectFrom('cameras as c')
    .select(['c.account_id', 'c.camera_id', 'c.address', 'c.rtsp_port', 'c.main_path', 'c.stream_secure'])
    .select(['c.certificate_sha256', 'c.onvif_port', 'c.onvif_secure', 'c.onvif_certificate_sha256'])
    .select(['c.username', 'c.password_sealed', 'c.eth_mac_address', 'c.connection_key'])
    .select((eb) => eb.fn.coalesce(saidSerial, 'c.serial').as('serial'))
    .where('c.camera_id', '=', matchAny(cameraIds))
    .where('c.eth_mac_address', '<>', '')
    .where('c.addition_status', '=', 'added')
    .where('c.mode', '<>', 'private')
    .where('c.device_id', 'is', null)
    .where('c.transferred_at', 'is', null)
    .where('c.allow_basic', '=', false)
    .where(({ or, eb }) => or([eb('c.stream_secure', '=', false), eb('c.certificate_sha256', 'is not', null)]))
    .where(({ or, eb }) => or([eb('c.onvif_secure', '=', false), eb('c.onvif_certificate_sha256', 'is not', null)]))
    .execute()
  return rows
    .filter(({ address }) => ADDRESS_IN_NUMBERS.test(address))
    .map((row) => ({
      accountId: row.account_id,
      cameraId: row.camera_id,
      address: row.address,
      rtspPort: row.rtsp_port,
      mainPath: row.main_path,
      isSecure: row.stream_secure,
      certificateSha256: row.certificate_sha256,
      onvif:
        row.onvif_port === null
          ? null
          : {
              port: row.onvif_port,
              isSecure: row.onvif_secure,
              certificate: row.onvif_certificate_sha256 ?? undefined,
            },
      username: row.username,
      passwordSealed: row.password_sealed,
      macAddress: row.eth_mac_address.toLowerCase(),
      serial: row.serial ?? '',
      connectionKey: row.connection_key,
    }))
}

interface MovedDeps {
  readonly db: Db
  readonly ids: IdSource
}

/** Writes down where a camera is now, in the audit log too. False if its owner changed or removed it meanwhile. */
export async function saveMoved(deps: MovedDeps, camera: MovableCamera, address: string): Promise<boolean> {
  const key = renamed(camera.connectionKey, camera.address, address)
  try {
    return await save(deps, camera, { address, key })
  } catch (error) {
    if (!isUniqueViolation(error, 'cameras_by_connection')) throw error
    // Two cameras have swapped addresses: the other one keeps that name until it is found too.
    return await save(deps, camera, { address, key: null })
  }
}

async function save(
  { db, ids }: MovedDeps,
  { accountId, cameraId, address: before, connectionKey }: MovableCamera,
  { address, key }: { readonly address: string; readonly key: string | null },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const { rows } = await sql<{ moved: boolean }>`select move_camera(${accountId}::bigint, ${cameraId}::bigint,
      ${before}, ${address}, ${connectionKey}, ${key}) as moved`.execute(tx)
    if (rows[0]?.moved !== true) return false
    const entry = {
      action: 'cameraFoundAtAddress',
      target: { kind: 'camera', id: cameraId },
      before: { localIp: before },
      after: { localIp: address },
    }
    await appendAudit(tx, { ids, caller: { accountId, userId: null, clientId: 'server' }, address: '', entry })
    return true
  })
}

/** What names the connection, where that is the address; a camera that was added by its MAC address keeps its name. */
function renamed(key: string | null, before: string, after: string): string | null {
  if (key === null) return null
  const [named, ...rest] = JSON.parse(key) as readonly unknown[]
  return named === before ? JSON.stringify([after, ...rest]) : key
}
