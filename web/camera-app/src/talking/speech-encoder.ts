/** Makes G.711 µ-law of what a microphone hears: 8000 samples a second, in frames of 20 ms (ITU-T G.711). */

const RATE = 8000
/** 20 ms. */
export const FRAME_SAMPLES = 160
const BIAS = 0x84
const CLIP = 32_635

/** The code of one sample between -1 and 1. */
export function toMuLaw(sample: number): number {
  const value = Math.round(sample * 32_768)
  const sign = value < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(value), CLIP) + BIAS
  const segment = 31 - Math.clz32(magnitude) - 7
  const step = (magnitude >> (segment + 3)) & 0x0f
  return ~(sign | (segment << 4) | step) & 0xff
}

export interface SpeechFrame {
  readonly sound: Uint8Array<ArrayBuffer>
  /** The loudest sample, from 0 to 1. */
  readonly level: number
}

/** Takes what a microphone hears, without frequencies above 4 kHz, at its own rate. */
export class SpeechEncoder {
  readonly #step: number
  readonly #onFrame: (frame: SpeechFrame) => void
  /** Where the next sample is, in samples of the microphone after the last one of the previous call. */
  #next = 0
  #last = 0
  #frame = new Uint8Array(FRAME_SAMPLES)
  #filled = 0
  #level = 0

  constructor(sampleRate: number, onFrame: (frame: SpeechFrame) => void) {
    this.#step = sampleRate / RATE
    this.#onFrame = onFrame
  }

  push(samples: Float32Array): void {
    let at = this.#next
    for (; at < samples.length; at += this.#step) this.#add(this.#between(samples, at))
    this.#next = at - samples.length
    this.#last = samples.at(-1) ?? this.#last
  }

  /** The sound between two samples, on a straight line. `at` 0 is the last sample of the previous call. */
  #between(samples: Float32Array, at: number): number {
    const index = Math.floor(at)
    const before = index === 0 ? this.#last : (samples[index - 1] ?? 0)
    const after = samples[index] ?? before
    return before + (after - before) * (at - index)
  }

  #add(sample: number): void {
    this.#level = Math.max(this.#level, Math.abs(sample))
    this.#frame[this.#filled++] = toMuLaw(sample)
    if (this.#filled < FRAME_SAMPLES) return
    this.#onFrame({ sound: this.#frame, level: Math.min(1, this.#level) })
    this.#frame = new Uint8Array(FRAME_SAMPLES)
    this.#filled = 0
    this.#level = 0
  }
}
