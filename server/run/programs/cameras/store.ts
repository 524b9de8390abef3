import type { Db } from '@sightline/platform/db'

export async function listAccountIds(db: Db): Promise<readonly number[]> {
  const rows = await db.plain.selectFrom('accounts').select('account_id').orderBy('account_id').execute()
  return rows.map((row) => row.account_id)
}

export async function findZones(db: Db, accountId: number): Promise<readonly { zoneId: number; name: string }[]> {
  const zones = db.plain.selectFrom('zones').select(['zone_id', 'name']).where('account_id', '=', accountId)
  return (await zones.orderBy('created_at').orderBy('zone_id').execute()).map((row) => ({
    zoneId: row.zone_id,
    name: row.name,
  }))
}

interface ListedCamera {
  readonly cameraId: number
  readonly accountId: number
  readonly name: string
  readonly address: string
  readonly state: string
}

export async function listCameras(db: Db, accountId: number | undefined): Promise<readonly ListedCamera[]> {
  let cameras = db.plain
    .selectFrom('cameras as c')
    .leftJoin('camera_status as s', (join) =>
      join.onRef('s.account_id', '=', 'c.account_id').onRef('s.camera_id', '=', 'c.camera_id'),
    )
    .select(['c.camera_id', 'c.account_id', 'c.name', 'c.address', 'c.addition_status', 's.online', 's.recording'])
  if (accountId !== undefined) cameras = cameras.where('c.account_id', '=', accountId)
  const rows = await cameras.orderBy('c.account_id').orderBy('c.name').execute()
  return rows.map((row) => ({
    cameraId: row.camera_id,
    accountId: row.account_id,
    name: row.name,
    address: row.address,
    state: stateOf(row),
  }))
}

const stateOf = (row: { addition_status: string; online: boolean | null; recording: boolean | null }): string => {
  if (row.addition_status !== 'added') return row.addition_status === 'failure' ? 'not added' : 'being added'
  if (row.online !== true) return 'offline'
  return row.recording === true ? 'recording' : 'online'
}

export async function loadAddition(
  db: Db,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<{ readonly status: string; readonly subStatus: string; readonly channels: number } | undefined> {
  const row = await db.plain
    .selectFrom('cameras')
    .select(['addition_status', 'addition_sub_status', 'device_inputs'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { status: row.addition_status, subStatus: row.addition_sub_status, channels: row.device_inputs }
}
