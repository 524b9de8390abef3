import type { Client } from '@sightline/client'
import { getVideoSettings } from '@sightline/contract/camera-settings'
import { afterFirstPictures } from '@sightline/player'
import { queryOptions } from '@tanstack/react-query'

/** What the camera's picture is set to, as the camera says. */
export const videoControlsQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'settings', 'video'],
    queryFn: async ({ signal }) => {
      await afterFirstPictures()
      return await client.call(getVideoSettings, { params: { cameraId } }, { signal })
    },
    staleTime: 60_000,
  })
