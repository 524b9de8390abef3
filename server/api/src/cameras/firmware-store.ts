import type { CameraStatus } from '@sightline/contract/cameras'
import type { DeviceJobState } from '@sightline/contract/device-jobs'
import { newerVersion } from '@sightline/contract/firmware'
import { sql } from 'kysely'

/** What decides about the state of the firmware, for a query of cameras or recorders. */
export function firmwareColumns(of: 'cameras' | 'devices') {
  const table = sql.table(of)
  const id = of === 'cameras' ? sql`j.camera_id = cameras.camera_id` : sql`j.device_id = devices.device_id`
  return [
    sql<string | null>`${table}.firmware_version`.as('runs'),
    sql<DeviceJobState | null>`(
      select j.state from device_jobs j
       where j.account_id = ${table}.account_id and ${id} and j.type = 'firmwareUpgrade' and j.state <> 'canceled'
       order by j.ended_at desc nulls first limit 1)`.as('upgrade'),
    sql<readonly string[]>`array(
      select i.version from firmware_images i
       where lower(i.brand) = lower(${table}.brand) and lower(i.model) = lower(${table}.model)
         and i.sha256 is not null
         and (i.reseller_id is null
           or i.reseller_id = (select a.reseller_id from accounts a where a.account_id = ${table}.account_id)))`.as(
      'offered',
    ),
  ] as const
}

interface FirmwareRow {
  /** The version that runs. */
  readonly runs: string | null
  /** The state of the last upgrade that wasn't canceled. */
  readonly upgrade: DeviceJobState | null
  readonly offered: readonly string[]
}

export function toFirmwareStatus({ runs, upgrade, offered }: FirmwareRow): CameraStatus['firmwareStatus'] {
  if (upgrade === 'queued' || upgrade === 'running') return 'upgrading'
  if (upgrade === 'failed') return 'failed'
  return newerVersion(runs, offered) === undefined ? 'upToDate' : 'upgradable'
}
