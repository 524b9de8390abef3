import { ApiFailure } from '@sightline/client'
import { type CameraAddition, getCameraAddition } from '@sightline/contract/camera-additions'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'

const isOver = (addition: CameraAddition | undefined): boolean =>
  addition?.status === 'added' || addition?.status === 'failure'

/** Follows the addition of a camera until it is over. Each request waits for the next step. */
export function useAddition(camera: {
  readonly cameraId: number
  readonly attempt: number
}): CameraAddition | undefined {
  const { client, queries } = useApplication()
  const queryKey = ['cameras', camera.cameraId, 'addition', camera.attempt] as const
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const last = queries.getQueryData<CameraAddition>(queryKey)
      const step = last?.steps.find(({ state }) => state === 'running')?.step
      const query = { known: last?.status ?? 'inProgress', knownStep: step ?? 'reachable' }
      const request = { params: { cameraId: camera.cameraId }, query }
      return client.call(getCameraAddition, request, { signal })
    },
    staleTime: 0,
    gcTime: 0,
    // A lost connection is no answer; a camera that is gone is one.
    retry: (_count, error) => !(error instanceof ApiFailure && error.status === 404),
    retryDelay: 2000,
    refetchInterval: (query) => (isOver(query.state.data) ? false : 10),
    refetchIntervalInBackground: true,
  })
  return data
}
