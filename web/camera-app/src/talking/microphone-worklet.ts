import { SpeechEncoder } from './speech-encoder.ts'

// The scope of audio worklets (Web Audio API §1.32), which TypeScript's libraries for pages don't know.
declare const sampleRate: number
declare const registerProcessor: (name: string, processor: unknown) => void
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}

/** Sends what the microphone hears to the page, in frames of 20 ms. */
class MicrophoneProcessor extends AudioWorkletProcessor {
  readonly #encoder = new SpeechEncoder(sampleRate, (frame) => this.port.postMessage(frame, [frame.sound.buffer]))

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const [samples] = input ?? []
    if (samples !== undefined) this.#encoder.push(samples)
    return true
  }
}

registerProcessor('microphone', MicrophoneProcessor)
