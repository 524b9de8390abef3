import type { Client } from '@sightline/client'
import { getBodyCameraTrack, getSetupCode } from '@sightline/contract/body-cameras'
import { getMobileNetwork } from '@sightline/contract/mobile-networks'
import { queryOptions } from '@tanstack/react-query'

const LOOK_EVERY_MS = 3000
const REFRESH_MS = 30_000

/** Whether a camera has redeemed the code; asked until one has. */
export const setupCodeQuery = (client: Client, setupCodeId: number) =>
  queryOptions({
    queryKey: ['bodyCameras', 'setupCodes', setupCodeId],
    queryFn: ({ signal }) => client.call(getSetupCode, { params: { setupCodeId } }, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.cameraId === null ? LOOK_EVERY_MS : false),
  })

/** The positions of the last so many hours. */
export const trackQuery = (client: Client, cameraId: number, hours: number) =>
  queryOptions({
    queryKey: ['bodyCameras', cameraId, 'track', hours],
    queryFn({ signal }) {
      const till = Date.now()
      const query = { from: new Date(till - hours * 3_600_000).toISOString(), till: new Date(till).toISOString() }
      return client.call(getBodyCameraTrack, { params: { cameraId }, query }, { signal })
    },
    refetchInterval: REFRESH_MS,
  })

/** The saved mobile network of a body-worn camera. */
export const mobileNetworkQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'mobileNetwork'],
    queryFn: ({ signal }) => client.call(getMobileNetwork, { params: { cameraId } }, { signal }),
  })
