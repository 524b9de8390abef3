import type { TrackConfig } from '../frame/index.ts'

/** Sample entries of G.711, which RFC 6381 does not know; no browser plays them from MP4. */
const isG711 = (track: TrackConfig): boolean => track.codec === 'pcma' || track.codec === 'pcmu'

/** The media type for `MediaSource.isTypeSupported`: `video/mp4; codecs="avc1.4d0028,mp4a.40.2"`, codecs in track order. */
export function mime(tracks: readonly TrackConfig[]): string {
  const container = tracks.some((track) => track.kind === 'video') ? 'video/mp4' : 'audio/mp4'
  return `${container}; codecs="${tracks.map((track) => track.codecString).join(',')}"`
}

/**
 * The tracks that a browser can play in fragmented MP4: all but G.711. Only the browser knows whether it has the
 * decoder.
 */
export function browserTracks(tracks: readonly TrackConfig[]): readonly TrackConfig[] {
  return tracks.filter((track) => !isG711(track))
}
