import { fail, ok, type Result } from '@sightline/platform/result'
import { aacTrack, G711_RATE, g711Track, OPUS_RATE, opusTrack } from '../../codec/index.ts'
import { TICKS_PER_SECOND, type TrackConfig } from '../../frame/index.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { type DepacketizeAudio, depacketizeAac, wholePayload } from './depacketize-audio.ts'
import { h264Format, h265Format, type VideoFormat } from './parameter-sets.ts'
import type { Sdp, SdpMedia } from './sdp.ts'

/** What of a session is played: one picture track, and sound if we can carry it. */
export interface MediaChoice {
  readonly video: ChosenVideo
  readonly audio: ChosenAudio | undefined
}

export interface ChosenVideo {
  readonly media: SdpMedia
  readonly format: VideoFormat
  readonly parameterSets: readonly Uint8Array[]
}

export interface ChosenAudio {
  readonly media: SdpMedia
  readonly depacketize: DepacketizeAudio
  readonly track: TrackConfig
}

/** Chooses the first supported video and audio, because the camera's order is its preference. */
export function chooseMedia(sdp: Sdp): Result<MediaChoice, CameraFault> {
  const offered = sdp.media.filter((media) => !media.isBackChannel)
  const videos = offered.filter((media) => media.kind === 'video')
  if (videos.length === 0) return fail(fault('noVideo', 'the session has no video'))
  const video = firstOf(videos, chooseVideo)
  if (video === undefined) {
    const names = videos.map((media) => media.encoding || `type ${media.payloadType}`).join(', ')
    return fail(fault('unsupportedCodec', `expected H264 or H265, the camera offers ${quoted(names)}`))
  }
  const audio = firstOf(
    offered.filter((media) => media.kind === 'audio'),
    chooseAudio,
  )
  return ok({ video, audio })
}

function firstOf<Item, Choice>(items: readonly Item[], choose: (item: Item) => Choice | undefined): Choice | undefined {
  for (const item of items) {
    const choice = choose(item)
    if (choice !== undefined) return choice
  }
  return undefined
}

function chooseVideo(media: SdpMedia): ChosenVideo | undefined {
  if (media.clockRate !== TICKS_PER_SECOND) return undefined
  if (media.encoding === 'H264' && media.parameters.get('packetization-mode') !== '2') {
    return { media, format: h264Format, parameterSets: base64List(media.parameters.get('sprop-parameter-sets')) }
  }
  const usesOrderNumbers = Number(media.parameters.get('sprop-max-don-diff') ?? '0') > 0
  if (media.encoding !== 'H265' || usesOrderNumbers) return undefined
  const sets = ['sprop-vps', 'sprop-sps', 'sprop-pps'].flatMap((name) => base64List(media.parameters.get(name)))
  return { media, format: h265Format, parameterSets: sets }
}

const base64List = (text: string | undefined): readonly Uint8Array[] =>
  (text ?? '')
    .split(',', 16)
    .map((part) => Uint8Array.from(Buffer.from(part, 'base64')))
    .filter((set) => set.length > 0)

function chooseAudio(media: SdpMedia): ChosenAudio | undefined {
  switch (media.encoding) {
    case 'MPEG4-GENERIC':
      return chooseAac(media)
    case 'PCMA':
    case 'PCMU':
      if (media.clockRate !== G711_RATE || media.channels > 2) return undefined
      return {
        media,
        depacketize: wholePayload,
        track: g711Track(media.encoding === 'PCMA' ? 'pcma' : 'pcmu', media.channels),
      }
    case 'OPUS':
      if (media.clockRate !== OPUS_RATE) return undefined
      // The SDP always says two channels (RFC 7587 §7); only the encoder knows whether they differ.
      return { media, depacketize: wholePayload, track: opusTrack(2) }
    default:
      return undefined
  }
}

function chooseAac(media: SdpMedia): ChosenAudio | undefined {
  const bits = (name: string): number => Math.min(Number(media.parameters.get(name) ?? '0') || 0, 32)
  const indexLength = bits('indexlength')
  const depacketize = depacketizeAac({
    sizeLength: bits('sizelength'),
    indexLength,
    indexDeltaLength: media.parameters.has('indexdeltalength') ? bits('indexdeltalength') : indexLength,
  })
  const track = aacTrack(Uint8Array.from(Buffer.from(media.parameters.get('config') ?? '', 'hex')))
  return depacketize === undefined || track === undefined ? undefined : { media, depacketize, track }
}
