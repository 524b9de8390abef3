/** An audio output with one sample rate; times are in seconds of its own clock. */
export interface Speaker {
  /** The earliest time at which sound can still be scheduled. */
  now(): number
  /** The time of the sound that is audible now, which was output slightly earlier. */
  audibleNow(): number
  isBlocked(): boolean
  /** From 0 to 1. */
  setVolume(volume: number): void
  bufferOf(data: AudioData): AudioBuffer
  play(buffer: AudioBuffer, at: number): AudioBufferSourceNode
  release(): void
}

interface Shared {
  readonly context: AudioContext
  holders: number
}

/** One per sample rate, so that packets join without resampling. They are reused, because browsers limit them per page. */
const speakers = new Map<number, Shared>()

/** Browsers block a page's sound until one of these events. */
const GESTURES = ['pointerdown', 'keydown'] as const

/** Calls `onBlocked` whenever the browser starts or stops blocking sound. */
export function holdSpeaker(sampleRate: number, onBlocked: (isBlocked: boolean) => void): Speaker {
  const shared = speakers.get(sampleRate) ?? { context: new AudioContext({ sampleRate }), holders: 0 }
  speakers.set(sampleRate, shared)
  shared.holders += 1
  const { context } = shared
  const leaving = new AbortController()
  const { signal } = leaving
  const gain = context.createGain()
  gain.connect(context.destination)
  const isBlocked = () => context.state !== 'running'
  const resume = () => {
    // Fails while the browser blocks sound; the next gesture tries again.
    context.resume().catch(() => undefined)
  }
  context.addEventListener('statechange', () => onBlocked(isBlocked()), { signal })
  for (const gesture of GESTURES) document.addEventListener(gesture, resume, { signal, capture: true })
  resume()
  onBlocked(isBlocked())
  return {
    now: () => context.currentTime,
    audibleNow: () => context.currentTime - latencyOf(context),
    isBlocked,
    setVolume(volume) {
      // Squared, so that the perceived loudness follows the slider.
      gain.gain.setTargetAtTime(volume ** 2, context.currentTime, 0.02)
    },
    bufferOf(data) {
      const { numberOfChannels: channels, numberOfFrames: frames, sampleRate: rate } = data
      const buffer = context.createBuffer(channels, frames, rate)
      for (let channel = 0; channel < channels; channel += 1) {
        data.copyTo(buffer.getChannelData(channel), { planeIndex: channel, format: 'f32-planar' })
      }
      return buffer
    },
    play(buffer, at) {
      const node = context.createBufferSource()
      node.buffer = buffer
      node.connect(gain)
      node.start(at)
      return node
    },
    release() {
      leaving.abort()
      gain.disconnect()
      shared.holders -= 1
      if (shared.holders === 0) context.suspend().catch(() => undefined)
    },
  }
}

const latencyOf = (context: AudioContext): number => context.outputLatency || context.baseLatency || 0
