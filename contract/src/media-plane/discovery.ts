/** A search for cameras in the networks that the operator assigned to an account. One at a time per account. */
export interface DiscoveryQuestion {
  readonly accountId: number
  /**
   * Begins a search: cameras answer a multicast in the server's own networks, and with `sweep` each address of that network
   * is asked. Undefined: only tells how the last one goes.
   */
  readonly start?: {
    readonly sweep: string | null
    /** Also connects to the usual ports of each address of `sweep`, for cameras that don't answer. */
    readonly connect: boolean
  }
  /** Ends the search that runs; what it found stays. */
  readonly cancel?: boolean
}

/** A device that answered; its texts can't be trusted. */
export interface DiscoveredCamera {
  readonly address: string
  /** Of `protocol`. */
  readonly port: number
  readonly protocol: 'onvif' | 'rtsp'
  /** `address`: it was asked there, and didn't announce itself. */
  readonly foundBy: 'announcement' | 'address'
  /** ONVIF over TLS. */
  readonly https: boolean
  readonly name: string
  readonly brand: string
  readonly model: string
  /** Lower case with colons; empty if it isn't known. */
  readonly ethMacAddress: string
}

/** A device that answered some machines with media workers. */
export interface LocatedCamera extends DiscoveredCamera {
  /** Those machines; empty if every machine of the installation found it. */
  readonly machines: readonly string[]
}

export interface DiscoveryState<Found extends DiscoveredCamera = DiscoveredCamera> {
  readonly kind: 'state'
  /** The networks of the account, in CIDR notation. */
  readonly networks: readonly string[]
  /** `none`: nothing was searched since the server started. */
  readonly search: 'none' | 'running' | 'done'
  /** 0 to 100. */
  readonly progress: number
  readonly cameras: readonly Found[]
}

/** `busy`: a search runs already. `notAllowed`: the network to sweep isn't the account's. `tooLarge`: it has too many addresses. */
export type DiscoveryAnswer = DiscoveryState | DiscoveryRefusal

/** What all machines found together. */
export type JoinedDiscovery = DiscoveryState<LocatedCamera> | DiscoveryRefusal

interface DiscoveryRefusal {
  readonly kind: 'busy' | 'notAllowed' | 'tooLarge' | 'timedOut'
}

/** The most addresses that one sweep asks. */
export const MAX_SWEEP_ADDRESSES = 1024
