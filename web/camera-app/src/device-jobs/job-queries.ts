import type { Client } from '@sightline/client'
import { type DeviceJob, getCameraJobs } from '@sightline/contract/device-jobs'
import { areStatesFollowed } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

const LOOK_EVERY_MS = 2000

/** Waits or runs. */
export const isOpenJob = ({ state }: DeviceJob): boolean => state === 'queued' || state === 'running'

/** The jobs of a camera, newest first; asked for again and again while one isn't over and the server can't tell how it goes on. */
export const jobsQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'jobs'],
    queryFn: ({ signal }) => client.call(getCameraJobs, { params: { cameraId } }, { signal }),
    refetchInterval: ({ state }) =>
      !areStatesFollowed() && state.data?.some(isOpenJob) === true ? LOOK_EVERY_MS : false,
  })
