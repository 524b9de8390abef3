import type { Client } from '@sightline/client'
import { getCameraCapabilities, getDeviceInfo } from '@sightline/contract/camera-capabilities'
import { afterFirstPictures } from '@sightline/player'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 30_000

/** What a camera is and can do, each under its path. */
export const capabilityQueries = (client: Client, cameraId: number) => ({
  capabilities: queryOptions({
    queryKey: ['cameras', cameraId, 'capabilities'],
    queryFn: async ({ signal }) => {
      await afterFirstPictures()
      return await client.call(getCameraCapabilities, { params: { cameraId } }, { signal })
    },
    staleTime: FRESH_MS,
  }),
  deviceInfo: queryOptions({
    queryKey: ['cameras', cameraId, 'deviceInfo'],
    queryFn: ({ signal }) => client.call(getDeviceInfo, { params: { cameraId } }, { signal }),
    staleTime: FRESH_MS,
  }),
})
