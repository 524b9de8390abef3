import type { LocatedCamera } from '@sightline/contract/media-plane'

/** How a camera of the account is connected. */
export interface CameraConnection {
  readonly address: string
  /** Of ONVIF, as found or as named; none: one of the usual ones. */
  readonly ports: readonly number[]
  readonly ethMacAddress: string
  /** Those that reach it; none: all. */
  readonly machines: readonly string[]
}

const shareMachines = (these: readonly string[], those: readonly string[]): boolean =>
  these.length === 0 || those.length === 0 || these.some((machine) => those.includes(machine))

/** Whether a camera that answered is one of the account's: by its MAC address where both are known, otherwise by its place. */
export const isAdded = (found: LocatedCamera, known: readonly CameraConnection[]): boolean =>
  known.some(({ address, ports, ethMacAddress, machines }) => {
    if (ethMacAddress !== '' && found.ethMacAddress !== '') return ethMacAddress.toLowerCase() === found.ethMacAddress
    return (
      shareMachines(machines, found.machines) &&
      address === found.address &&
      (ports.length === 0 || ports.includes(found.port))
    )
  })
