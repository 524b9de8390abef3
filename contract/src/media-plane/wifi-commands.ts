import type { CameraWifi, WifiNetwork } from '../camera-wifi/index.ts'

/** What is changed at the Wi-Fi of a camera; the password isn't kept anywhere. */
export type WifiChange =
  | { readonly kind: 'enable' | 'disable' }
  | { readonly kind: 'join'; readonly ssid: string; readonly password: string | null }
  | { readonly kind: 'forget'; readonly ssid: string }

export type WifiChangeAnswer =
  /** The camera accepted it, or became unreachable meanwhile. */
  | { readonly kind: 'accepted'; readonly wifi: WifiState }
  | { readonly kind: 'notVisible' | 'notKnown' | 'isCurrent' | 'needsPassword' | 'securityUnsupported' }

export type WifiState = Omit<CameraWifi, 'cameraId'>
export type ScannedNetwork = WifiNetwork
