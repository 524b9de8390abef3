/** Cameras, recorders and their events for the calls that write. For tests. */
import { instant } from '@sightline/platform/db'
import type { TestApi } from '../api-testing.ts'
import { reportDevice } from '../devices-testing-store.ts'

interface Account {
  readonly accountId: number
  readonly token: string
  readonly zoneId: number
}

export async function addDevice(api: TestApi, { accountId, token, zoneId }: Account, address: string): Promise<number> {
  const { deviceId } = (await api.call(token, 'POST devices', { name: 'Cellar', zoneId, address })).body
  await reportDevice(api, { accountId, deviceId })
  return deviceId
}

export async function addBusyDevice(api: TestApi, account: Account) {
  const deviceId = await addDevice(api, account, '192.0.2.61')
  const { jobId } = (await api.call(account.token, `POST devices/${deviceId}/reboot`)).body
  return { deviceId, jobId }
}

export async function addOnvifCamera(api: TestApi, { accountId, zoneId }: Account, name: string): Promise<number> {
  const cameraId = await api.addCamera(accountId, zoneId, name)
  await api.owner.plain.updateTable('cameras').set({ onvif_port: 80 }).where('camera_id', '=', cameraId).execute()
  const status = { account_id: accountId, camera_id: cameraId, online: true }
  await api.owner.plain.insertInto('camera_status').values(status).execute()
  return cameraId
}

export async function addBusyCamera(api: TestApi, account: Account) {
  const cameraId = await addOnvifCamera(api, account, 'Gate')
  const { jobId } = (await api.call(account.token, `POST cameras/${cameraId}/reboot`)).body
  return { cameraId, jobId }
}

export async function addEvent({ owner }: TestApi, accountId: number, cameraId: number): Promise<number> {
  const source = { source_kind: 'camera', source_id: cameraId, source_name: 'Door', camera_id: cameraId } as const
  const event = { account_id: accountId, at: instant(Date.now()), type: 'cameraOffline', once_key: 'offline' }
  const inserted = owner.plain
    .insertInto('events')
    .values({ ...event, ...source })
    .returning('event_id')
  return (await inserted.executeTakeFirstOrThrow()).event_id
}
