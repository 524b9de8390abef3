import type { Client } from '@sightline/client'
import { type CameraReplacement, getCameraReplacement } from '@sightline/contract/camera-replacements'
import { queryOptions } from '@tanstack/react-query'

const LOOK_EVERY_MS = 1000

const isUnderWay = (replacement: CameraReplacement | undefined): boolean => replacement?.status === 'inProgress'

/** How the replacement of a camera goes, asked again until it is over. */
export const replacementQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'replacement'],
    queryFn: ({ signal }) => client.call(getCameraReplacement, { params: { cameraId } }, { signal }),
    staleTime: 0,
    refetchInterval: (query) => (isUnderWay(query.state.data) ? LOOK_EVERY_MS : false),
  })
