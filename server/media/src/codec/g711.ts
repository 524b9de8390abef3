import type { TrackConfig } from '../frame/index.ts'

/** G.711 always runs at 8 kHz, one byte a sample (RFC 3551 §4.5.14). */
export const G711_RATE = 8000

/** `codecString` is the name in the WebCodecs registry; no browser supports G.711 in a media source. */
export function g711Track(codec: 'pcma' | 'pcmu', channels: number): Extract<TrackConfig, { kind: 'audio' }> {
  const codecString = codec === 'pcma' ? 'alaw' : 'ulaw'
  return { kind: 'audio', codec, codecString, sampleRate: G711_RATE, channels, config: new Uint8Array(0) }
}
