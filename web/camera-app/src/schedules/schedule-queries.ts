import type { Client } from '@sightline/client'
import { getCameraSchedule, getZoneSchedule } from '@sightline/contract/schedules'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

/** The schedules of cameras and zones with their ETags, each under its path. */
export const scheduleQueries = (client: Client) => ({
  camera: (cameraId: number) =>
    queryOptions({
      queryKey: ['cameras', cameraId, 'schedule'],
      queryFn: ({ signal }) => client.tagged(getCameraSchedule, { params: { cameraId } }, { signal }),
      staleTime: FRESH_MS,
    }),
  zone: (zoneId: number) =>
    queryOptions({
      queryKey: ['zones', zoneId, 'schedule'],
      queryFn: ({ signal }) => client.tagged(getZoneSchedule, { params: { zoneId } }, { signal }),
      staleTime: FRESH_MS,
    }),
})
