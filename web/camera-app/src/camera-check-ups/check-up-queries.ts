import type { Client } from '@sightline/client'
import { getCameraCheckUp } from '@sightline/contract/camera-check-ups'
import { type DeviceJob, getCameraJob } from '@sightline/contract/device-jobs'
import { areStatesFollowed, askUnlessFollowed } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

/** While a check runs, and otherwise: somebody else may start one. Unless the server tells it (event-states/follow-events.ts). */
const LOOK_EVERY_MS = { running: 1000, idle: 15_000 } as const

/** The last check-up of a camera, and the job of one that waits or runs. */
export const checkUpQueries = (client: Client, cameraId: number) => ({
  last: queryOptions({
    queryKey: ['cameras', cameraId, 'checkUp'],
    queryFn: ({ signal }) => client.call(getCameraCheckUp, { params: { cameraId } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (areStatesFollowed()) return false
      return state.data?.jobId == null ? LOOK_EVERY_MS.idle : LOOK_EVERY_MS.running
    },
  }),
  job: (jobId: number | null) =>
    queryOptions<DeviceJob>({
      queryKey: ['cameras', cameraId, 'jobs', jobId],
      queryFn: ({ signal }) => client.call(getCameraJob, { params: { cameraId, jobId: jobId ?? 0 } }, { signal }),
      enabled: jobId !== null,
      staleTime: 0,
      refetchInterval: askUnlessFollowed(LOOK_EVERY_MS.running),
    }),
})
