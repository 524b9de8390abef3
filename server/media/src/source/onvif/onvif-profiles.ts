import { fail, ok, type Result } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { type CameraFault, fault } from '../camera-fault.ts'
import { parseRtspAddress, type RtspAddress } from '../rtsp/rtsp-address.ts'
import type { OnvifClient, OnvifResult, OnvifService } from './onvif-client.ts'
import { MEDIA, MEDIA2, type OnvifServices } from './onvif-services.ts'
import { anything, element, list, neededText, number, optionalElement, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

/** A stream that a camera offers; its texts can't be trusted. */
export interface OnvifProfile {
  readonly token: string
  readonly name: string
  /** Which picture it shows: profiles with the same source are the same picture. Empty if the camera doesn't say. */
  readonly source: string
  /** How events may name this picture: the source and its configuration. */
  readonly eventSources: readonly string[]
  /** In the camera's spelling: `H264`, `H265`, `JPEG`; empty if it doesn't say. */
  readonly encoding: string
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly kilobitsPerSecond: number
  readonly hasAudio: boolean
  /** Always on the host that was checked. */
  readonly stream: RtspAddress
}

type Described = Omit<OnvifProfile, 'stream'>

export interface ListedProfiles {
  readonly profiles: readonly OnvifProfile[]
  /** Of all profiles in the camera's order, also those without a stream address: a recorder's inputs keep their numbers. */
  readonly sources: readonly string[]
}

/** A recorder with 64 channels has four each. */
const MAX_PROFILES = 256
const MAX_LIST_BYTES = 2 * 1024 * 1024
const MAX_TEXT = 128
const SCHEMA = 'http://www.onvif.org/ver10/schema'

const videoShape = z.object({
  Encoding: text,
  Resolution: optionalElement(z.object({ Width: number, Height: number })),
  RateControl: optionalElement(z.object({ FrameRateLimit: number, BitrateLimit: number })),
})
const sourceShape = optionalElement(z.object({ '@token': text, SourceToken: text }))
const profilesShape = z.object({
  Profiles: list(
    z.object({
      '@token': neededText,
      Name: text,
      VideoSourceConfiguration: sourceShape,
      VideoEncoderConfiguration: element(videoShape),
      AudioEncoderConfiguration: anything,
    }),
    MAX_PROFILES,
  ),
})
const profiles2Shape = z.object({
  Profiles: list(
    z.object({
      '@token': neededText,
      Name: text,
      Configurations: element(
        z.object({ VideoSource: sourceShape, VideoEncoder: element(videoShape), AudioEncoder: anything }),
      ),
    }),
    MAX_PROFILES,
  ),
})
const uriShape = z.object({ MediaUri: element(z.object({ Uri: neededText })) })
const uri2Shape = z.object({ Uri: neededText })

/**
 * All profiles with video, in the camera's order: of the service Media2 and of the older one, because some cameras have their
 * H.265 profiles in Media2 only, and some have Media2 without profiles. One whose stream address can't be had is left out.
 */
export async function listProfiles(
  client: OnvifClient,
  { media, media2 }: Pick<OnvifServices, 'media' | 'media2'>,
): Promise<OnvifResult<ListedProfiles>> {
  const newer = media2 === undefined ? undefined : await newerProfiles(client, media2)
  const older = media === undefined ? undefined : await olderProfiles(client, media)
  const named = new Map<string, Described>()
  for (const profile of [...(newer?.ok ? newer.value : []), ...(older?.ok ? older.value : [])])
    if (!named.has(profile.token)) named.set(profile.token, profile)
  const failed = [newer, older].find((one) => one !== undefined && !one.ok)
  if (named.size === 0 && failed !== undefined && !failed.ok) return failed
  if (named.size === 0) return fail(fault('noVideo', 'the camera has no profile with video'))
  const asked = [...named.values()].map(async (profile) => {
    const stream = await streamOf(client, { media, media2 }, profile.token)
    return stream.ok ? ok({ ...profile, stream: stream.value }) : stream
  })
  const found = await Promise.all(asked)
  const playable = found.flatMap((one) => (one.ok ? [one.value] : []))
  const [first] = found
  return playable.length === 0 && first !== undefined && !first.ok
    ? first
    : ok({ profiles: playable, sources: [...new Set([...named.values()].map(({ source }) => source))] })
}

async function olderProfiles(client: OnvifClient, service: OnvifService): Promise<OnvifResult<readonly Described[]>> {
  const reply = await client.call({
    service,
    namespace: MEDIA,
    operation: 'GetProfiles',
    shape: profilesShape,
    maxReplyBytes: MAX_LIST_BYTES,
  })
  if (!reply.ok) return reply
  const toProfile = (one: z.infer<typeof profilesShape>['Profiles'][number]): Described => ({
    ...describe(one['@token'], one.Name, one.VideoEncoderConfiguration),
    ...sourceOf(one.VideoSourceConfiguration),
    hasAudio: one.AudioEncoderConfiguration !== undefined,
  })
  return ok(reply.value.value.Profiles.map(toProfile))
}

async function newerProfiles(client: OnvifClient, service: OnvifService): Promise<OnvifResult<readonly Described[]>> {
  const call = {
    service,
    namespace: MEDIA2,
    operation: 'GetProfiles',
    shape: profiles2Shape,
    maxReplyBytes: MAX_LIST_BYTES,
  }
  const reply = await client.call({ ...call, content: '<o:Type>All</o:Type>' })
  if (!reply.ok) return reply
  const toProfile = (one: z.infer<typeof profiles2Shape>['Profiles'][number]): Described => ({
    ...describe(one['@token'], one.Name, one.Configurations.VideoEncoder),
    ...sourceOf(one.Configurations.VideoSource),
    hasAudio: one.Configurations.AudioEncoder !== undefined,
  })
  return ok(reply.value.value.Profiles.map(toProfile))
}

function sourceOf(configuration: z.infer<typeof sourceShape>): Pick<Described, 'source' | 'eventSources'> {
  const source = configuration?.SourceToken?.slice(0, MAX_TEXT) ?? ''
  const named = [source, configuration?.['@token']?.slice(0, MAX_TEXT) ?? '']
  return { source, eventSources: named.filter((token) => token !== '') }
}

const MAX_SIDE = 65_535

function describe(token: string, name: string | undefined, video: z.infer<typeof videoShape>) {
  const bounded = (value: number | undefined): number => (value !== undefined && value <= MAX_SIDE ? value : 0)
  return {
    token,
    name: (name || token).slice(0, MAX_TEXT),
    encoding: (video.Encoding ?? '').slice(0, 32),
    width: bounded(video.Resolution?.Width),
    height: bounded(video.Resolution?.Height),
    framesPerSecond: bounded(video.RateControl?.FrameRateLimit),
    kilobitsPerSecond: video.RateControl?.BitrateLimit ?? 0,
  }
}

/** By Media2, then by the older service: profiles of both have the same token. */
async function streamOf(
  client: OnvifClient,
  { media, media2 }: Pick<OnvifServices, 'media' | 'media2'>,
  token: string,
): Promise<Result<RtspAddress, CameraFault>> {
  const profile = `<o:ProfileToken>${escapeXml(token)}</o:ProfileToken>`
  const operation = 'GetStreamUri'
  const ask2 = async (service: OnvifService) => {
    const content = `<o:Protocol>RTSP</o:Protocol>${profile}`
    const reply = await client.call({ service, namespace: MEDIA2, operation, content, shape: uri2Shape })
    return reply.ok ? toAddress(reply.value.value.Uri, service) : reply
  }
  const ask = async (service: OnvifService) => {
    const setup =
      `<o:StreamSetup><Stream xmlns="${SCHEMA}">RTP-Unicast</Stream>` +
      `<Transport xmlns="${SCHEMA}"><Protocol>RTSP</Protocol></Transport></o:StreamSetup>`
    const content = `${setup}${profile}`
    const reply = await client.call({ service, namespace: MEDIA, operation, content, shape: uriShape })
    return reply.ok ? toAddress(reply.value.value.MediaUri.Uri, service) : reply
  }
  const newer = media2 === undefined ? undefined : await ask2(media2)
  if (newer?.ok) return newer
  const older = media === undefined ? undefined : await ask(media)
  return older ?? newer ?? fail(fault('noVideo', 'the camera reports no media service'))
}

function toAddress(named: string, service: OnvifService): Result<RtspAddress, CameraFault> {
  // A few cameras put user and password into the address; ours are sent separately.
  const address = parseRtspAddress(named.replace(/^(rtsps?:\/\/)[^/@]*@/i, '$1'))
  if (!address.ok) return fail(fault('badReply', 'expected an rtsp URL of the stream, got something else'))
  return ok({ ...address.value, host: service.address.host })
}
