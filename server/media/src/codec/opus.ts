import type { TrackConfig } from '../frame/index.ts'

/** The clock of Opus in RTP and in files, whatever the coder does inside (RFC 7587 §4.1). */
export const OPUS_RATE = 48_000

/** Samples at 48 kHz of one frame, by the configuration number in the first byte (RFC 6716 table 2). */
function frameSamples(configuration: number): number {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration % 4] ?? 960
  if (configuration < 16) return configuration % 2 === 0 ? 480 : 960
  return [120, 240, 480, 960][configuration % 4] ?? 960
}

/** Samples at 48 kHz in one packet; undefined if the packet is not legal (RFC 6716 §3.1-3.2: at most 120 ms). */
export function opusPacketSamples(packet: Uint8Array): number | undefined {
  const toc = packet[0]
  if (toc === undefined) return undefined
  const code = toc & 3
  const frames = code === 3 ? (packet[1] ?? 0) & 0x3f : Math.min(code + 1, 2)
  const samples = frames * frameSamples(toc >> 3)
  return frames > 0 && samples <= 5760 ? samples : undefined
}

/** OpusHead (RFC 7845 §5.1) for mono or stereo: mapping family 0, no gain, no samples to skip. */
export function buildOpusHead(channels: 1 | 2): Uint8Array {
  const head = new Uint8Array(19)
  head.set(new TextEncoder().encode('OpusHead'))
  const view = new DataView(head.buffer)
  view.setUint8(8, 1)
  view.setUint8(9, channels)
  view.setUint32(12, OPUS_RATE, true)
  return head
}

/** Opus in RTP is always at most stereo (RFC 7587 §4.2). */
export function opusTrack(channels: 1 | 2): Extract<TrackConfig, { kind: 'audio' }> {
  return {
    kind: 'audio',
    codec: 'opus',
    codecString: 'opus',
    sampleRate: OPUS_RATE,
    channels,
    config: buildOpusHead(channels),
  }
}
