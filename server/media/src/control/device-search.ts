import { askOnvif } from '../source/index.ts'
import { findOnvif, ONVIF_PATH } from './camera-addition.ts'
import type { DeviceToServe } from './device-store.ts'
import type { OnvifEndpoint } from './store.ts'

type Asking = Omit<Parameters<typeof findOnvif>[0], 'camera'>

/** Asks a recorder by ONVIF what it is: where it answered before, or on its usual ports. */
export async function findDevice(
  device: Pick<DeviceToServe, 'address' | 'namedPort' | 'allowBasic'>,
  endpoint: OnvifEndpoint | null,
  asking: Asking,
): ReturnType<typeof findOnvif> {
  if (endpoint === null) return await findOnvif({ ...asking, camera: { ...device, isSecure: false } })
  const { credentials, connect, signal } = asking
  const { port, isSecure, certificate } = endpoint
  const asked = await askOnvif({
    credentials,
    connect,
    signal,
    allowBasic: device.allowBasic,
    certificate,
    address: { host: device.address, port, path: ONVIF_PATH, isSecure },
  })
  return asked.ok ? { ok: true, value: { camera: asked.value, place: { port, isSecure } } } : asked
}
