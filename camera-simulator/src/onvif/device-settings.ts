import { SimulatedLens } from './lens.ts'

/** What a video encoder is set to. */
export interface EncoderSettings {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly kilobitsPerSecond: number
  /** Pictures from one key picture to the next. */
  readonly groupLength: number
}

/** Imaging settings in ONVIF's spelling. */
export interface ImagingState {
  backlight: 'ON' | 'OFF'
  wideDynamicRange: 'ON' | 'OFF'
  irCut: 'ON' | 'OFF' | 'AUTO'
}

/** What the camera can be set to. */
export const FRAME_RATES = { min: 1, max: 30 } as const
export const BITRATES = { min: 64, max: 8192 } as const
export const GROUP_LENGTHS = { min: 1, max: 300 } as const
export const ROTATIONS = [0, 90, 180, 270] as const
export const LAMP_COMMANDS = ['tt:IRLamp|On', 'tt:IRLamp|Off', 'tt:IRLamp|Auto'] as const

/** The settings of one camera: what is set by ONVIF is read back. */
export class DeviceSettings {
  /** By profile token; others are as their clip. */
  readonly encoders = new Map<string, EncoderSettings>()
  readonly imaging: ImagingState = { backlight: 'OFF', wideDynamicRange: 'OFF', irCut: 'AUTO' }
  /** Only cameras that turn have a motor for it. */
  readonly lens = new SimulatedLens()
  /** Degrees. */
  rotation = 0
  /** The last auxiliary command about its infrared lamp. */
  lamp: string = 'tt:IRLamp|Auto'
  /** Of its loudspeaker, 0 to 100. */
  outputLevel = 50
}
