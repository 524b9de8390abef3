import type { CameraNetwork, CameraNetworkPatch } from '../camera-network/index.ts'

/** The network settings of a camera as it says. */
export type NetworkState = Omit<CameraNetwork, 'cameraId' | 'confirmed'>

export type CameraNetworkChange = Omit<CameraNetworkPatch, 'password'>

export type NetworkChangeAnswer =
  /** Read from the camera afterwards. */
  | { readonly kind: 'changed'; readonly network: NetworkState }
  /** The camera accepted it, and leaves its address or port, or restarts. */
  | { readonly kind: 'leaving' }
  /** The new address isn't in the networks that cameras of the account may be in. Nothing was sent. */
  | { readonly kind: 'addressRefused' }
