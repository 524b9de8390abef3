import { ApiFailure, type Client } from '@sightline/client'
import { getCameraPorts } from '@sightline/contract/camera-io'
import { queryOptions } from '@tanstack/react-query'

const LOOK_EVERY_MS = 2000

/** The camera has no inputs and outputs of its own. */
export const lacksPorts = (error: unknown): boolean => error instanceof ApiFailure && error.code === 11

/** The inputs and outputs of a camera, asked for again and again, because their states change by themselves. */
export const portsQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'io'],
    queryFn: ({ signal }) => client.call(getCameraPorts, { params: { cameraId } }, { signal }),
    refetchInterval: (query) => (lacksPorts(query.state.error) ? false : LOOK_EVERY_MS),
    retry: false,
  })
