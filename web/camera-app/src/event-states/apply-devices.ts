import type { DeviceJob, DeviceJobType } from '@sightline/contract/device-jobs'
import type { RecorderDevice } from '@sightline/contract/devices'
import type { FollowedDevice, StateChanges } from '@sightline/contract/event-states'
import type { Application } from '@sightline/shell'
import { putTold } from '@sightline/shell/server-states'
import { deviceQueries } from '../devices/index.ts'

type Told = Pick<Application, 'client' | 'queries'>

/** Puts recorders, their states and their jobs where screens look for them. */
export async function applyDevices({ client, queries }: Told, changes: StateChanges): Promise<void> {
  const { complete, devices, goneDeviceIds } = changes
  if (!complete && devices.length + goneDeviceIds.length === 0) return
  const { list, device: one, status } = deviceQueries(client)
  await putTold<RecorderDevice[]>(queries, list.queryKey, (before) => nextList(before, changes))
  for (const followed of devices) {
    const { connection, ...device } = followed
    const { deviceId } = device
    await Promise.all([
      putTold<RecorderDevice>(queries, one(deviceId).queryKey, (before) => before && device),
      putTold<typeof connection>(queries, status(deviceId).queryKey, (before) => before && connection),
    ])
    for (const part of ['jobs', 'firmware']) {
      void queries.invalidateQueries({ queryKey: ['devices', deviceId, part], exact: true })
    }
  }
  for (const deviceId of goneDeviceIds) void queries.invalidateQueries({ queryKey: ['devices', deviceId] })
}

const toListed = ({ connection: _, ...device }: FollowedDevice): RecorderDevice => device

function nextList(before: RecorderDevice[] | undefined, changes: StateChanges): RecorderDevice[] | undefined {
  const changed = changes.devices.map(toListed)
  if (changes.complete) return changed
  if (before === undefined) return before
  const left = new Set([...changes.goneDeviceIds, ...changed.map(({ deviceId }) => deviceId)])
  const next = [...changed, ...before.filter(({ deviceId }) => !left.has(deviceId))]
  return next.sort((one, other) => one.name.localeCompare(other.name) || one.deviceId - other.deviceId)
}

/** What else a job changes, by the last part of its key under the camera. */
const results: Readonly<Record<DeviceJobType, string | undefined>> = {
  reboot: undefined,
  firmwareUpgrade: 'firmware',
  formatStorage: 'edgeStorage',
  checkUp: 'checkUp',
}

/** Puts jobs of cameras where screens look for them, and makes what they result in be asked for again. */
export function applyJobs({ queries }: Told, { jobs }: StateChanges): void {
  for (const { cameraId, ...job } of jobs) {
    queries.setQueryData<DeviceJob[]>(['cameras', cameraId, 'jobs'], (before) => before && withJob(before, job))
    queries.setQueryData<DeviceJob>(['cameras', cameraId, 'jobs', job.jobId], (before) => before && job)
    const result = results[job.type]
    if (result !== undefined) void queries.invalidateQueries({ queryKey: ['cameras', cameraId, result], exact: true })
  }
}

function withJob(before: readonly DeviceJob[], job: DeviceJob): DeviceJob[] {
  const isKnown = before.some(({ jobId }) => jobId === job.jobId)
  return isKnown ? before.map((one) => (one.jobId === job.jobId ? job : one)) : [job, ...before]
}
