import type { DiscoveredCamera } from '@sightline/contract/media-plane'

/** How a camera of the account is connected. */
export interface CameraConnection {
  readonly address: string
  /** Of ONVIF, as found or as named; none: one of the usual ones. */
  readonly ports: readonly number[]
  readonly ethMacAddress: string
}

/** Whether a camera that answered is one of the account's: by its MAC address where both are known, otherwise by its place. */
export const isAdded = (found: DiscoveredCamera, known: readonly CameraConnection[]): boolean =>
  known.some(({ address, ports, ethMacAddress }) => {
    if (ethMacAddress !== '' && found.ethMacAddress !== '') return ethMacAddress.toLowerCase() === found.ethMacAddress
    return address === found.address && (ports.length === 0 || ports.includes(found.port))
  })
