import type { Client } from '@sightline/client'
import { getCameraMode, getZoneMode } from '@sightline/contract/camera-modes'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

/** The modes of cameras and zones, each under its path. */
export const modeQueries = (client: Client) => ({
  camera: (cameraId: number) =>
    queryOptions({
      queryKey: ['cameras', cameraId, 'mode'],
      queryFn: ({ signal }) => client.call(getCameraMode, { params: { cameraId } }, { signal }),
      staleTime: FRESH_MS,
    }),
  zone: (zoneId: number) =>
    queryOptions({
      queryKey: ['zones', zoneId, 'mode'],
      queryFn: ({ signal }) => client.call(getZoneMode, { params: { zoneId } }, { signal }),
      staleTime: FRESH_MS,
    }),
})
