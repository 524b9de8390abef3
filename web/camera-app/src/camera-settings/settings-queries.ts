import type { Client } from '@sightline/client'
import { getVideoSettings } from '@sightline/contract/camera-settings'
import { queryOptions } from '@tanstack/react-query'

/** What a camera is set to, read from the camera itself. */
export const videoSettingsQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'settings/video'],
    queryFn: ({ signal }) => client.call(getVideoSettings, { params: { cameraId } }, { signal }),
    // A camera takes seconds to answer, and its settings change rarely elsewhere.
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    retry: false,
  })
