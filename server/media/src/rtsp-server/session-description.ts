import { rtpClock } from '../codec/index.ts'
import type { TrackConfig } from '../frame/index.ts'

const FIRST_DYNAMIC_TYPE = 96

/** G.711 at 8000 Hz has types of its own (RFC 3551 table 4). */
export function payloadType(track: TrackConfig, index: number): number {
  const isPlain = track.kind === 'audio' && track.sampleRate === 8000 && track.channels === 1
  if (isPlain && track.codec === 'pcmu') return 0
  if (isPlain && track.codec === 'pcma') return 8
  return FIRST_DYNAMIC_TYPE + index
}

export interface SessionRange {
  readonly name: 'Live' | 'Recording'
  /** As in a `Range` header. */
  readonly ranges: readonly string[]
}

export const LIVE: SessionRange = { name: 'Live', ranges: ['npt=now-'] }

/** What a client reads before it plays (RFC 8866, RFC 2326 C.1, of recordings ONVIF Streaming §6.2). `control` is the address before a track's number. */
export function describeSession(
  tracks: readonly TrackConfig[],
  control: string,
  { name, ranges }: SessionRange = LIVE,
): string {
  const media = tracks.flatMap((track, index) => [
    `m=${track.kind} 0 RTP/AVP ${payloadType(track, index)}`,
    ...formatOf(track, payloadType(track, index)),
    `a=control:${control}${index}`,
    ...(name === 'Recording' ? [`a=x-onvif-track:${track.kind.toUpperCase()}001`] : []),
  ])
  const session = [
    'v=0',
    'o=- 0 0 IN IP4 0.0.0.0',
    `s=${name}`,
    'c=IN IP4 0.0.0.0',
    't=0 0',
    'a=control:*',
    ...ranges.map((range) => `a=range:${range}`),
  ]
  return `${[...session, ...media].join('\r\n')}\r\n`
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

function formatOf(track: TrackConfig, type: number): readonly string[] {
  if (track.kind === 'audio') return soundFormat(track, type)
  const sets = track.parameterSets
  if (track.codec === 'h264') {
    const [, profile = 0, constraints = 0, level = 0] = sets[0] ?? []
    const profileLevel = Buffer.of(profile, constraints, level).toString('hex')
    const parameters = `packetization-mode=1;profile-level-id=${profileLevel};sprop-parameter-sets=${sets.map(base64).join(',')}`
    return [`a=rtpmap:${type} H264/90000`, `a=fmtp:${type} ${parameters}`]
  }
  const ofType = (wanted: number) => sets.filter(([first = 0]) => ((first >> 1) & 0x3f) === wanted).map(base64)
  const sprops = (['vps', 'sps', 'pps'] as const).map((name, at) => `sprop-${name}=${ofType(32 + at).join(',')}`)
  return [`a=rtpmap:${type} H265/90000`, `a=fmtp:${type} ${sprops.join(';')}`]
}

/** RFC 3640 §4.1 for AAC, RFC 7587 §7 for Opus, which always says two channels. */
function soundFormat(track: Extract<TrackConfig, { kind: 'audio' }>, type: number): readonly string[] {
  const { codec, channels, config } = track
  const rate = rtpClock(track)
  if (codec === 'opus') return [`a=rtpmap:${type} opus/${rate}/2`]
  if (codec !== 'aac') return [`a=rtpmap:${type} ${codec.toUpperCase()}/${rate}/${channels}`]
  const packing = 'streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3'
  return [
    `a=rtpmap:${type} MPEG4-GENERIC/${rate}/${channels}`,
    `a=fmtp:${type} ${packing};config=${Buffer.from(config).toString('hex')}`,
  ]
}
