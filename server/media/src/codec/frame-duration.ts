import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { AAC_FRAME_SAMPLES } from './aac.ts'
import { OPUS_RATE, opusPacketSamples } from './opus.ts'

/** How long a frame of AAC or Opus is heard, in ticks. */
export function soundFrameTicks(frame: Uint8Array | undefined, track: TrackConfig | undefined): number {
  if (track?.codec === 'opus') {
    return (((frame && opusPacketSamples(frame)) ?? OPUS_RATE / 50) * TICKS_PER_SECOND) / OPUS_RATE
  }
  const rate = track?.kind === 'audio' ? track.sampleRate : OPUS_RATE
  return Math.floor((AAC_FRAME_SAMPLES * TICKS_PER_SECOND) / rate)
}
