import { instant } from '@sightline/platform/db'
import type { TestApi } from './slice-testing.ts'

/** What the worker of a recorder writes down about it. */
export interface ReportedDevice {
  readonly accountId: number
  readonly deviceId: number
  readonly inputs?: readonly { readonly online: boolean }[]
  readonly online?: boolean
}

/** A recorder was found: four inputs, of which the last one has no camera. */
export async function reportDevice(
  { owner, now }: Pick<TestApi, 'owner' | 'now'>,
  { accountId, deviceId, online = true, inputs = [1, 2, 3, 4].map((at) => ({ online: at < 4 })) }: ReportedDevice,
): Promise<void> {
  const device = { account_id: accountId, device_id: deviceId }
  await owner.plain
    .insertInto('device_channels')
    .values(
      inputs.map((input, at) => ({
        ...device,
        channel: at + 1,
        name: `profile ${at + 1}`,
        online: input.online,
        rtsp_port: input.online ? 554 : 0,
        main_path: `/main?input=${at + 1}`,
        sub_path: null,
        stream_secure: false,
        motion_sources: [`source${at + 1}`],
        snapshot_profile: `sub${at + 1}`,
      })),
    )
    .execute()
  await owner.plain
    .insertInto('device_status')
    .values({
      ...device,
      online,
      last_connection_result: online ? 'ok' : 'timeout',
      last_seen: instant(now),
      storage_total_bytes: 4_000_000_000_000,
      storage_used_bytes: 1_000_000_000_000,
      changed_at: instant(now),
    })
    .execute()
  // Last, because polls answer once it is added.
  await owner.plain
    .updateTable('devices')
    .set({ addition_status: 'added', addition_step: 'streams', brand: 'Acme', model: 'NVR 4', onvif_port: 80 })
    .where('device_id', '=', deviceId)
    .execute()
}
