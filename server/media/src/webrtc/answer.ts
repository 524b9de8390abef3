import { fail, ok, type Result } from '@sightline/platform/result'
import type { TrackConfig } from '../frame/index.ts'
import type { Codec, Offer, OfferedMedia } from './offer.ts'

/** A track with the place in the offer that it is sent at. */
export interface ChosenTrack {
  readonly track: TrackConfig
  readonly media: OfferedMedia
  readonly codec: Codec
}

export interface ChosenTracks {
  readonly video: ChosenTrack
  /** Undefined if the viewer gets no sound. */
  readonly sound: ChosenTrack | undefined
}

export interface LocalTransport {
  readonly ufrag: string
  readonly password: string
  /** In the notation of SDP: `AB:CD:…`. */
  readonly fingerprint: string
  readonly addresses: readonly string[]
  readonly port: number
}

/** Profiles of H.264 whose decoders play more than their name says, the best first: High, High 4:4:4, Main, Baseline. */
const PROFILES = ['64', 'f4', '4d', '42'] as const

/** Which of the tracks the viewer gets; one sentence if it can't play the pictures. */
export function chooseTracks(offer: Offer, tracks: readonly TrackConfig[]): Result<ChosenTracks, string> {
  const picture = tracks.find((track) => track.kind === 'video')
  const media = offer.media.find(({ kind }) => kind === 'video')
  if (picture === undefined || media === undefined) return fail('The camera sends no video now.')
  const codec = picture.codec === 'h264' ? chooseH264(media.codecs, profileOf(picture)) : chooseH265(media.codecs)
  if (codec === undefined)
    return fail(
      picture.codec === 'h264'
        ? 'The camera sends H.264, and the offer has no H.264 with packetization-mode=1.'
        : 'The camera sends H.265, and the offer doesn’t take it. Request another stream, for example stream=sub.',
    )
  return ok({ video: { track: picture, media, codec }, sound: chooseSound(offer, media, tracks) })
}

/** Profile, constraints and level, as six hexadecimal digits. */
function profileOf({ parameterSets }: Extract<TrackConfig, { kind: 'video' }>): string {
  const [, profile = 0, constraints = 0, level = 0] = parameterSets[0] ?? []
  return Buffer.of(profile, constraints, level).toString('hex')
}

/**
 * The one with the stream's profile, and its level; otherwise the one whose decoder does most. Browsers offer few profiles and decode
 * others as well.
 */
function chooseH264(codecs: readonly Codec[], own: string): Codec | undefined {
  const usable = codecs.filter(
    ({ name, parameters }) => name === 'h264' && parameters.get('packetization-mode') === '1',
  )
  const offered = ({ parameters }: Codec) => (parameters.get('profile-level-id') ?? '42001f').toLowerCase()
  const exact =
    usable.find((codec) => offered(codec).slice(0, 4) === own.slice(0, 4)) ??
    usable.find((codec) => offered(codec).slice(0, 2) === own.slice(0, 2))
  if (exact !== undefined) {
    const level = offered(exact).slice(0, 4) + own.slice(4)
    return { ...exact, parameters: new Map(exact.parameters).set('profile-level-id', level) }
  }
  return PROFILES.flatMap((profile) => usable.filter((codec) => offered(codec).startsWith(profile)))[0] ?? usable[0]
}

const chooseH265 = (codecs: readonly Codec[]): Codec | undefined => codecs.find(({ name }) => name === 'h265')

/** Only in the transport of the pictures. */
function chooseSound(offer: Offer, video: OfferedMedia, tracks: readonly TrackConfig[]): ChosenTrack | undefined {
  const track = tracks.find((each) => each.kind === 'audio')
  const media = offer.media.find(({ kind }) => kind === 'audio')
  if (track?.kind !== 'audio' || media === undefined || !isBundled(offer, video, media)) return undefined
  if (media.direction === 'sendonly' || media.direction === 'inactive') return undefined
  const isPlain = track.codec === 'opus' || (track.sampleRate === 8000 && track.channels === 1)
  const codec = media.codecs.find(({ name }) => name === track.codec)
  return isPlain && codec !== undefined ? { track, media, codec } : undefined
}

const isBundled = (offer: Offer, video: OfferedMedia, media: OfferedMedia): boolean =>
  media === video || (offer.bundle.includes(video.mid) && offer.bundle.includes(media.mid))

export interface AnswerInput {
  readonly offer: Offer
  readonly chosen: ChosenTracks
  readonly local: LocalTransport
  readonly ssrcs: { readonly video: number; readonly sound: number }
  readonly cname: string
  /** Why there is no sound, if the viewer asked for it. */
  readonly soundNote: string | undefined
}

/** A session description that sends to the viewer from one address and port. */
export function writeAnswer(input: AnswerInput): string {
  const { offer, chosen } = input
  const isSilent = (media: OfferedMedia) =>
    media.kind === 'audio' && media.formats.length > 0 && isBundled(offer, chosen.video.media, media)
  const sections = offer.media.map((media) => {
    if (media === chosen.video.media) return sent(input, chosen.video, input.ssrcs.video)
    if (media === chosen.sound?.media) return sent(input, chosen.sound, input.ssrcs.sound)
    return isSilent(media) ? silent(input, media) : refused(media)
  })
  const used = offer.media.filter((media) => media === chosen.video.media || isSilent(media)).map(({ mid }) => mid)
  const session = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=Live', 't=0 0', 'a=ice-lite']
  const group = offer.bundle.length === 0 ? [] : [`a=group:BUNDLE ${used.join(' ')}`]
  return `${[...session, ...group, 'a=msid-semantic: WMS live', ...sections.flat()].join('\r\n')}\r\n`
}

const FEEDBACK = ['nack', 'nack pli', 'ccm fir']

function sent(input: AnswerInput, { media, codec, track }: ChosenTrack, ssrc: number): readonly string[] {
  const { payloadType: type, parameters } = codec
  const wanted = [...parameters].filter(([name]) => name !== '').map(([name, value]) => `${name}=${value}`)
  return [
    `m=${media.kind} ${input.local.port} ${media.protocol} ${type}`,
    ...transport(input.local, media),
    'a=sendonly',
    `a=msid:live ${media.kind}`,
    `a=rtpmap:${type} ${formatOf(track)}`,
    ...(wanted.length > 0 ? [`a=fmtp:${type} ${wanted.join(';')}`] : []),
    ...FEEDBACK.filter((each) => codec.feedback.includes(each)).map((each) => `a=rtcp-fb:${type} ${each}`),
    `a=ssrc:${ssrc} cname:${input.cname}`,
    `a=ssrc:${ssrc} msid:live ${media.kind}`,
  ]
}

function formatOf({ kind, codec }: TrackConfig): string {
  if (kind === 'video') return `${codec.toUpperCase()}/90000`
  return codec === 'opus' ? 'opus/48000/2' : `${codec.toUpperCase()}/8000`
}

/** It stays in the group, so that viewers that list sound first find their transport. */
function silent({ local, soundNote }: AnswerInput, media: OfferedMedia): readonly string[] {
  const map = media.codecs.slice(0, 1).map(({ payloadType, name, clockRate }) => {
    return `a=rtpmap:${payloadType} ${name}/${clockRate}${name === 'opus' ? '/2' : ''}`
  })
  return [
    `m=audio ${local.port} ${media.protocol} ${media.codecs[0]?.payloadType ?? media.formats[0]}`,
    ...(soundNote === undefined ? [] : [`i=${soundNote}`]),
    ...transport(local, media),
    'a=inactive',
    ...map,
  ]
}

const refused = ({ kind, protocol, formats, mid }: OfferedMedia): readonly string[] => [
  `m=${kind} 0 ${protocol} ${formats[0] ?? 0}`,
  'c=IN IP4 0.0.0.0',
  ...(mid === '' ? [] : [`a=mid:${mid}`]),
  'a=inactive',
]

function transport({ ufrag, password, fingerprint, addresses, port }: LocalTransport, { mid }: OfferedMedia) {
  const first = addresses[0] ?? '127.0.0.1'
  return [
    `c=IN ${first.includes(':') ? 'IP6' : 'IP4'} ${first}`,
    ...(mid === '' ? [] : [`a=mid:${mid}`]),
    'a=rtcp-mux',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:passive',
    ...addresses.map((address, index) => `a=candidate:1 1 udp ${2_130_706_431 - index} ${address} ${port} typ host`),
    'a=end-of-candidates',
  ]
}
