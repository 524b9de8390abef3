import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'

/** How the pieces of a stream are addressed, relative to the playlist. */
export interface PieceAddresses {
  readonly init: (map: number) => string
  readonly segment: (number: number) => string
  readonly part: (number: number, part: number) => string
}

/** A part of a live segment, as a playlist tells of it. */
export interface NamedPart {
  /** Ticks. */
  readonly duration: number
  /** It begins with a key picture. */
  readonly isIndependent: boolean
}

export interface ListedSegment {
  readonly number: number
  /** Ticks. */
  readonly duration: number
  /** Number of the initialization segment that it needs. */
  readonly map: number
  /** Its media times don't continue those of the segment before. */
  readonly isDiscontinuous: boolean
  /** Of its first picture, milliseconds since 1970. */
  readonly wallClock: number
}

const seconds = (ticks: number): string => (ticks / TICKS_PER_SECOND).toFixed(5)

/** What precedes a segment: the break before it, how it is initialized, and when it was taken. */
export function segmentHead(
  segment: Omit<ListedSegment, 'duration'>,
  before: Pick<ListedSegment, 'map'> | undefined,
  { init }: Pick<PieceAddresses, 'init'>,
): readonly string[] {
  const { isDiscontinuous, map, wallClock } = segment
  const isNewMap = before === undefined || before.map !== map || isDiscontinuous
  return [
    ...(isDiscontinuous ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(isNewMap ? [`#EXT-X-MAP:URI="${init(map)}"`] : []),
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(wallClock).toISOString()}`,
  ]
}

export const segmentLines = (
  { number, duration }: Pick<ListedSegment, 'number' | 'duration'>,
  { segment }: Pick<PieceAddresses, 'segment'>,
): readonly string[] => [`#EXTINF:${seconds(duration)},`, segment(number)]

export const partLine = (part: NamedPart, address: string): string =>
  `#EXT-X-PART:DURATION=${seconds(part.duration)},URI="${address}"${part.isIndependent ? ',INDEPENDENT=YES' : ''}`

/** How much a camera sends isn't known before: players that choose between streams need a number (RFC 8216 §4.3.4.2). */
const ASSUMED_BITS_PER_SECOND = 4_000_000

/** The first playlist: one stream, its codecs and size, and where its media playlist is. */
export function variantPlaylist(tracks: readonly TrackConfig[], media: string): string {
  const video = tracks.find((track) => track.kind === 'video')
  const size = video === undefined ? '' : `,RESOLUTION=${video.width}x${video.height}`
  const codecs = tracks.map(({ codecString }) => codecString).join(',')
  const stream = `#EXT-X-STREAM-INF:BANDWIDTH=${ASSUMED_BITS_PER_SECOND},CODECS="${codecs}"${size}`
  return `${['#EXTM3U', '#EXT-X-VERSION:7', stream, media].join('\n')}\n`
}
