import type { DiscoveredCamera } from '@sightline/contract/media-plane'

/** How a camera of the account is connected. */
export interface CameraConnection {
  readonly address: string
  /** Of ONVIF, as found or as named; none: one of the usual ones. */
  readonly ports: readonly number[]
  readonly ethMacAddress: string
}

/** Whether a camera that answered is one of the account's. */
export const isAdded = (
  { address, port, ethMacAddress }: DiscoveredCamera,
  known: readonly CameraConnection[],
): boolean =>
  known.some(
    (camera) =>
      (ethMacAddress !== '' && camera.ethMacAddress.toLowerCase() === ethMacAddress) ||
      (camera.address === address && (camera.ports.length === 0 || camera.ports.includes(port))),
  )
