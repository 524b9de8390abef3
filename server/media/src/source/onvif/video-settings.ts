import type {
  CameraVideo,
  UnavailableReason,
  VideoOptions,
  VideoSettingName,
  VideoSettings,
  VideoSettingsPatch,
} from '@sightline/contract/camera-settings'
import { ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, neededElement, number, optionalElement, text } from './shapes.ts'
import {
  auxiliaryCommands,
  type MainConfigurations,
  readMainConfigurations,
  readVideoOptions,
  type VideoChoices,
} from './video-options.ts'
import { escapeXml, readText } from './xml.ts'
import { toXml, withText } from './xml-writing.ts'

const SCHEMA = 'http://www.onvif.org/ver10/schema'
const empty = z.unknown()

/** Reads from a camera what its main stream and its picture are set to, and can be set to. */
export async function readVideoSettings(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<CameraVideo>> {
  const main = await readMainConfigurations(device, signal)
  if (!main.ok) return main
  const [choices, imaging] = await Promise.all([
    readVideoOptions(device, signal),
    readImaging(device, main.value.profile.source, signal),
  ])
  const { options, unavailable } = toOptions(choices)
  const { resolution, framesPerSecond, maxBandwidth, keyframeInterval, rotateImage } = readEncoder(main.value)
  const settings: VideoSettings = {
    resolution,
    framesPerSecond,
    maxBandwidth,
    keyframeInterval,
    rotateImage,
    antiFlicker: null,
    backlight: imaging.ok ? imaging.value.backlight : null,
    dayNight: imaging.ok ? imaging.value.dayNight : null,
    colorNightView: null,
    // ONVIF has commands for lamps, and no way to ask what they were given.
    illumination: null,
  }
  return ok({ ...settings, options, unavailable })
}

const encoderShape = z.object({
  Resolution: optionalElement(z.object({ Width: number, Height: number })),
  RateControl: optionalElement(z.object({ FrameRateLimit: number, BitrateLimit: number })),
  '@GovLength': number,
  H264: optionalElement(z.object({ GovLength: number })),
})
const rotateShape = z.object({
  Extension: optionalElement(z.object({ Rotate: optionalElement(z.object({ Mode: text, Degree: text })) })),
})

type EncoderSettings = Pick<
  VideoSettings,
  'resolution' | 'framesPerSecond' | 'maxBandwidth' | 'keyframeInterval' | 'rotateImage'
>

function readEncoder({ encoder, source }: MainConfigurations): EncoderSettings {
  const parsed = z.safeParse(element(encoderShape), encoder)
  const { Resolution, RateControl, H264, '@GovLength': length } = parsed.success ? parsed.data : {}
  const turned = z.safeParse(element(rotateShape), source ?? {})
  const rotate = turned.success ? turned.data.Extension?.Rotate : undefined
  const isSized = Resolution !== undefined && Resolution.Width > 0 && Resolution.Height > 0
  return {
    resolution: isSized ? `${Resolution.Width}x${Resolution.Height}` : null,
    framesPerSecond: RateControl?.FrameRateLimit || null,
    maxBandwidth: Math.round(RateControl?.BitrateLimit ?? 0) || null,
    keyframeInterval: Math.round(H264?.GovLength ?? length ?? 0) || null,
    rotateImage: rotate === undefined ? null : toRotation(rotate.Mode === 'OFF' ? 0 : Number(rotate.Degree ?? 0)),
  }
}

const toRotation = (degrees: number): VideoSettings['rotateImage'] =>
  degrees === 0 || degrees === 90 || degrees === 180 || degrees === 270 ? degrees : null

const modeShape = optionalElement(z.object({ Mode: text }))
const imagingShape = z.object({
  ImagingSettings: element(
    z.object({ BacklightCompensation: modeShape, WideDynamicRange: modeShape, IrCutFilter: text }),
  ),
})
type ImagingSettings = Pick<VideoSettings, 'backlight' | 'dayNight'>

async function readImaging(
  device: OnvifCommander,
  source: string,
  signal: AbortSignal,
): Promise<OnvifResult<ImagingSettings>> {
  const content = `<o:VideoSourceToken>${escapeXml(source)}</o:VideoSourceToken>`
  const reply = await device.call('imaging', 'GetImagingSettings', { content, shape: imagingShape, signal })
  if (!reply.ok) return reply
  const { BacklightCompensation, WideDynamicRange, IrCutFilter } = reply.value.ImagingSettings
  const isSaid = BacklightCompensation !== undefined || WideDynamicRange !== undefined
  const without = isSaid ? 'off' : null
  const compensated = BacklightCompensation?.Mode === 'ON' ? 'BLC' : without
  return ok({
    backlight: WideDynamicRange?.Mode === 'ON' ? 'WDR' : compensated,
    dayNight: dayNightOf(IrCutFilter),
  })
}

function dayNightOf(filter: string | undefined): VideoSettings['dayNight'] {
  if (filter === 'ON') return 'day'
  if (filter === 'OFF') return 'night'
  return filter === 'AUTO' ? 'auto' : null
}

const LAMP_NAMES = { auto: 'Auto', on: 'On', off: 'Off' } as const
type Lamp = keyof typeof LAMP_NAMES

/** The camera's own spelling of the command for its lamp; the standard ones are `tt:IRLamp|On`, `|Off` and `|Auto`. */
const lampCommand = (commands: readonly string[], lamp: Lamp): string | undefined =>
  commands.find((command) => new RegExp(`irlamp\\|${lamp}$`, 'i').test(command))

function toOptions(choices: VideoChoices): Pick<CameraVideo, 'options' | 'unavailable'> {
  const options: { -readonly [Name in keyof VideoOptions]: VideoOptions[Name] } = {}
  const unavailable: Partial<Record<VideoSettingName, UnavailableReason>> = {
    antiFlicker: 'notStandard',
    colorNightView: 'notStandard',
  }
  const offer = <Name extends VideoSettingName>(
    name: Name,
    from: OnvifResult<unknown>,
    value: VideoOptions[Name] | undefined,
  ): void => {
    const isOffered = value !== undefined && (!Array.isArray(value) || value.length > 0)
    if (isOffered) options[name] = value
    else unavailable[name] = from.ok || from.failure.isUnsupported === true ? 'notOffered' : 'notAnswered'
  }
  const { encoder, imaging, rotations, auxiliary } = choices
  const encoding = encoder.ok ? encoder.value : undefined
  offer('resolution', encoder, encoding && [...encoding.resolutions])
  offer('framesPerSecond', encoder, encoding?.framesPerSecond)
  offer('maxBandwidth', encoder, encoding?.kilobitsPerSecond)
  offer('keyframeInterval', encoder, encoding?.groupLength)
  offer(
    'rotateImage',
    rotations,
    rotations.ok ? rotations.value.flatMap((angle) => toRotation(angle) ?? []) : undefined,
  )
  offer('backlight', imaging, imaging.ok ? [...imaging.value.backlight] : undefined)
  offer('dayNight', imaging, imaging.ok ? [...imaging.value.dayNight] : undefined)
  const commands = auxiliary.ok ? auxiliary.value : []
  const lamps = (['auto', 'on', 'off'] as const).filter((lamp) => lampCommand(commands, lamp) !== undefined)
  offer('illumination', auxiliary, lamps)
  return { options, unavailable }
}

/**
 * Sets what the patch names and reads everything again: a camera may accept a value and set another one. Configurations go back as
 * the camera sent them, with what is changed.
 */
export async function writeVideoSettings(
  device: OnvifCommander,
  patch: VideoSettingsPatch,
  signal: AbortSignal,
): Promise<OnvifResult<CameraVideo>> {
  const main = await readMainConfigurations(device, signal)
  if (!main.ok) return main
  for (const write of [writeEncoder, writeRotation, writeImaging, writeLamp]) {
    const written = await write(device, { main: main.value, patch, signal })
    if (!written.ok) return written
  }
  return await readVideoSettings(device, signal)
}

interface Writing {
  readonly main: MainConfigurations
  readonly patch: VideoSettingsPatch
  readonly signal: AbortSignal
}

const NOTHING = ok(undefined)

async function writeEncoder(device: OnvifCommander, { main, patch, signal }: Writing): Promise<OnvifResult<unknown>> {
  const { resolution, framesPerSecond, maxBandwidth, keyframeInterval } = patch
  if ([resolution, framesPerSecond, maxBandwidth, keyframeInterval].every((one) => one === undefined)) return NOTHING
  let configuration = main.encoder
  if (resolution !== undefined) {
    const [width = '', height = ''] = resolution.split('x')
    configuration = withText(configuration, ['Resolution', 'Width'], width)
    configuration = withText(configuration, ['Resolution', 'Height'], height)
  }
  if (framesPerSecond !== undefined)
    configuration = withText(configuration, ['RateControl', 'FrameRateLimit'], String(framesPerSecond))
  if (maxBandwidth !== undefined)
    configuration = withText(configuration, ['RateControl', 'BitrateLimit'], String(maxBandwidth))
  if (keyframeInterval !== undefined) {
    const path = main.service === 'media' ? (['H264', 'GovLength'] as const) : (['@GovLength'] as const)
    configuration = withText(configuration, path, String(keyframeInterval))
  }
  const content = configurationXml(main.service, configuration)
  return await device.call(main.service, 'SetVideoEncoderConfiguration', { content, shape: empty, signal })
}

/** What the older service needs besides: whether a restart forgets the change. */
const configurationXml = (service: MainConfigurations['service'], configuration: MainConfigurations['encoder']) => {
  const opened = toXml('t', 'Configuration', configuration)
    .replace(/^<t:Configuration/, `<o:Configuration xmlns:t="${SCHEMA}"`)
    .replace(/<\/t:Configuration>$/, '</o:Configuration>')
  return service === 'media' ? `${opened}<o:ForcePersistence>true</o:ForcePersistence>` : opened
}

async function writeRotation(device: OnvifCommander, { main, patch, signal }: Writing): Promise<OnvifResult<unknown>> {
  const { rotateImage } = patch
  if (rotateImage === undefined || main.source === undefined) return NOTHING
  const mode = withText(main.source, ['Extension', 'Rotate', 'Mode'], rotateImage === 0 ? 'OFF' : 'ON')
  const turned = withText(mode, ['Extension', 'Rotate', 'Degree'], String(rotateImage))
  const content = configurationXml(main.service, turned)
  return await device.call(main.service, 'SetVideoSourceConfiguration', { content, shape: empty, signal })
}

const IR_CUT = { auto: 'AUTO', day: 'ON', night: 'OFF' } as const

/** Only what is changed is sent: a camera keeps what a request leaves out (ONVIF Imaging §5.1.2). In the order of the schema. */
async function writeImaging(device: OnvifCommander, { main, patch, signal }: Writing): Promise<OnvifResult<unknown>> {
  const { backlight, dayNight } = patch
  if (backlight === undefined && dayNight === undefined) return NOTHING
  const before = await readRawImaging(device, main.profile.source, signal)
  if (!before.ok) return before
  const mode = (name: string, isOn: boolean) =>
    readText(before.value, name, 'Mode') === undefined
      ? ''
      : `<t:${name}><t:Mode>${isOn ? 'ON' : 'OFF'}</t:Mode>${isOn ? levelXml(before.value, name) : ''}</t:${name}>`
  const settings = [
    backlight === undefined ? '' : mode('BacklightCompensation', backlight === 'BLC'),
    dayNight === undefined ? '' : `<t:IrCutFilter>${IR_CUT[dayNight]}</t:IrCutFilter>`,
    backlight === undefined ? '' : mode('WideDynamicRange', backlight === 'WDR'),
  ]
  const content =
    `<o:VideoSourceToken>${escapeXml(main.profile.source)}</o:VideoSourceToken>` +
    `<o:ImagingSettings xmlns:t="${SCHEMA}">${settings.join('')}</o:ImagingSettings>` +
    '<o:ForcePersistence>true</o:ForcePersistence>'
  return await device.call('imaging', 'SetImagingSettings', { content, shape: empty, signal })
}

/** How strong it is, as it was before. */
const levelXml = (settings: MainConfigurations['encoder'], name: string): string => {
  const level = readText(settings, name, 'Level')
  return level === undefined ? '' : `<t:Level>${escapeXml(level)}</t:Level>`
}

const rawImagingShape = z.object({ ImagingSettings: neededElement })

async function readRawImaging(device: OnvifCommander, source: string, signal: AbortSignal) {
  const content = `<o:VideoSourceToken>${escapeXml(source)}</o:VideoSourceToken>`
  const reply = await device.call('imaging', 'GetImagingSettings', { content, shape: rawImagingShape, signal })
  return reply.ok ? ok(reply.value.ImagingSettings) : reply
}

async function writeLamp(device: OnvifCommander, { patch, signal }: Writing): Promise<OnvifResult<unknown>> {
  const { illumination } = patch
  if (illumination === undefined) return NOTHING
  const auxiliary = await auxiliaryCommands(device, signal)
  if (!auxiliary.ok) return auxiliary
  const command = lampCommand(auxiliary.value, illumination) ?? `tt:IRLamp|${LAMP_NAMES[illumination]}`
  const content = `<o:AuxiliaryCommand>${escapeXml(command)}</o:AuxiliaryCommand>`
  return await device.call('device', 'SendAuxiliaryCommand', { content, shape: empty, signal })
}
