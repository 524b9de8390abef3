import type { TrackConfig } from '../frame/index.ts'
import type { Hub, HubMessage } from '../hub/index.ts'
import { LoudnessDetector, type LoudnessTransition } from '../sound/index.ts'
import { DecodedSound, type SoundDecoding } from './decoded-sound.ts'
import type { Detections } from './detections.ts'
import type { RecordingSwitch } from './recording-switch.ts'

export interface SoundWatchDeps {
  readonly hub: Hub
  /** A camera that isn't to be recorded isn't listened to. */
  readonly recording: RecordingSwitch
  readonly detections: Detections
  /** For AAC and Opus; without it, only G.711 is listened to. */
  readonly decoding?: SoundDecoding | undefined
  readonly onBug: (err: unknown) => void
}

const QUEUE_BYTES = 1024 * 1024

/** Looks for loud sounds in a camera's G.711 until it is disposed of, and in other codecs if there is a decoder. */
export function watchSound(deps: SoundWatchDeps): AsyncDisposable {
  const stopping = new AbortController()
  const watching = watchWhileWanted(deps, stopping.signal).catch(deps.onBug)
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await watching
    },
  }
}

async function watchWhileWanted(deps: SoundWatchDeps, stopping: AbortSignal): Promise<void> {
  const { recording, detections } = deps
  while (!stopping.aborted) {
    await recording.untilOn(stopping)
    await detections.sound.untilOn(stopping)
    await listen(deps, AbortSignal.any([stopping, recording.off, detections.sound.off]))
  }
}

async function listen({ hub, detections, decoding }: SoundWatchDeps, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await using reader = hub.join({ maxQueuedBytes: QUEUE_BYTES, start: 'running-gop' })
  const leave = () => reader.leave()
  signal.addEventListener('abort', leave, { once: true })
  const ear = new Ear(detections, decoding)
  for (let message = await reader.next(); message !== undefined; message = await reader.next()) await ear.hear(message)
  signal.removeEventListener('abort', leave)
  await ear.end()
}

/** Follows one stream, whose tracks may change. */
class Ear {
  readonly #detections: Detections
  readonly #decoding: SoundDecoding | undefined
  #detector: LoudnessDetector | undefined
  #decoded: DecodedSound | undefined
  #track = -1

  constructor(detections: Detections, decoding: SoundDecoding | undefined) {
    this.#detections = detections
    this.#decoding = decoding
  }

  async hear(message: HubMessage): Promise<void> {
    if (message.kind === 'tracks') {
      await this.end()
      this.#track = message.tracks.findIndex(({ kind }) => kind === 'audio')
      this.#open(message.tracks[this.#track])
    } else if (message.kind === 'ended') await this.end()
    else if (message.kind === 'unit' && message.track === this.#track) {
      if (this.#decoded !== undefined) this.#decoded.push(message.unit)
      else for (const samples of message.unit.units) this.#measure(message.unit.wallClock, samples)
    }
  }

  async end(): Promise<void> {
    const decoded = this.#decoded
    this.#decoded = undefined
    this.#pass(this.#detector?.end())
    await decoded?.stop()
  }

  #open(track: TrackConfig | undefined): void {
    this.#detector = undefined
    if (track?.kind !== 'audio') return
    if (track.codec === 'pcma' || track.codec === 'pcmu') this.#detector = new LoudnessDetector(track.codec)
    else if (this.#decoding !== undefined) {
      // What the decoder gives out.
      this.#detector = new LoudnessDetector('pcmu')
      this.#decoded = new DecodedSound(this.#decoding, track, (at, samples) => this.#measure(at, samples))
    }
  }

  #measure(at: number, samples: Uint8Array): void {
    this.#pass(this.#detector?.add(at, samples, this.#detections.settings.audio.sensitivity))
  }

  #pass(change: LoudnessTransition | undefined): void {
    if (change?.kind === 'begins') this.#detections.begin('audio', change.at, 'server')
    if (change?.kind === 'ends') this.#detections.end('audio', change.at, 'server')
  }
}
