import type { Client } from '@sightline/client'
import { type CameraStatus, getCamera, getCameraStatuses, getCameras } from '@sightline/contract/cameras'
import { areStatesFollowed, askUnlessFollowed } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

/** How often states are requested while the page is visible and the server can't tell them (event-states/follow-events.ts). */
const STATUS_EVERY_MS = 15_000
/** Within this time, a screen that is opened again uses the cached data. */
const FRESH_MS = 5000

/** The server's data about cameras, each under its path. */
export const cameraQueries = (client: Client) => ({
  list: queryOptions({
    queryKey: ['cameras'],
    queryFn: ({ signal }) => client.call(getCameras, {}, { signal }),
    staleTime: FRESH_MS,
    refetchInterval: 60_000,
  }),
  camera: (cameraId: number) =>
    queryOptions({
      queryKey: ['cameras', cameraId],
      queryFn: ({ signal }) => client.call(getCamera, { params: { cameraId } }, { signal }),
      staleTime: FRESH_MS,
    }),
  statuses: queryOptions({
    queryKey: ['cameras/all/status'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, CameraStatus>> => {
      const statuses = await client.call(getCameraStatuses, {}, { signal })
      return new Map(statuses.map((status) => [status.cameraId, status]))
    },
    staleTime: () => (areStatesFollowed() ? Number.POSITIVE_INFINITY : FRESH_MS),
    refetchInterval: askUnlessFollowed(STATUS_EVERY_MS),
  }),
})
