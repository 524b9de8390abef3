import { encoderSettings, type OnvifDevice, type SimulatedProfile } from './device.ts'
import { BITRATES, type EncoderSettings, FRAME_RATES, GROUP_LENGTHS, ROTATIONS } from './device-settings.ts'
import { child, getAttribute, getText, type SoapFault, type XmlNode } from './soap.ts'

const MEDIA2 = 'xmlns:tr2="http://www.onvif.org/ver20/media/wsdl"'

const invalid = (reason: string): SoapFault => ({
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', 'ter:ConfigModify'],
  reason,
})
const noConfiguration: SoapFault = {
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', 'ter:NoConfig'],
  reason: 'The requested configuration does not exist',
}

/** The camera encodes in the sizes of its two streams. */
const sizesOf = (device: OnvifDevice): readonly EncoderSettings[] => {
  const { settings, profiles } = device
  const fresh = { settings: { ...settings, encoders: new Map() } }
  return ['main', 'sub'].flatMap((token) =>
    profiles.filter((profile) => profile.token === token).map((profile) => encoderSettings(fresh, profile)),
  )
}

const resolutions = (device: OnvifDevice): string =>
  sizesOf(device)
    .map(
      ({ width, height }) =>
        `<tt:ResolutionsAvailable><tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:ResolutionsAvailable>`,
    )
    .join('')

const range = (name: string, { min, max }: { readonly min: number; readonly max: number }): string =>
  `<tt:${name}><tt:Min>${min}</tt:Min><tt:Max>${max}</tt:Max></tt:${name}>`

/** ONVIF Media §5.6.4: the bitrate is in the extension. */
export function getVideoEncoderConfigurationOptions(device: OnvifDevice): string {
  const common =
    `${resolutions(device)}${range('GovLengthRange', GROUP_LENGTHS)}${range('FrameRateRange', FRAME_RATES)}` +
    `${range('EncodingIntervalRange', { min: 1, max: 1 })}<tt:H264ProfilesSupported>Main</tt:H264ProfilesSupported>`
  return (
    '<trt:GetVideoEncoderConfigurationOptionsResponse><trt:Options>' +
    `${range('QualityRange', { min: 1, max: 6 })}<tt:H264>${common}</tt:H264>` +
    `<tt:Extension><tt:H264>${common}${range('BitrateRange', BITRATES)}</tt:H264></tt:Extension>` +
    '</trt:Options></trt:GetVideoEncoderConfigurationOptionsResponse>'
  )
}

/** Media2 §5.2.6. */
export function getVideoEncoderConfigurationOptions2(device: OnvifDevice): string {
  const rates = Array.from({ length: FRAME_RATES.max }, (_, index) => FRAME_RATES.max - index)
  return (
    `<tr2:GetVideoEncoderConfigurationOptionsResponse ${MEDIA2}>` +
    `<tr2:Options GovLengthRange="${GROUP_LENGTHS.min} ${GROUP_LENGTHS.max}" FrameRatesSupported="${rates.join(' ')}" ProfilesSupported="Main High">` +
    `<tt:Encoding>H264</tt:Encoding>${range('QualityRange', { min: 1, max: 6 })}${resolutions(device)}` +
    `${range('BitrateRange', BITRATES)}</tr2:Options></tr2:GetVideoEncoderConfigurationOptionsResponse>`
  )
}

const profileOf = (device: OnvifDevice, body: XmlNode, prefix: string): SimulatedProfile | undefined => {
  const token = getAttribute(child(body, 'Configuration'), 'token')
  return device.profiles.find((profile) => `${prefix}-${profile.token}` === token)
}

/** Of both media services: their configurations have the same elements here. */
export function setVideoEncoderConfiguration(device: OnvifDevice, body: XmlNode, name: string): string | SoapFault {
  const profile = profileOf(device, body, 'encoder')
  if (profile === undefined) return noConfiguration
  const configuration = child(body, 'Configuration')
  const rate = child(configuration, 'RateControl')
  const size = child(configuration, 'Resolution')
  const value = (node: XmlNode | undefined, of: string) => Number(getText(child(node, of)) ?? Number.NaN)
  const [width, height] = [value(size, 'Width'), value(size, 'Height')]
  const framesPerSecond = value(rate, 'FrameRateLimit')
  const kilobitsPerSecond = value(rate, 'BitrateLimit')
  if (!sizesOf(device).some((known) => known.width === width && known.height === height))
    return invalid('The resolution is not available')
  if (!(framesPerSecond >= FRAME_RATES.min && framesPerSecond <= FRAME_RATES.max))
    return invalid('The frame rate is out of range')
  if (!(kilobitsPerSecond >= BITRATES.min && kilobitsPerSecond <= BITRATES.max))
    return invalid('The bitrate is out of range')
  const older = getText(child(child(configuration, 'H264'), 'GovLength'))
  const groupLength = Number(older ?? getAttribute(configuration, 'GovLength') ?? Number.NaN)
  if (!(groupLength >= GROUP_LENGTHS.min && groupLength <= GROUP_LENGTHS.max))
    return invalid('The distance of key pictures is out of range')
  if (getText(child(configuration, 'Encoding')) !== 'H264' || child(configuration, 'Quality') === undefined)
    return invalid('The configuration is not complete')
  if (device.keepsSettings)
    device.settings.encoders.set(profile.token, { width, height, framesPerSecond, kilobitsPerSecond, groupLength })
  return `<${name}:SetVideoEncoderConfigurationResponse xmlns:tr2="http://www.onvif.org/ver20/media/wsdl"/>`
}

/** ONVIF Media §5.5.4. */
export const getVideoSourceConfigurationOptions = (_device: OnvifDevice, _body: XmlNode, name: string): string =>
  `<${name}:GetVideoSourceConfigurationOptionsResponse ${MEDIA2}><${name}:Options>` +
  `<tt:Extension><tt:Rotate><tt:Mode>OFF</tt:Mode><tt:Mode>ON</tt:Mode><tt:DegreeList>` +
  `${ROTATIONS.map((degrees) => `<tt:Items>${degrees}</tt:Items>`).join('')}</tt:DegreeList></tt:Rotate></tt:Extension>` +
  `</${name}:Options></${name}:GetVideoSourceConfigurationOptionsResponse>`

export function setVideoSourceConfiguration(device: OnvifDevice, body: XmlNode, name: string): string | SoapFault {
  if (profileOf(device, body, 'source') === undefined) return noConfiguration
  const rotate = child(child(child(body, 'Configuration'), 'Extension'), 'Rotate')
  const degrees = getText(child(rotate, 'Mode')) === 'OFF' ? 0 : Number(getText(child(rotate, 'Degree')) ?? 0)
  if (!ROTATIONS.some((known) => known === degrees)) return invalid('The picture cannot be turned like that')
  if (device.keepsSettings) device.settings.rotation = degrees
  return `<${name}:SetVideoSourceConfigurationResponse xmlns:tr2="http://www.onvif.org/ver20/media/wsdl"/>`
}

const MEDIA1 = 'xmlns:trt="http://www.onvif.org/ver10/media/wsdl"'

export const getAudioSources = (device: OnvifDevice): string =>
  `<trt:GetAudioSourcesResponse ${MEDIA1}>` +
  (device.profiles.some(({ audio }) => audio !== undefined)
    ? '<trt:AudioSources token="audio-source"><tt:Channels>1</tt:Channels></trt:AudioSources>'
    : '') +
  '</trt:GetAudioSourcesResponse>'

export const getAudioOutputs = (device: OnvifDevice): string =>
  `<trt:GetAudioOutputsResponse ${MEDIA1}>` +
  `${device.hasSpeaker ? '<trt:AudioOutputs token="audio-output"/>' : ''}</trt:GetAudioOutputsResponse>`
