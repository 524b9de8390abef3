import { fail, ok, type Result } from '@sightline/platform/result'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { parseRtspAddress, type RtspAddress } from '../rtsp/rtsp-address.ts'
import type { CameraCredentials } from '../rtsp/rtsp-authentication.ts'
import { type HttpAddress, postSoap, wrongCredentials } from './onvif-http.ts'
import { envelope, parseReply, usernameToken } from './soap.ts'
import { children, descend, escapeXml, readText, type XmlNode } from './xml.ts'

export interface OnvifOptions {
  /** The address of the camera's device service; the path is `/onvif/device_service` for nearly all. */
  readonly address: HttpAddress
  readonly credentials: CameraCredentials | undefined
  readonly connect: CameraConnect
  readonly signal: AbortSignal
}

/** What a camera says about itself; its texts can't be trusted. */
export interface OnvifCamera {
  readonly manufacturer: string
  readonly model: string
  readonly firmwareVersion: string
  readonly serialNumber: string
  /** How far the camera's clock is ahead of ours, in milliseconds. */
  readonly clockAheadMs: number
  /** In the camera's order: the main stream is usually the first. */
  readonly profiles: readonly OnvifProfile[]
}

export interface OnvifProfile {
  readonly token: string
  readonly name: string
  /** In the camera's spelling: `H264`, `H265`, `JPEG`; empty if it doesn't say. */
  readonly encoding: string
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly hasAudio: boolean
  /** Always on the host that was checked. */
  readonly stream: RtspAddress
}

const DEVICE = 'http://www.onvif.org/ver10/device/wsdl'
const MEDIA = 'http://www.onvif.org/ver10/media/wsdl'
const SCHEMA = 'http://www.onvif.org/ver10/schema'
const MAX_PROFILES = 8

/**
 * Asks a camera through ONVIF (Profile S) what it is and where its streams are: date and time, device information,
 * media service, profiles, and a stream address for each. Whatever host a reply names, only the checked one is
 * contacted.
 */
export async function askOnvif(options: OnvifOptions): Promise<Result<OnvifCamera, CameraFault>> {
  const ahead = await clockAhead(options)
  if (!ahead.ok) return ahead
  const service: Service = { ...options, clockAheadMs: ahead.value }
  const information = await ask(service, 'GetDeviceInformation', `<GetDeviceInformation xmlns="${DEVICE}"/>`)
  if (!information.ok) return information
  const media = await mediaService(service)
  if (!media.ok) return media
  const profiles = await profilesOf(media.value)
  if (!profiles.ok) return profiles
  const told = (name: string): string => (readText(information.value, name) ?? '').slice(0, 128)
  return ok({
    manufacturer: told('Manufacturer'),
    model: told('Model'),
    firmwareVersion: told('FirmwareVersion'),
    serialNumber: told('SerialNumber'),
    clockAheadMs: ahead.value,
    profiles: profiles.value,
  })
}

interface Service extends OnvifOptions {
  readonly clockAheadMs: number
}

type Answer = Result<XmlNode, CameraFault>

async function ask(service: Service, operation: string, body: string): Promise<Answer> {
  const { credentials, clockAheadMs } = service
  const created = new Date(Date.now() + clockAheadMs)
  const header = credentials === undefined ? '' : usernameToken(credentials, created)
  return await exchange(service, operation, envelope(header, body))
}

async function exchange(options: OnvifOptions, operation: string, body: string): Promise<Answer> {
  const posted = await postSoap({ ...options, body })
  if (!posted.ok) return posted
  const reply = parseReply(posted.value, operation)
  if (reply === undefined) return fail(fault('badReply', `unexpected reply to ${operation}`))
  if (reply.kind === 'reply') return ok(reply.body)
  if (reply.isNotAuthorized) return fail(wrongCredentials)
  return fail(fault('badReply', `the camera rejected ${operation}: ${quoted(reply.reason)}`))
}

/** A token is good for minutes by the camera's clock, which is often wrong; it may be asked without one (ONVIF Core §5.12.1). */
async function clockAhead(options: OnvifOptions): Promise<Result<number, CameraFault>> {
  const operation = 'GetSystemDateAndTime'
  const reply = await exchange(options, operation, envelope('', `<${operation} xmlns="${DEVICE}"/>`))
  // Some cameras guard even this one; then their clock has to be right.
  if (!reply.ok) return reply.failure.kind === 'credentialsIncorrect' ? ok(0) : reply
  const told = descend(reply.value, 'SystemDateAndTime', 'UTCDateTime')
  const number = (...names: readonly string[]): number => Number(readText(told, ...names))
  const date = Date.UTC(number('Date', 'Year'), number('Date', 'Month') - 1, number('Date', 'Day'))
  const time = ((number('Time', 'Hour') * 60 + number('Time', 'Minute')) * 60 + number('Time', 'Second')) * 1000
  const now = Date.now()
  const ahead = date + time - now
  // Beyond the year 9999 there is no ISO date of four digits.
  return ok(Number.isFinite(ahead) && now + ahead >= 0 && now + ahead < Date.UTC(9999, 0) ? ahead : 0)
}

async function mediaService(service: Service): Promise<Result<Service, CameraFault>> {
  const body = `<GetCapabilities xmlns="${DEVICE}"><Category>Media</Category></GetCapabilities>`
  const reply = await ask(service, 'GetCapabilities', body)
  if (!reply.ok) return reply
  const address = readText(reply.value, 'Capabilities', 'Media', 'XAddr')
  if (address === undefined) return fail(fault('noVideo', 'the camera reports no media service'))
  const own = onCheckedHost(service.address, address)
  return own.ok ? ok({ ...service, address: own.value }) : own
}

/** Path and port of what the camera named, on the host that was checked: cameras behind a router name inner addresses, hostile ones name anything. */
function onCheckedHost(checked: HttpAddress, named: string): Result<HttpAddress, CameraFault> {
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (url?.protocol !== 'http:')
    return fail(fault('badReply', `expected an http URL of the media service, got ${quoted(named)}`))
  const path = `${url.pathname}${url.search}`
  const isSameHost = url.hostname.replaceAll(/[[\]]/g, '') === checked.host.toLowerCase()
  // Behind a router the port that was forwarded is the one that works.
  return ok({ host: checked.host, port: isSameHost ? Number(url.port || '80') : checked.port, path })
}

async function profilesOf(media: Service): Promise<Result<readonly OnvifProfile[], CameraFault>> {
  const reply = await ask(media, 'GetProfiles', `<GetProfiles xmlns="${MEDIA}"/>`)
  if (!reply.ok) return reply
  const profiles: OnvifProfile[] = []
  for (const told of children(reply.value, 'Profiles', MAX_PROFILES)) {
    const token = readText(told, '@token')
    if (token === undefined || descend(told, 'VideoEncoderConfiguration') === undefined) continue
    const stream = await streamOf(media, token)
    if (!stream.ok) return stream
    profiles.push(profileOf(told, token, stream.value))
  }
  return profiles.length === 0 ? fail(fault('noVideo', 'the camera has no profile with video')) : ok(profiles)
}

function profileOf(told: XmlNode, token: string, stream: RtspAddress): OnvifProfile {
  const video = descend(told, 'VideoEncoderConfiguration')
  const number = (...names: readonly string[]): number => {
    const value = Number(readText(video, ...names))
    return value > 0 && value <= 65_535 ? value : 0
  }
  return {
    token,
    name: (readText(told, 'Name') ?? token).slice(0, 128),
    encoding: (readText(video, 'Encoding') ?? '').slice(0, 32),
    width: number('Resolution', 'Width'),
    height: number('Resolution', 'Height'),
    framesPerSecond: number('RateControl', 'FrameRateLimit'),
    hasAudio: descend(told, 'AudioEncoderConfiguration') !== undefined,
    stream,
  }
}

async function streamOf(media: Service, token: string): Promise<Result<RtspAddress, CameraFault>> {
  const setup =
    `<StreamSetup><Stream xmlns="${SCHEMA}">RTP-Unicast</Stream>` +
    `<Transport xmlns="${SCHEMA}"><Protocol>RTSP</Protocol></Transport></StreamSetup>`
  const body = `<GetStreamUri xmlns="${MEDIA}">${setup}<ProfileToken>${escapeXml(token)}</ProfileToken></GetStreamUri>`
  const reply = await ask(media, 'GetStreamUri', body)
  if (!reply.ok) return reply
  const named = readText(reply.value, 'MediaUri', 'Uri') ?? ''
  // A few cameras put user and password into the address; ours are sent separately.
  const address = parseRtspAddress(named.replace(/^(rtsp:\/\/)[^/@]*@/i, '$1'))
  if (!address.ok) return fail(fault('badReply', 'expected an rtsp URL of the stream, got something else'))
  return ok({ ...address.value, host: media.address.host })
}
