import type { Client } from '@sightline/client'
import { getCameraNetwork } from '@sightline/contract/camera-network'
import { queryOptions } from '@tanstack/react-query'

/** The network settings of a camera, as it says. */
export const networkQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'network'],
    queryFn: ({ signal }) => client.call(getCameraNetwork, { params: { cameraId } }, { signal }),
    staleTime: 0,
    retry: false,
  })
