import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import type { OnvifProfile } from './onvif-profiles.ts'
import { anything, element, list, neededElement, neededText, number, optionalElement, text, words } from './shapes.ts'
import { escapeXml, type XmlNode } from './xml.ts'

/** From the least to the most. */
export interface NumberRange {
  readonly min: number
  readonly max: number
}

export interface EncoderOptions {
  readonly codecs: readonly string[]
  /** `1920x1080`, of the codec in use, the largest first. */
  readonly resolutions: readonly string[]
  readonly framesPerSecond: NumberRange | undefined
  readonly kilobitsPerSecond: NumberRange | undefined
  /** Pictures from one keyframe to the next. */
  readonly groupLength: NumberRange | undefined
}

/** In the words of the settings (contract/src/camera-settings). */
export interface ImagingOptions {
  readonly backlight: readonly ('off' | 'BLC' | 'WDR')[]
  readonly dayNight: readonly ('auto' | 'day' | 'night')[]
}

export interface VideoChoices {
  readonly encoder: OnvifResult<EncoderOptions>
  readonly imaging: OnvifResult<ImagingOptions>
  /** Degrees. */
  readonly rotations: OnvifResult<readonly number[]>
  /** Auxiliary commands in the camera's spelling: `tt:IRLamp|On`. */
  readonly auxiliary: OnvifResult<readonly string[]>
}

/** The configurations of the main profile as the camera sent them, and the service that has it. */
export interface MainConfigurations {
  readonly service: 'media' | 'media2'
  readonly profile: OnvifProfile
  readonly encoder: XmlNode
  readonly source: XmlNode | undefined
}

const MAX_ITEMS = 64
const MAX_PROFILES = 256
const MAX_LIST_BYTES = 2 * 1024 * 1024

const profileShape = z.object({
  Profile: element(z.object({ VideoEncoderConfiguration: neededElement, VideoSourceConfiguration: anything })),
})
const profiles2Shape = z.object({
  Profiles: list(
    z.object({
      '@token': neededText,
      Configurations: element(z.object({ VideoEncoder: neededElement, VideoSource: anything })),
    }),
    MAX_PROFILES,
  ),
})

/** From Media2 if it has the profile, otherwise from the older service. */
export async function readMainConfigurations(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<MainConfigurations>> {
  const main = await device.mainProfile()
  if (!main.ok) return main
  const profile = main.value
  const token = escapeXml(profile.token)
  const newer = await device.call('media2', 'GetProfiles', {
    content: `<o:Token>${token}</o:Token><o:Type>VideoSource</o:Type><o:Type>VideoEncoder</o:Type>`,
    shape: profiles2Shape,
    maxReplyBytes: MAX_LIST_BYTES,
    signal,
  })
  const found = newer.ok ? newer.value.Profiles.find((one) => one['@token'] === profile.token) : undefined
  if (found !== undefined) {
    const { VideoEncoder, VideoSource } = found.Configurations
    return ok({ service: 'media2', profile, encoder: VideoEncoder, source: VideoSource })
  }
  const content = `<o:ProfileToken>${token}</o:ProfileToken>`
  const older = await device.call('media', 'GetProfile', { content, shape: profileShape, signal })
  if (!older.ok) return older
  const { VideoEncoderConfiguration, VideoSourceConfiguration } = older.value.Profile
  return ok({ service: 'media', profile, encoder: VideoEncoderConfiguration, source: VideoSourceConfiguration })
}

/** The token of a configuration. */
const configurationToken = (configuration: XmlNode): string => {
  const shape = z.object({ '@token': text })
  const parsed = z.safeParse(element(shape), configuration)
  return parsed.success ? (parsed.data['@token'] ?? '') : ''
}

/** Asks a camera what its main stream and its picture can be set to. */
export async function readVideoOptions(device: OnvifCommander, signal: AbortSignal): Promise<VideoChoices> {
  const main = await readMainConfigurations(device, signal)
  const auxiliary = auxiliaryCommands(device, signal)
  if (!main.ok) return { encoder: main, imaging: main, rotations: main, auxiliary: await auxiliary }
  const [encoder, imaging, rotations] = await Promise.all([
    encoderOptions(device, main.value, signal),
    imagingOptions(device, main.value.profile.source, signal),
    rotationOptions(device, main.value, signal),
  ])
  return { encoder, imaging, rotations, auxiliary: await auxiliary }
}

const sizes = list(z.object({ Width: number, Height: number }), MAX_ITEMS)
const rangeShape = optionalElement(z.object({ Min: number, Max: number }))
const codecShape = optionalElement(
  z.object({
    ResolutionsAvailable: sizes,
    FrameRateRange: rangeShape,
    BitrateRange: rangeShape,
    GovLengthRange: rangeShape,
  }),
)
const optionsShape = z.object({
  Options: element(
    z.object({
      JPEG: anything,
      MPEG4: anything,
      H264: codecShape,
      Extension: optionalElement(z.object({ H264: codecShape })),
    }),
  ),
})
const options2Shape = z.object({
  Options: list(
    z.object({
      '@FrameRatesSupported': text,
      '@GovLengthRange': text,
      Encoding: text,
      ResolutionsAvailable: sizes,
      BitrateRange: rangeShape,
    }),
    MAX_ITEMS,
  ),
})

async function encoderOptions(
  device: OnvifCommander,
  { service, profile, encoder }: MainConfigurations,
  signal: AbortSignal,
): Promise<OnvifResult<EncoderOptions>> {
  const content =
    `<o:ConfigurationToken>${escapeXml(configurationToken(encoder))}</o:ConfigurationToken>` +
    `<o:ProfileToken>${escapeXml(profile.token)}</o:ProfileToken>`
  const operation = 'GetVideoEncoderConfigurationOptions'
  const request = { content, signal, maxReplyBytes: MAX_LIST_BYTES }
  if (service === 'media2') {
    const reply = await device.call('media2', operation, { ...request, shape: options2Shape })
    if (!reply.ok) return reply
    const own = reply.value.Options.find(({ Encoding }) => Encoding === profile.encoding) ?? reply.value.Options[0]
    const rates = (own?.['@FrameRatesSupported'] ?? '')
      .split(/\s+/)
      .map(Number)
      .filter((rate) => rate > 0)
    return ok({
      codecs: [...new Set(reply.value.Options.flatMap(({ Encoding }) => Encoding ?? []))],
      resolutions: toResolutions(own?.ResolutionsAvailable ?? []),
      framesPerSecond: rates.length === 0 ? undefined : { min: Math.min(...rates), max: Math.max(...rates) },
      kilobitsPerSecond: toRange(own?.BitrateRange),
      groupLength: rangeOfWords(own?.['@GovLengthRange']),
    })
  }
  const reply = await device.call('media', operation, { ...request, shape: optionsShape })
  if (!reply.ok) return reply
  const { JPEG, MPEG4, H264, Extension } = reply.value.Options
  const codecs = [JPEG && 'JPEG', MPEG4 && 'MPEG4', H264 && 'H264']
  return ok({
    codecs: codecs.filter((codec) => typeof codec === 'string'),
    resolutions: toResolutions(Extension?.H264?.ResolutionsAvailable ?? H264?.ResolutionsAvailable ?? []),
    framesPerSecond: toRange(Extension?.H264?.FrameRateRange ?? H264?.FrameRateRange),
    kilobitsPerSecond: toRange(Extension?.H264?.BitrateRange),
    groupLength: toRange(Extension?.H264?.GovLengthRange ?? H264?.GovLengthRange),
  })
}

const toResolutions = (found: readonly { readonly Width: number; readonly Height: number }[]): readonly string[] => {
  const real = found.filter(({ Width, Height }) => Width >= 16 && Height >= 16 && Width <= 65_535 && Height <= 65_535)
  const ordered = real.toSorted((a, b) => b.Width * b.Height - a.Width * a.Height)
  return [...new Set(ordered.map(({ Width, Height }) => `${Width}x${Height}`))]
}

const toRange = (found: z.infer<typeof rangeShape>): NumberRange | undefined =>
  found === undefined || found.Max <= 0 || found.Max < found.Min ? undefined : { min: found.Min, max: found.Max }

const modesShape = optionalElement(z.object({ Mode: words(MAX_ITEMS) }))
const imagingShape = z.object({
  ImagingOptions: element(
    z.object({
      BacklightCompensation: modesShape,
      WideDynamicRange: modesShape,
      IrCutFilterModes: words(MAX_ITEMS),
    }),
  ),
})
const IR_CUT = { AUTO: 'auto', ON: 'day', OFF: 'night' } as const

async function imagingOptions(
  device: OnvifCommander,
  source: string,
  signal: AbortSignal,
): Promise<OnvifResult<ImagingOptions>> {
  const content = `<o:VideoSourceToken>${escapeXml(source)}</o:VideoSourceToken>`
  const reply = await device.call('imaging', 'GetOptions', { content, shape: imagingShape, signal })
  if (!reply.ok) return reply
  const { BacklightCompensation, WideDynamicRange, IrCutFilterModes } = reply.value.ImagingOptions
  const hasOn = (modes: z.infer<typeof modesShape>) => modes?.Mode.includes('ON') === true
  const switchable = [
    ...(hasOn(BacklightCompensation) ? (['BLC'] as const) : []),
    ...(hasOn(WideDynamicRange) ? (['WDR'] as const) : []),
  ]
  const dayNight = (['AUTO', 'ON', 'OFF'] as const).filter((mode) => IrCutFilterModes.includes(mode))
  return ok({
    backlight: switchable.length === 0 ? [] : ['off', ...switchable],
    dayNight: dayNight.map((mode) => IR_CUT[mode]),
  })
}

/** `1 300` */
function rangeOfWords(found: string | undefined): NumberRange | undefined {
  const [Min = 0, Max = 0] = (found ?? '').trim().split(/\s+/).map(Number)
  return Number.isFinite(Min) && Number.isFinite(Max) ? toRange({ Min, Max }) : undefined
}

const rotationShape = z.object({
  Options: element(
    z.object({
      Extension: optionalElement(
        z.object({
          Rotate: optionalElement(z.object({ DegreeList: optionalElement(z.object({ Items: words(MAX_ITEMS) })) })),
        }),
      ),
    }),
  ),
})
const noSource: OnvifFault = { ...fault('badReply', 'the profile has no video source'), isRefusal: true }

async function rotationOptions(
  device: OnvifCommander,
  { service, profile, source }: MainConfigurations,
  signal: AbortSignal,
): Promise<OnvifResult<readonly number[]>> {
  if (source === undefined) return fail(noSource)
  const content =
    `<o:ConfigurationToken>${escapeXml(configurationToken(source))}</o:ConfigurationToken>` +
    `<o:ProfileToken>${escapeXml(profile.token)}</o:ProfileToken>`
  const operation = 'GetVideoSourceConfigurationOptions'
  const reply = await device.call(service, operation, { content, shape: rotationShape, signal })
  if (!reply.ok) return reply
  const degrees = reply.value.Options.Extension?.Rotate?.DegreeList?.Items ?? []
  const turned = [90, 180, 270].filter((angle) => degrees.some((item) => Number(item) === angle))
  return ok(turned.length === 0 ? [] : [0, ...turned])
}

const auxiliaryShape = z.object({
  Capabilities: optionalElement(z.object({ Misc: optionalElement(z.object({ '@AuxiliaryCommands': text })) })),
})

/** Commands beyond the services, for lamps and wipers. */
export async function auxiliaryCommands(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<readonly string[]>> {
  const reply = await device.call('device', 'GetServiceCapabilities', { shape: auxiliaryShape, signal })
  if (!reply.ok) return reply
  const named = reply.value.Capabilities?.Misc?.['@AuxiliaryCommands'] ?? ''
  return ok(
    named
      .split(/\s+/)
      .filter((command) => command !== '')
      .slice(0, MAX_ITEMS),
  )
}
