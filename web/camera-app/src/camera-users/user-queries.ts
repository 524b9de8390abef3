import type { Client } from '@sightline/client'
import { getCameraUsers } from '@sightline/contract/camera-users'
import { queryOptions } from '@tanstack/react-query'

/** The users of a camera, as it lists them now. */
export const usersQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'connection/users'],
    queryFn: ({ signal }) => client.call(getCameraUsers, { params: { cameraId } }, { signal }),
    staleTime: 0,
    retry: false,
  })
