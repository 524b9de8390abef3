import type { Ability, AbilityName, CameraAbilities } from '@sightline/contract/camera-capabilities'
import { ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { informationShape, toInformation } from './onvif-camera.ts'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { EVENTS, type OnvifServices } from './onvif-services.ts'
import { anything, list, optionalElement, text } from './shapes.ts'
import { type ImagingOptions, readVideoOptions } from './video-options.ts'
import type { XmlNode } from './xml.ts'

type Found = Partial<Record<AbilityName, Ability>>
type Ask = <T>(
  service: Parameters<OnvifCommander['call']>[0],
  operation: string,
  shape: z.ZodMiniType<T>,
  more?: { readonly content?: string; readonly action?: string },
) => Promise<OnvifResult<T>>

const yes = (tried: string): Ability => ({ state: 'yes', tried })
const no = (tried: string): Ability => ({ state: 'no', tried })
const unknown = (tried: string): Ability => ({ state: 'unknown', tried })

const MAX_ITEMS = 64
const tokens = list(z.object({ '@token': text }), MAX_ITEMS)
const topicsShape = z.object({ TopicSet: anything })
const systemShape = z.object({
  Capabilities: optionalElement(z.object({ System: optionalElement(z.object({ '@HttpFirmwareUpgrade': text })) })),
})
const interfacesShape = z.object({
  NetworkInterfaces: list(
    z.object({
      Enabled: text,
      Info: optionalElement(z.object({ HwAddress: text })),
      Extension: optionalElement(z.object({ InterfaceType: text })),
    }),
    MAX_ITEMS,
  ),
})

/** IANA ifType: mobile networks by UMTS and by LTE. */
const MOBILE_INTERFACES: ReadonlySet<string | undefined> = new Set(['243', '244'])

/**
 * Asks a camera what it can do. Nothing is taken from its list of capabilities where the operation itself can be tried, because
 * those lists are often wrong. Fails only if the camera doesn't say what it is.
 */
export async function readAbilities(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<CameraAbilities>> {
  const ask: Ask = (service, operation, shape, more = {}) => device.call(service, operation, { shape, signal, ...more })
  const information = await ask('device', 'GetDeviceInformation', informationShape)
  if (!information.ok) return information
  const services = await device.services()
  if (!services.ok) return services
  const [found, video] = await Promise.all([tryAll(ask, services.value), readVideoOptions(device, signal)])
  const { interfaces, ...abilities } = found
  return ok({
    abilities: {
      ...abilities,
      videoSettings: triedBy('GetVideoEncoderConfigurationOptions', video.encoder),
      imaging: triedBy(IMAGING, video.imaging),
      wdr: wdrOf(video.imaging),
    },
    codecs: video.encoder.ok ? [...video.encoder.value.codecs] : [],
    resolutions: video.encoder.ok ? [...video.encoder.value.resolutions] : [],
    services: Object.entries(services.value).flatMap(([name, service]) => (service === undefined ? [] : [name])),
    information: { ...toInformation(information.value), ethMacAddress: interfaces },
  })
}

const IMAGING = 'GetOptions of the imaging service'

/** An ability whose operation was answered or not. */
const triedBy = (operation: string, answer: OnvifResult<unknown>): Ability =>
  refused(operation, answer) ?? yes(operation)

function wdrOf(imaging: OnvifResult<ImagingOptions>): Ability {
  if (!imaging.ok) return triedBy(IMAGING, imaging)
  const isOffered = imaging.value.backlight.includes('WDR')
  return isOffered ? yes(`${IMAGING}: WideDynamicRange`) : no(`${IMAGING}: no WideDynamicRange`)
}

async function tryAll(ask: Ask, services: OnvifServices): Promise<Found & { readonly interfaces: string }> {
  const [microphone, speaker, ptz, outputs, inputs, topics, wifi, network, system] = await Promise.all([
    counted(ask, 'media', 'GetAudioSources', 'AudioSources'),
    counted(ask, 'media', 'GetAudioOutputs', 'AudioOutputs'),
    counted(ask, 'ptz', 'GetNodes', 'PTZNode'),
    // The device service has the relays of older cameras too.
    counted(ask, 'device', 'GetRelayOutputs', 'RelayOutputs'),
    counted(ask, 'deviceIo', 'GetDigitalInputs', 'DigitalInputs'),
    topicAbilities(ask),
    ask('device', 'GetDot11Capabilities', z.unknown()),
    ask('device', 'GetNetworkInterfaces', interfacesShape),
    ask('device', 'GetServiceCapabilities', systemShape),
  ])
  const firmware = system.ok ? system.value.Capabilities?.System?.['@HttpFirmwareUpgrade'] : undefined
  return {
    ptz,
    microphone,
    speaker,
    io: eitherOf(outputs, inputs),
    inputs,
    outputs,
    ...topics,
    wifi: triedBy('GetDot11Capabilities', wifi),
    mobile: mobileOf(network),
    edgeStorage:
      services.recording === undefined || services.search === undefined
        ? no('GetServices names no recording service')
        : yes('GetServices names a recording and a search service'),
    firmwareUpgrade:
      firmware === undefined
        ? (refused('GetServiceCapabilities', system) ?? unknown('GetServiceCapabilities says nothing about firmware'))
        : (firmware === 'true' ? yes : no)(`HttpFirmwareUpgrade="${firmware}" in GetServiceCapabilities`),
    interfaces: network.ok ? macOf(network.value) : '',
  }
}

/** What a call that failed says about an ability; undefined if it was answered. */
function refused(operation: string, answer: OnvifResult<unknown>): Ability | undefined {
  if (answer.ok) return undefined
  const { isUnsupported, isRefusal, detail } = answer.failure
  if (isUnsupported === true) return no(`${operation}: not supported`)
  return unknown(isRefusal === true ? `${operation}: refused` : `${operation}: ${detail}`)
}

/** By how many things an operation lists: `GetNodes: 1`. */
async function counted(
  ask: Ask,
  service: 'media' | 'ptz' | 'deviceIo' | 'device',
  operation: string,
  item: string,
): Promise<Ability> {
  const answer = await ask(service, operation, z.object({ [item]: tokens }))
  if (!answer.ok) return triedBy(operation, answer)
  const count = answer.value[item]?.length ?? 0
  return (count > 0 ? yes : no)(`${operation}: ${count}`)
}

function eitherOf(one: Ability, other: Ability): Ability {
  const found = [one, other].find(({ state }) => state === 'yes')
  if (found !== undefined) return found
  const tried = `${one.tried}; ${other.tried}`
  return one.state === 'no' && other.state === 'no' ? no(tried) : unknown(tried)
}

function mobileOf(network: OnvifResult<z.infer<typeof interfacesShape>>): Ability {
  if (!network.ok) return refused('GetNetworkInterfaces', network) ?? unknown('GetNetworkInterfaces')
  const types = network.value.NetworkInterfaces.map(({ Extension }) => Extension?.InterfaceType)
  if (types.some((type) => MOBILE_INTERFACES.has(type))) return yes('GetNetworkInterfaces names a mobile interface')
  return unknown('GetNetworkInterfaces names no mobile interface; ONVIF has no other way to ask')
}

function macOf({ NetworkInterfaces }: z.infer<typeof interfacesShape>): string {
  const shown = NetworkInterfaces.find(({ Enabled }) => Enabled === 'true') ?? NetworkInterfaces[0]
  const mac = (shown?.Info?.HwAddress ?? '').toLowerCase().replaceAll('-', ':')
  return /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(mac) ? mac : ''
}

/** Event topics as cameras name them; makers' own topics often have the same words. */
const TOPICS = {
  motionDetection: /motion/i,
  pir: /(^|[^a-z])pir([^a-z]|$)/i,
  audioDetection: /audio|sound/i,
  tripwire: /linedetector|linecross|crossed|tripwire/i,
} as const

async function topicAbilities(ask: Ask): Promise<Found> {
  const operation = 'GetEventProperties'
  const action = `${EVENTS}/EventPortType/${operation}Request`
  const answer = await ask('events', operation, topicsShape, { action })
  const names = answer.ok ? topicNames(answer.value.TopicSet) : []
  const found = (pattern: RegExp): Ability => {
    const refusal = refused(operation, answer)
    if (refusal !== undefined) return refusal
    const topic = names.find((name) => pattern.test(name))
    if (topic !== undefined) return yes(`${operation}: ${topic}`)
    return names.length === 0 ? unknown(`${operation}: no topics`) : no(`${operation}: topic not found`)
  }
  const { motionDetection, pir, audioDetection, tripwire } = TOPICS
  return {
    motionDetection: found(motionDetection),
    pir: found(pir),
    audioDetection: found(audioDetection),
    tripwire: found(tripwire),
  }
}

const MAX_TOPICS = 512

/** Paths of the innermost elements: `RuleEngine/CellMotionDetector/Motion`. */
function topicNames(node: XmlNode | undefined, path = '', depth = 0): readonly string[] {
  if (node === undefined || typeof node === 'string' || depth > 8) return []
  if (Array.isArray(node)) return node.flatMap((one: XmlNode) => topicNames(one, path, depth)).slice(0, MAX_TOPICS)
  return Object.entries(node)
    .filter(([name]) => !name.startsWith('@') && name !== '#text' && name !== 'MessageDescription')
    .flatMap(([name, below]) => {
      const own = path === '' ? name : `${path}/${name}`
      const inner = topicNames(below, own, depth + 1)
      return inner.length === 0 ? [own] : inner
    })
    .slice(0, MAX_TOPICS)
}
