import { ApiFailure, type Client } from '@sightline/client'
import { getCloudSync, getSyncJobs } from '@sightline/contract/cloud-sync'
import { type EdgeStorage, getEdgeStorage } from '@sightline/contract/edge-storage'
import { queryOptions } from '@tanstack/react-query'

const FORMATTING_EVERY_MS = 2000
const JOBS_EVERY_MS = 5000

/** The camera said no: asking again brings nothing. */
const isAnswer = (error: Error): boolean => error instanceof ApiFailure && error.status >= 400 && error.status < 500

/** The cards of a camera, whether gaps are filled from them, and which. */
export const storageQueries = (client: Client, cameraId: number) => ({
  cards: queryOptions<EdgeStorage[]>({
    queryKey: ['cameras', cameraId, 'edgeStorage'],
    queryFn: ({ signal }) => client.call(getEdgeStorage, { params: { cameraId } }, { signal }),
    staleTime: 0,
    retry: (count, error) => count < 2 && !isAnswer(error),
    refetchInterval: ({ state }) =>
      state.data?.some((card) => card.state === 'formatting') === true ? FORMATTING_EVERY_MS : false,
  }),
  sync: queryOptions({
    queryKey: ['cameras', cameraId, 'cloudSync'],
    queryFn: ({ signal }) => client.call(getCloudSync, { params: { cameraId } }, { signal }),
    staleTime: 0,
  }),
  jobs: queryOptions({
    queryKey: ['cameras', cameraId, 'cloudSync', 'jobs'],
    queryFn: ({ signal }) => client.call(getSyncJobs, { params: { cameraId } }, { signal }),
    staleTime: 0,
    refetchInterval: JOBS_EVERY_MS,
  }),
})
