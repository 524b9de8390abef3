import type { Client } from '@sightline/client'
import { getTimeZone } from '@sightline/contract/accounts'
import { type CameraStatus, getCamera, getCameraStatuses, getCameras } from '@sightline/contract/cameras'
import { getOwnRights } from '@sightline/contract/users'
import { queryOptions } from '@tanstack/react-query'

/** How often states are asked for while a page is looked at. */
const STATUS_EVERY_MS = 5000

/** What the server knows of the cameras, each under its path. */
export const cameraQueries = (client: Client) => ({
  list: queryOptions({
    queryKey: ['cameras'],
    queryFn: ({ signal }) => client.call(getCameras, {}, { signal }),
    refetchInterval: 60_000,
  }),
  camera: (cameraId: number) =>
    queryOptions({
      queryKey: ['cameras', cameraId],
      queryFn: ({ signal }) => client.call(getCamera, { params: { cameraId } }, { signal }),
    }),
  statuses: queryOptions({
    queryKey: ['cameras/all/status'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, CameraStatus>> => {
      const statuses = await client.call(getCameraStatuses, {}, { signal })
      return new Map(statuses.map((status) => [status.cameraId, status]))
    },
    refetchInterval: STATUS_EVERY_MS,
  }),
  rights: queryOptions({
    queryKey: ['users/self/rights'],
    queryFn: ({ signal }) => client.call(getOwnRights, {}, { signal }),
    staleTime: 60_000,
  }),
  timeZone: queryOptions({
    queryKey: ['accounts/self/timeZone'],
    queryFn: ({ signal }) => client.call(getTimeZone, {}, { signal }),
    staleTime: 60_000,
  }),
})
