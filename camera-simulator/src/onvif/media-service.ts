import { encoderSettings, type OnvifDevice, paths, type SimulatedProfile } from './device.ts'
import type { DeviceSettings } from './device-settings.ts'
import { child, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

const VIDEO_SOURCE = 'source'

/** Token of a video source; inputs count from 1. */
export const sourceOfInput = (input: number): string => (input === 1 ? VIDEO_SOURCE : `${VIDEO_SOURCE}${input}`)

// Profile names of ONVIF's H264Profile by profile_idc (ITU-T H.264 annex A).
export const H264_PROFILES: Readonly<Record<string, string>> = { '42': 'Baseline', '4d': 'Main', '64': 'High' }

export const unknownProfile: SoapFault = {
  code: 'Sender',
  subcodes: ['ter:InvalidArgVal', 'ter:NoProfile'],
  reason: 'The requested profile token does not exist',
}

export const noVideo: SoapFault = {
  code: 'Receiver',
  subcodes: ['ter:Action', 'ter:IncompleteConfiguration'],
  reason: 'No camera is connected to this input',
}

const noSnapshot: SoapFault = {
  code: 'Receiver',
  subcodes: ['ter:ActionNotSupported'],
  reason: 'This camera takes no snapshots',
}

const bounds = (profile: SimulatedProfile): string =>
  `<tt:Bounds x="0" y="0" width="${profile.clip.width}" height="${profile.clip.height}"/>`

const multicastOff =
  '<tt:Multicast><tt:Address><tt:Type>IPv4</tt:Type><tt:IPv4Address>0.0.0.0</tt:IPv4Address></tt:Address>' +
  '<tt:Port>0</tt:Port><tt:TTL>0</tt:TTL><tt:AutoStart>false</tt:AutoStart></tt:Multicast>'

function videoEncoder(device: OnvifDevice, profile: SimulatedProfile): string {
  const { token, clip } = profile
  const { width, height, framesPerSecond, kilobitsPerSecond, groupLength } = encoderSettings(device, profile)
  return (
    `<tt:VideoEncoderConfiguration token="encoder-${token}"><tt:Name>${token}</tt:Name><tt:UseCount>1</tt:UseCount>` +
    `<tt:Encoding>H264</tt:Encoding><tt:Resolution><tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution>` +
    `<tt:Quality>5</tt:Quality><tt:RateControl><tt:FrameRateLimit>${framesPerSecond}</tt:FrameRateLimit>` +
    `<tt:EncodingInterval>1</tt:EncodingInterval><tt:BitrateLimit>${kilobitsPerSecond}</tt:BitrateLimit></tt:RateControl>` +
    `<tt:H264><tt:GovLength>${groupLength}</tt:GovLength><tt:H264Profile>${H264_PROFILES[clip.profileLevel.slice(0, 2)] ?? 'Main'}</tt:H264Profile></tt:H264>` +
    `${multicastOff}<tt:SessionTimeout>PT60S</tt:SessionTimeout></tt:VideoEncoderConfiguration>`
  )
}

function audioEncoder({ token, audio }: SimulatedProfile): string {
  if (audio === undefined) return ''
  return (
    `<tt:AudioEncoderConfiguration token="audio-${token}"><tt:Name>audio</tt:Name><tt:UseCount>1</tt:UseCount><tt:Encoding>AAC</tt:Encoding>` +
    `<tt:Bitrate>32</tt:Bitrate><tt:SampleRate>${Math.round(audio.sampleRate / 1000)}</tt:SampleRate>` +
    `${multicastOff}<tt:SessionTimeout>PT60S</tt:SessionTimeout></tt:AudioEncoderConfiguration>`
  )
}

/** All profiles of a camera that turns have the same configuration. */
export const PTZ_CONFIGURATION =
  '<tt:Name>ptz</tt:Name><tt:UseCount>2</tt:UseCount><tt:NodeToken>node</tt:NodeToken>' +
  '<tt:DefaultPTZTimeout>PT10S</tt:DefaultPTZTimeout>'

/** Of the video source: how the picture is turned (ONVIF Media §5.5). */
export const rotationExtension = ({ rotation }: DeviceSettings): string =>
  '<tt:Extension><tt:Rotate>' +
  `<tt:Mode>${rotation === 0 ? 'OFF' : 'ON'}</tt:Mode><tt:Degree>${rotation}</tt:Degree></tt:Rotate></tt:Extension>`

function profileElement(device: OnvifDevice, name: string, profile: SimulatedProfile): string {
  return (
    `<trt:${name} token="${profile.token}" fixed="true"><tt:Name>${profile.token}</tt:Name>` +
    `<tt:VideoSourceConfiguration token="source-${profile.token}"><tt:Name>${profile.source}</tt:Name><tt:UseCount>2</tt:UseCount>` +
    `<tt:SourceToken>${profile.source}</tt:SourceToken>${bounds(profile)}${rotationExtension(device.settings)}` +
    `</tt:VideoSourceConfiguration>${videoEncoder(device, profile)}${audioEncoder(profile)}` +
    `${profile.hasPtz ? `<tt:PTZConfiguration token="ptz">${PTZ_CONFIGURATION}</tt:PTZConfiguration>` : ''}</trt:${name}>`
  )
}

export const getProfiles = (device: OnvifDevice): string =>
  `<trt:GetProfilesResponse>${device.profiles.map((profile) => profileElement(device, 'Profiles', profile)).join('')}</trt:GetProfilesResponse>`

export function findProfile(device: OnvifDevice, body: XmlNode): SimulatedProfile | undefined {
  const token = getText(child(body, 'ProfileToken'))
  return device.profiles.find((profile) => profile.token === token)
}

export function getProfile(device: OnvifDevice, body: XmlNode): string | SoapFault {
  const profile = findProfile(device, body)
  if (profile === undefined) return unknownProfile
  return `<trt:GetProfileResponse>${profileElement(device, 'Profile', profile)}</trt:GetProfileResponse>`
}

const mediaUri = (uri: string): string =>
  `<trt:MediaUri><tt:Uri>${escapeXml(uri)}</tt:Uri><tt:InvalidAfterConnect>false</tt:InvalidAfterConnect>` +
  '<tt:InvalidAfterReboot>false</tt:InvalidAfterReboot><tt:Timeout>PT0S</tt:Timeout></trt:MediaUri>'

export function getStreamUri(device: OnvifDevice, body: XmlNode): string | SoapFault {
  const profile = findProfile(device, body)
  if (profile === undefined) return unknownProfile
  if (profile.isEmpty) return noVideo
  return `<trt:GetStreamUriResponse>${mediaUri(profile.streamUri)}</trt:GetStreamUriResponse>`
}

/** That of the first input has no number, as that of a camera. */
export const snapshotUri = ({ base }: OnvifDevice, { input }: SimulatedProfile): string =>
  `${base}${paths.snapshot}${input === 1 ? '' : `?input=${input}`}`

export function getSnapshotUri(device: OnvifDevice, body: XmlNode): string | SoapFault {
  const profile = findProfile(device, body)
  if (profile === undefined) return unknownProfile
  if (!device.hasSnapshot) return noSnapshot
  if (profile.isEmpty) return noVideo
  return `<trt:GetSnapshotUriResponse>${mediaUri(snapshotUri(device, profile))}</trt:GetSnapshotUriResponse>`
}

export function getVideoSources(device: OnvifDevice): string {
  const firstOfEach = device.profiles.filter(
    (profile, at, all) => all.findIndex(({ source }) => source === profile.source) === at,
  )
  const sources = firstOfEach.map(({ source, isEmpty, clip: { width, height, framesPerSecond } }) => {
    const [shownWidth, shownHeight] = isEmpty ? [0, 0] : [width, height]
    return (
      `<trt:VideoSources token="${source}"><tt:Framerate>${framesPerSecond}</tt:Framerate>` +
      `<tt:Resolution><tt:Width>${shownWidth}</tt:Width><tt:Height>${shownHeight}</tt:Height></tt:Resolution></trt:VideoSources>`
    )
  })
  return `<trt:GetVideoSourcesResponse>${sources.join('')}</trt:GetVideoSourcesResponse>`
}
