import workletUrl from './microphone-worklet.ts?worker&url'
import type { SpeechFrame } from './speech-encoder.ts'

/** Why the microphone can't be used. */
export type MicrophoneFault = 'insecure' | 'denied' | 'missing' | 'broken'

export class NoMicrophone extends Error {
  readonly fault: MicrophoneFault

  constructor(fault: MicrophoneFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

export interface Microphone {
  close(): void
}

/** G.711 has nothing above; what is left of it would be heard as noise. */
const HIGHEST_HZ = 3400

/**
 * Opens the microphone; the browser may ask the user first. Echoes and noise are removed by the browser.
 * @throws {NoMicrophone}
 */
export async function openMicrophone(onFrame: (frame: SpeechFrame) => void): Promise<Microphone> {
  // Browsers have it only on pages over HTTPS, and on the computer itself.
  if (!window.isSecureContext || navigator.mediaDevices === undefined) throw new NoMicrophone('insecure')
  const stream = await listen()
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  const context = new AudioContext()
  try {
    await context.audioWorklet.addModule(workletUrl)
    const source = context.createMediaStreamSource(stream)
    const worklet = new AudioWorkletNode(context, 'microphone', {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
    })
    worklet.port.onmessage = ({ data }: MessageEvent<SpeechFrame>) => onFrame(data)
    const filters = [HIGHEST_HZ, HIGHEST_HZ].map(
      (frequency) => new BiquadFilterNode(context, { type: 'lowpass', frequency }),
    )
    ;[...filters, worklet].reduce((from: AudioNode, to) => from.connect(to), source)
    await context.resume()
  } catch (cause) {
    stop()
    void context.close()
    throw new NoMicrophone('broken', { cause })
  }
  return {
    close() {
      stop()
      void context.close()
    },
  }
}

async function listen(): Promise<MediaStream> {
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }
  try {
    return await navigator.mediaDevices.getUserMedia({ audio })
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : ''
    if (name === 'NotAllowedError') throw new NoMicrophone('denied', { cause })
    throw new NoMicrophone(name === 'NotFoundError' ? 'missing' : 'broken', { cause })
  }
}
