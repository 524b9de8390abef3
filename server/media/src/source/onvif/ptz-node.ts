import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import { durationMs } from './duration.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, list, neededText, number, optionalElement, signedNumber, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

/** The range of one axis, in the camera's own numbers. */
export interface PtzRange {
  readonly min: number
  readonly max: number
}

/** A coordinate system of the camera. An axis that it doesn't have is undefined. */
export interface PtzSpace {
  readonly uri: string
  readonly x: PtzRange
  readonly y: PtzRange
}

/** How one view of a camera is moved. What isn't supported is undefined. */
export interface PtzNode {
  /** The media profile by which its PTZ is called. */
  readonly profile: string
  readonly continuousPanTilt: PtzSpace | undefined
  readonly continuousZoom: PtzSpace | undefined
  readonly relativePanTilt: PtzSpace | undefined
  readonly relativeZoom: PtzSpace | undefined
  readonly absolutePanTilt: PtzSpace | undefined
  readonly absoluteZoom: PtzSpace | undefined
  /** Translation by shares of the picture. */
  readonly fieldOfView: PtzSpace | undefined
  /** What the camera takes as the time after which a move ends; undefined: it doesn't say. */
  readonly timeoutMs: PtzRange | undefined
  readonly maxPresets: number
  readonly hasHome: boolean
}

const SPACES = 'http://www.onvif.org/ver10/tptz/PanTiltSpaces'
const FIELD_OF_VIEW = `${SPACES}/TranslationSpaceFov`
const MAX_PROFILES = 256
const MAX_LIST_BYTES = 2 * 1024 * 1024
/** Of cameras that name no number. */
const SOME_PRESETS = 100

const configurationShape = optionalElement(z.object({ '@token': text, NodeToken: text }))
const profilesShape = z.object({
  Profiles: list(
    z.object({
      '@token': neededText,
      VideoSourceConfiguration: optionalElement(z.object({ '@token': text, SourceToken: text })),
      PTZConfiguration: configurationShape,
    }),
    MAX_PROFILES,
  ),
})
const profiles2Shape = z.object({
  Profiles: list(
    z.object({
      '@token': neededText,
      Configurations: optionalElement(
        z.object({
          VideoSource: optionalElement(z.object({ '@token': text, SourceToken: text })),
          PTZ: configurationShape,
        }),
      ),
    }),
    MAX_PROFILES,
  ),
})
const rangeShape = optionalElement(z.object({ Min: signedNumber, Max: signedNumber }))
const spaceList = list(z.object({ URI: text, XRange: rangeShape, YRange: rangeShape }), 16)
const spacesShape = optionalElement(
  z.object({
    AbsolutePanTiltPositionSpace: spaceList,
    AbsoluteZoomPositionSpace: spaceList,
    RelativePanTiltTranslationSpace: spaceList,
    RelativeZoomTranslationSpace: spaceList,
    ContinuousPanTiltVelocitySpace: spaceList,
    ContinuousZoomVelocitySpace: spaceList,
  }),
)
type Spaces = NonNullable<z.infer<typeof spacesShape>>
const nodeShape = z.object({
  PTZNode: element(z.object({ SupportedPTZSpaces: spacesShape, MaximumNumberOfPresets: number, HomeSupported: text })),
})
const optionsShape = z.object({
  PTZConfigurationOptions: element(
    z.object({ Spaces: spacesShape, PTZTimeout: optionalElement(z.object({ Min: text, Max: text })) }),
  ),
})

interface Configured {
  readonly profile: string
  readonly configuration: string
  readonly node: string
}

/**
 * What a camera says of its PTZ: the profile that has it, of the wanted video sources if there are several (a recorder's inputs), the
 * spaces, the range of timeouts, room for presets. What the options of the configuration lack is taken from the node.
 */
export async function findPtzNode(
  device: OnvifCommander,
  sources: readonly string[] | null,
  signal: AbortSignal,
): Promise<OnvifResult<PtzNode>> {
  const configured = await findConfigured(device, sources, signal)
  if (!configured.ok) return configured
  const { profile, configuration, node } = configured.value
  const optional = await device.call('ptz', 'GetConfigurationOptions', {
    content: `<o:ConfigurationToken>${escapeXml(configuration)}</o:ConfigurationToken>`,
    shape: optionsShape,
    signal,
  })
  const described = await device.call('ptz', 'GetNode', {
    content: `<o:NodeToken>${escapeXml(node)}</o:NodeToken>`,
    shape: nodeShape,
    signal,
  })
  // A camera that can't be reached is no camera without PTZ.
  const failed = [optional, described].find((one) => !one.ok && !isReply(one.failure))
  if (failed !== undefined && !failed.ok) return failed
  const options = optional.ok ? optional.value.PTZConfigurationOptions : undefined
  const about = described.ok ? described.value.PTZNode : undefined
  const spaces = options?.Spaces ?? about?.SupportedPTZSpaces
  return ok({
    profile,
    ...toSpaces(spaces),
    timeoutMs: toTimeouts(options?.PTZTimeout),
    maxPresets: about === undefined ? SOME_PRESETS : about.MaximumNumberOfPresets,
    hasHome: about?.HomeSupported?.toLowerCase() !== 'false',
  })
}

const isReply = ({ isRefusal, kind }: OnvifFault): boolean => isRefusal === true || kind === 'badReply'

async function findConfigured(
  device: OnvifCommander,
  sources: readonly string[] | null,
  signal: AbortSignal,
): Promise<OnvifResult<Configured>> {
  const older = await device.call('media', 'GetProfiles', {
    shape: profilesShape,
    maxReplyBytes: MAX_LIST_BYTES,
    signal,
  })
  const listed = older.ok
    ? older.value.Profiles.map((one) => ({
        token: one['@token'],
        source: one.VideoSourceConfiguration,
        ptz: one.PTZConfiguration,
      }))
    : []
  const found = chooseProfile(listed, sources)
  if (found !== undefined) return ok(found)
  const newer = await device.call('media2', 'GetProfiles', {
    content: '<o:Type>All</o:Type>',
    shape: profiles2Shape,
    maxReplyBytes: MAX_LIST_BYTES,
    signal,
  })
  const listed2 = newer.ok
    ? newer.value.Profiles.map((one) => ({
        token: one['@token'],
        source: one.Configurations?.VideoSource,
        ptz: one.Configurations?.PTZ,
      }))
    : []
  const found2 = chooseProfile(listed2, sources)
  if (found2 !== undefined) return ok(found2)
  if (!older.ok && !newer.ok) return isReply(older.failure) ? newer : older
  return fail({
    ...fault('badReply', 'no profile of the camera has PTZ'),
    isRefusal: true,
    isUnsupported: true,
  })
}

interface ListedProfile {
  readonly token: string
  readonly source: { readonly '@token'?: string | undefined; readonly SourceToken?: string | undefined } | undefined
  readonly ptz: z.infer<typeof configurationShape>
}

function chooseProfile(profiles: readonly ListedProfile[], sources: readonly string[] | null): Configured | undefined {
  const isWanted = ({ source }: ListedProfile) =>
    sources === null || [source?.['@token'], source?.SourceToken].some((token) => sources.includes(token ?? ''))
  const chosen = profiles.find((profile) => profile.ptz !== undefined && isWanted(profile))
  if (chosen?.ptz === undefined) return undefined
  return { profile: chosen.token, configuration: chosen.ptz['@token'] ?? '', node: chosen.ptz.NodeToken ?? '' }
}

/** A camera that names no spaces at all is tried with the usual ones (ONVIF PTZ §5.8). */
function toSpaces(spaces: Spaces | undefined) {
  if (spaces === undefined) return { ...none, continuousPanTilt: usual, continuousZoom: usual }
  const relative = spaces.RelativePanTiltTranslationSpace.filter(({ URI }) => URI !== FIELD_OF_VIEW)
  return {
    continuousPanTilt: toSpace(spaces.ContinuousPanTiltVelocitySpace[0]),
    continuousZoom: toSpace(spaces.ContinuousZoomVelocitySpace[0]),
    relativePanTilt: toSpace(relative[0]),
    relativeZoom: toSpace(spaces.RelativeZoomTranslationSpace[0]),
    absolutePanTilt: toSpace(spaces.AbsolutePanTiltPositionSpace[0]),
    absoluteZoom: toSpace(spaces.AbsoluteZoomPositionSpace[0]),
    fieldOfView: toSpace(spaces.RelativePanTiltTranslationSpace.find(({ URI }) => URI === FIELD_OF_VIEW)),
  }
}

const unit: PtzRange = { min: -1, max: 1 }
const usual: PtzSpace = { uri: '', x: unit, y: unit }
const none = {
  relativePanTilt: undefined,
  relativeZoom: undefined,
  absolutePanTilt: undefined,
  absoluteZoom: undefined,
  fieldOfView: undefined,
} as const

function toSpace(space: Spaces['AbsoluteZoomPositionSpace'][number] | undefined): PtzSpace | undefined {
  return space === undefined ? undefined : { uri: space.URI ?? '', x: toRange(space.XRange), y: toRange(space.YRange) }
}

const toRange = (range: z.infer<typeof rangeShape>): PtzRange =>
  range?.Min !== undefined && range.Max !== undefined && range.Min < range.Max
    ? { min: range.Min, max: range.Max }
    : unit

function toTimeouts(named: { readonly Min?: string | undefined; readonly Max?: string | undefined } | undefined) {
  const [min, max] = [durationMs(named?.Min), durationMs(named?.Max)]
  return min !== undefined && max !== undefined && min <= max && max > 0 ? { min, max } : undefined
}
