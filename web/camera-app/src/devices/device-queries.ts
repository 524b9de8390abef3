import type { Client } from '@sightline/client'
import {
  type DeviceAddition,
  getDevice,
  getDeviceAddition,
  getDeviceConnection,
  getDeviceCredentials,
  getDeviceStatus,
  getDevices,
  getRecorderInfo,
} from '@sightline/contract/devices'
import { askUnlessFollowed } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'

/** How often states are requested while the page is visible and the server can't tell them (event-states/follow-events.ts). */
const LOOK_EVERY_MS = 5000
const FRESH_MS = 5000

/** The server's data about recorders, each under its path. */
export const deviceQueries = (client: Client) => ({
  list: queryOptions({
    queryKey: ['devices'],
    queryFn: ({ signal }) => client.call(getDevices, {}, { signal }),
    staleTime: FRESH_MS,
    refetchInterval: askUnlessFollowed(LOOK_EVERY_MS),
  }),
  device: (deviceId: number) =>
    queryOptions({
      queryKey: ['devices', deviceId],
      queryFn: ({ signal }) => client.call(getDevice, { params: { deviceId } }, { signal }),
      staleTime: FRESH_MS,
      refetchInterval: askUnlessFollowed(LOOK_EVERY_MS),
    }),
  status: (deviceId: number) =>
    queryOptions({
      queryKey: ['devices', deviceId, 'status'],
      queryFn: ({ signal }) => client.call(getDeviceStatus, { params: { deviceId } }, { signal }),
      staleTime: FRESH_MS,
      refetchInterval: askUnlessFollowed(LOOK_EVERY_MS),
    }),
  info: (deviceId: number) =>
    queryOptions({
      queryKey: ['devices', deviceId, 'deviceInfo'],
      queryFn: ({ signal }) => client.call(getRecorderInfo, { params: { deviceId } }, { signal }),
      staleTime: FRESH_MS,
    }),
  connection: (deviceId: number) =>
    queryOptions({
      queryKey: ['devices', deviceId, 'connection/details'],
      queryFn: ({ signal }) => client.call(getDeviceConnection, { params: { deviceId } }, { signal }),
      staleTime: FRESH_MS,
    }),
  credentials: (deviceId: number) =>
    queryOptions({
      queryKey: ['devices', deviceId, 'connection/credentials'],
      queryFn: ({ signal }) => client.call(getDeviceCredentials, { params: { deviceId } }, { signal }),
      staleTime: FRESH_MS,
    }),
})

/** Waits for the next step of adding a recorder. */
export const nextAddition = (
  client: Client,
  { deviceId, last, signal }: { deviceId: number; last: DeviceAddition | undefined; signal: AbortSignal },
): Promise<DeviceAddition> => {
  const step = last?.steps.find(({ state }) => state === 'running')?.step
  const query = { known: last?.status ?? 'inProgress', knownStep: step ?? 'reachable' }
  return client.call(getDeviceAddition, { params: { deviceId }, query } as const, { signal })
}
