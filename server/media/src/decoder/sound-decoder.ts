import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { adtsFramer } from './adts.ts'
import { oggFramer } from './ogg.ts'
import { startDecoder, untilEnded } from './sandbox.ts'

type AudioTrack = Extract<TrackConfig, { kind: 'audio' }>

/** A decoder of sound that runs as long as its camera. */
export interface SoundDecoder extends Disposable {
  /** The next frame, as the camera sent it. */
  push(frame: AccessUnit): void
  /** Resolves when the process is gone, with its complaint; the text is empty if it was disposed of. */
  readonly ended: Promise<string>
}

export interface SoundDecoderOptions {
  readonly ffmpeg: string
  readonly track: AudioTrack
  /** Sound in G.711 µ-law, 8000 samples a second, one byte each; `at` is the time of the first, milliseconds since 1970. */
  readonly onSound: (at: number, samples: Uint8Array) => void
}

/** A decoder that doesn't read fast enough misses sound. */
const MAX_WAITING_BYTES = 1024 * 1024
const PROCESSOR_SECONDS = 6 * 3600
const SAMPLES_PER_MS = 8

interface Framing {
  readonly format: string
  readonly start: Uint8Array
  readonly frame: (frame: Uint8Array) => Uint8Array
}

function framingOf({ codec, config }: AudioTrack): Framing | undefined {
  if (codec === 'opus') return { format: 'ogg', ...oggFramer(config) }
  const frame = codec === 'aac' ? adtsFramer(config) : undefined
  return frame && { format: 'aac', start: new Uint8Array(), frame }
}

/** Starts ffmpeg for the sound of one stream; undefined if it can't be given to a decoder. */
export function startSoundDecoder({ ffmpeg, track, onSound }: SoundDecoderOptions): SoundDecoder | undefined {
  const framing = framingOf(track)
  if (framing === undefined) return undefined
  const input = ['-probesize', '32', '-analyzeduration', '0', '-f', framing.format, '-i', 'pipe:0']
  const output = ['-vn', '-ac', '1', '-ar', '8000', '-f', 'mulaw', '-flush_packets', '1', 'pipe:1']
  const child = startDecoder(ffmpeg, [...input, ...output], { processorSeconds: PROCESSOR_SECONDS })
  let isDisposed = false
  let pushedAt = 0
  let soundAt = 0
  child.stdout.on('data', (samples: Buffer) => {
    if (isDisposed) return
    // What comes out is what was given last: the decoder keeps a few frames at most.
    soundAt = Math.max(soundAt, pushedAt - samples.length / SAMPLES_PER_MS)
    onSound(soundAt, samples)
  })
  const ended = untilEnded(child, () => isDisposed)
  child.stdin.write(framing.start)
  return {
    ended,
    push({ wallClock, units }) {
      if (isDisposed || !child.stdin.writable || child.stdin.writableLength > MAX_WAITING_BYTES) return
      pushedAt = wallClock
      for (const unit of units) child.stdin.write(framing.frame(unit))
    },
    [Symbol.dispose]() {
      isDisposed = true
      child.kill('SIGKILL')
    },
  }
}
