import type { Client } from '@sightline/client'
import { getCameraPorts } from '@sightline/contract/camera-io'
import { getDetectionAreas, getDetectors } from '@sightline/contract/detectors'
import { queryOptions } from '@tanstack/react-query'

const FRESH_MS = 5000

/** What a camera is watched for, and where. */
export const detectorQueries = (client: Client, cameraId: number) => ({
  all: queryOptions({
    queryKey: ['cameras', cameraId, 'detectors'],
    queryFn: ({ signal }) => client.call(getDetectors, { params: { cameraId } }, { signal }),
    staleTime: FRESH_MS,
  }),
  /** Where sensors may be wired to; the camera is asked. */
  ports: queryOptions({
    queryKey: ['cameras', cameraId, 'detectors', 'ports'],
    queryFn: ({ signal }) => client.call(getCameraPorts, { params: { cameraId } }, { signal }),
    staleTime: FRESH_MS,
    retry: false,
  }),
  areas: queryOptions({
    queryKey: ['cameras', cameraId, 'detectors', 'areas'],
    queryFn: ({ signal }) => client.tagged(getDetectionAreas, { params: { cameraId } }, { signal }),
    staleTime: FRESH_MS,
  }),
})
