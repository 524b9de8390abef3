import { encoderSettings, type OnvifDevice, type SimulatedProfile } from './device.ts'
import {
  findProfile,
  H264_PROFILES,
  noVideo,
  PTZ_CONFIGURATION,
  rotationExtension,
  snapshotUri,
  unknownProfile,
} from './media-service.ts'
import { child, escapeXml, getText, type SoapFault, type XmlNode } from './soap.ts'

const NAMESPACE = 'xmlns:tr2="http://www.onvif.org/ver20/media/wsdl"'

function profileElement(device: OnvifDevice, profile: SimulatedProfile): string {
  const { token, source, clip, audio, hasPtz } = profile
  const { width, height, framesPerSecond, kilobitsPerSecond, groupLength } = encoderSettings(device, profile)
  const sound =
    audio === undefined
      ? ''
      : `<tr2:AudioEncoder token="audio-${token}"><tt:Name>audio</tt:Name><tt:UseCount>1</tt:UseCount><tt:Encoding>MP4A-LATM</tt:Encoding>` +
        `<tt:Bitrate>32</tt:Bitrate><tt:SampleRate>${Math.round(audio.sampleRate / 1000)}</tt:SampleRate></tr2:AudioEncoder>`
  return (
    `<tr2:Profiles token="${token}" fixed="true"><tr2:Name>${token}</tr2:Name><tr2:Configurations>` +
    `<tr2:VideoSource token="source-${token}"><tt:Name>${source}</tt:Name><tt:UseCount>2</tt:UseCount>` +
    `<tt:SourceToken>${source}</tt:SourceToken><tt:Bounds x="0" y="0" width="${clip.width}" height="${clip.height}"/>` +
    `${rotationExtension(device.settings)}</tr2:VideoSource>` +
    `<tr2:VideoEncoder token="encoder-${token}" GovLength="${groupLength}" Profile="${H264_PROFILES[clip.profileLevel.slice(0, 2)] ?? 'Main'}">` +
    `<tt:Name>${token}</tt:Name><tt:UseCount>1</tt:UseCount><tt:Encoding>H264</tt:Encoding>` +
    `<tt:Resolution><tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution>` +
    `<tt:RateControl ConstantBitRate="false"><tt:FrameRateLimit>${framesPerSecond}</tt:FrameRateLimit>` +
    `<tt:BitrateLimit>${kilobitsPerSecond}</tt:BitrateLimit></tt:RateControl><tt:Quality>5</tt:Quality></tr2:VideoEncoder>` +
    `${sound}${hasPtz ? `<tr2:PTZ token="ptz">${PTZ_CONFIGURATION}</tr2:PTZ>` : ''}</tr2:Configurations></tr2:Profiles>`
  )
}

/** Media2 §5.2.3; with a token, that profile. */
export function getProfiles2(device: OnvifDevice, body: XmlNode): string {
  const token = getText(child(body, 'Token'))
  const wanted = device.profiles.filter((profile) => token === undefined || profile.token === token)
  const profiles = wanted.map((profile) => profileElement(device, profile)).join('')
  return `<tr2:GetProfilesResponse ${NAMESPACE}>${profiles}</tr2:GetProfilesResponse>`
}

/** Media2 §5.2.14. */
export function getStreamUri2(device: OnvifDevice, body: XmlNode): string | SoapFault {
  const profile = findProfile(device, body)
  if (profile === undefined) return unknownProfile
  if (profile.isEmpty) return noVideo
  return `<tr2:GetStreamUriResponse ${NAMESPACE}><tr2:Uri>${escapeXml(profile.streamUri)}</tr2:Uri></tr2:GetStreamUriResponse>`
}

/** Media2 §5.13. */
export function getSnapshotUri2(device: OnvifDevice, body: XmlNode): string | SoapFault {
  const profile = findProfile(device, body)
  if (profile === undefined) return unknownProfile
  if (!device.hasSnapshot || profile.isEmpty) return noVideo
  const uri = escapeXml(snapshotUri(device, profile))
  return `<tr2:GetSnapshotUriResponse ${NAMESPACE}><tr2:Uri>${uri}</tr2:Uri></tr2:GetSnapshotUriResponse>`
}
