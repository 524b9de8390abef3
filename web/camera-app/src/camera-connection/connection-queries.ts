import type { Client } from '@sightline/client'
import { getCameraConnection, getCameraCredentials } from '@sightline/contract/camera-connection'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

/** How the server reaches a camera, each under its path. */
export const connectionQueries = (client: Client, cameraId: number) => ({
  details: queryOptions({
    queryKey: ['cameras', cameraId, 'connection/details'],
    queryFn: ({ signal }) => client.call(getCameraConnection, { params: { cameraId } }, { signal }),
    staleTime: FRESH_MS,
  }),
  credentials: queryOptions({
    queryKey: ['cameras', cameraId, 'connection/credentials'],
    queryFn: ({ signal }) => client.call(getCameraCredentials, { params: { cameraId } }, { signal }),
    staleTime: FRESH_MS,
  }),
})
