import type { Client } from '@sightline/client'
import { type CameraWifi, getCameraWifi, getWifiNetworks } from '@sightline/contract/camera-wifi'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

/** While the camera does what it was told, and otherwise. */
const LOOK_EVERY_MS = { changing: 1500, idle: 30_000 } as const

export const isChanging = ({ state }: CameraWifi): boolean => state.endsWith('ing')

/** The Wi-Fi of a camera, and what it receives: a scan is asked for by the user, because it takes a camera seconds. */
export const wifiQueries = (client: Client, cameraId: number) => ({
  wifi: queryOptions({
    queryKey: ['cameras', cameraId, 'wifi'],
    queryFn: ({ signal }) => client.call(getCameraWifi, { params: { cameraId } }, { signal }),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isChanging(state.data) ? LOOK_EVERY_MS.changing : LOOK_EVERY_MS.idle,
  }),
  /** Asked for again once the camera is in another network. */
  networks: ({ scan, currentSsid }: { readonly scan: boolean; readonly currentSsid: string | null }) =>
    queryOptions({
      queryKey: ['cameras', cameraId, 'wifi', 'networks', scan, currentSsid],
      queryFn: ({ signal }) =>
        client.call(getWifiNetworks, { params: { cameraId }, query: { scan: scan ? 'true' : 'false' } }, { signal }),
      staleTime: 0,
      retry: false,
      placeholderData: keepPreviousData,
    }),
})
