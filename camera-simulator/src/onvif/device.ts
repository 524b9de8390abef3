import type { AudioClip } from '../clip/audio-clip.ts'
import type { VideoClip } from '../clip/video-clip.ts'
import type { EpochMs } from '../clock.ts'
import type { DeviceSettings, EncoderSettings } from './device-settings.ts'
import type { SimulatedEndpoint } from './network-service.ts'

/** A stream as ONVIF shows it: one media profile. */
export interface SimulatedProfile {
  /** Profile token and path of the stream: `main`, `sub`. */
  readonly token: string
  /** Token of the video source: recorders have several. */
  readonly source: string
  /** Which input of a recorder it is, from 1. */
  readonly input: number
  /** No camera is connected to the input. */
  readonly isEmpty: boolean
  readonly clip: VideoClip
  readonly audio: AudioClip | undefined
  readonly streamUri: string
  readonly hasPtz: boolean
}

/** What the ONVIF services report about a camera. */
export interface OnvifDevice {
  readonly name: string
  /** Lower case with colons. */
  readonly mac: string
  readonly manufacturer: string
  readonly model: string
  readonly firmwareVersion: string
  readonly serialNumber: string
  /** `http://host:port`, as this client reaches the camera. */
  readonly base: string
  /** The host without a port, for GetNetworkInterfaces. */
  readonly host: string
  readonly profiles: readonly SimulatedProfile[]
  readonly hasSnapshot: boolean
  readonly hasPtz: boolean
  /** Whether it has relay outputs or digital inputs. */
  readonly hasIo: boolean
  /** Its Wi-Fi among its network interfaces; empty without one. */
  readonly wifiInterface: string
  /** Where the camera is. */
  readonly endpoint: SimulatedEndpoint
  readonly prefixLength: number
  readonly isDhcp: boolean
  readonly isTimeByNtp: boolean
  readonly settings: DeviceSettings
  /** Whether settings are accepted and ignored. */
  readonly keepsSettings: boolean
  readonly hasSpeaker: boolean
  /** Where its card is replayed; undefined without a card. */
  readonly replayUri: string | undefined
  /** The camera's clock. */
  readonly now: EpochMs
}

/** Paths on the camera's HTTP port. */
export const paths = {
  device: '/onvif/device_service',
  media: '/onvif/media_service',
  media2: '/onvif/media2_service',
  imaging: '/onvif/imaging_service',
  events: '/onvif/event_service',
  subscription: '/onvif/subscription',
  ptz: '/onvif/ptz_service',
  io: '/onvif/deviceio_service',
  snapshot: '/onvif/snapshot.jpg',
  firmware: '/firmware/upload',
  disks: '/ISAPI/ContentMgmt/Storage',
} as const

/** Scopes of ONVIF Core §7.3.3.2, for GetScopes and discovery. */
export function listScopes(device: Pick<OnvifDevice, 'name' | 'model' | 'mac' | 'manufacturer'>): readonly string[] {
  return [
    'onvif://www.onvif.org/Profile/Streaming',
    'onvif://www.onvif.org/type/video_encoder',
    `onvif://www.onvif.org/name/${encodeURIComponent(device.name)}`,
    `onvif://www.onvif.org/hardware/${encodeURIComponent(device.model)}`,
    `onvif://www.onvif.org/manufacturer/${encodeURIComponent(device.manufacturer)}`,
    `onvif://www.onvif.org/MAC/${device.mac}`,
  ]
}

function groupLength({ pictures }: VideoClip): number {
  const second = pictures.findIndex((picture, at) => at > 0 && picture.isKey)
  return second === -1 ? pictures.length : second
}

/** What the encoder of a profile is set to. */
export const encoderSettings = (
  device: Pick<OnvifDevice, 'settings'>,
  { token, clip }: SimulatedProfile,
): EncoderSettings =>
  device.settings.encoders.get(token) ?? {
    width: clip.width,
    height: clip.height,
    framesPerSecond: clip.framesPerSecond,
    kilobitsPerSecond: clip.kilobitsPerSecond,
    groupLength: groupLength(clip),
  }
