import * as z from 'zod/mini'

const rotation = z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)])
/** `1920x1080` */
const resolution = z.string().check(z.regex(/^\d{2,5}x\d{2,5}$/))
const positive = z.number().check(z.positive(), z.lte(1_000_000))

/** Settings of a camera's main stream and of its picture. */
const fields = {
  resolution,
  framesPerSecond: positive,
  /** kbit/s */
  maxBandwidth: z.int().check(z.positive(), z.lte(1_000_000)),
  /** Pictures from one keyframe to the next. */
  keyframeInterval: z.int().check(z.positive(), z.lte(100_000)),
  /** Degrees clockwise. */
  rotateImage: rotation,
  /** The frequency of the light, in hertz. */
  antiFlicker: z.enum(['off', '50', '60']),
  backlight: z.enum(['off', 'BLC', 'HLC', 'WDR']),
  dayNight: z.enum(['auto', 'day', 'night']),
  colorNightView: z.boolean(),
  illumination: z.enum(['auto', 'on', 'off']),
} as const

export const videoSettingNames = Object.keys(fields) as readonly VideoSettingName[]
export type VideoSettingName = keyof typeof fields

/** Null: the camera can't say, or doesn't have it. */
const videoSettings = z.object({
  resolution: z.nullable(fields.resolution),
  framesPerSecond: z.nullable(fields.framesPerSecond),
  maxBandwidth: z.nullable(fields.maxBandwidth),
  keyframeInterval: z.nullable(fields.keyframeInterval),
  rotateImage: z.nullable(fields.rotateImage),
  antiFlicker: z.nullable(fields.antiFlicker),
  backlight: z.nullable(fields.backlight),
  dayNight: z.nullable(fields.dayNight),
  colorNightView: z.nullable(fields.colorNightView),
  illumination: z.nullable(fields.illumination),
})
export type VideoSettings = z.infer<typeof videoSettings>

export const videoSettingsPatch = z.partial(z.object(fields))
export type VideoSettingsPatch = z.infer<typeof videoSettingsPatch>

const range = z.object({ min: z.number(), max: z.number() })

/** What each setting can be set to on this camera; a setting that isn't here can't be set. */
const videoOptions = z.partial(
  z.object({
    resolution: z.array(fields.resolution),
    framesPerSecond: range,
    maxBandwidth: range,
    keyframeInterval: range,
    rotateImage: z.array(rotation),
    antiFlicker: z.array(fields.antiFlicker),
    backlight: z.array(fields.backlight),
    dayNight: z.array(fields.dayNight),
    colorNightView: z.array(z.boolean()),
    illumination: z.array(fields.illumination),
  }),
)
export type VideoOptions = z.infer<typeof videoOptions>

/**
 * Why a setting can't be set: the camera doesn't offer it, ONVIF has no way to set it, or the camera didn't answer when it was
 * asked for its options.
 */
const unavailableReason = z.enum(['notOffered', 'notStandard', 'notAnswered'])
export type UnavailableReason = z.infer<typeof unavailableReason>

/** What a camera is set to and can be set to. */
export const cameraVideo = z.extend(videoSettings, {
  options: videoOptions,
  unavailable: z.partialRecord(z.enum(Object.keys(fields) as [VideoSettingName]), unavailableReason),
})
export type CameraVideo = z.infer<typeof cameraVideo>

/** Which right changes a setting; the others need `editCamera`. */
const videoSettingRights: Partial<Readonly<Record<VideoSettingName, VideoSettingRight>>> = {
  antiFlicker: 'cameraExposureControl',
  backlight: 'cameraExposureControl',
  dayNight: 'cameraExposureControl',
  colorNightView: 'cameraExposureControl',
  illumination: 'cameraIllumination',
}
type VideoSettingRight = 'cameraExposureControl' | 'cameraIllumination'

export const rightOfVideoSetting = (name: VideoSettingName): VideoSettingRight | 'editCamera' =>
  videoSettingRights[name] ?? 'editCamera'

/** Why a value can't be set on a camera with these options; undefined if it can. */
export function videoSettingFault(options: VideoOptions, patch: VideoSettingsPatch): string | undefined {
  for (const name of videoSettingNames) {
    const value = patch[name]
    if (value === undefined) continue
    const offered = options[name]
    if (offered === undefined) continue
    if (Array.isArray(offered)) {
      const choices: readonly unknown[] = offered
      if (!choices.includes(value)) return `${name}: expected one of ${choices.join(', ')}`
    } else if (typeof value === 'number' && (value < offered.min || value > offered.max))
      return `${name}: expected a number from ${offered.min} to ${offered.max}`
  }
  return undefined
}
