import type { Hub, HubMessage } from '../hub/index.ts'
import { LoudnessDetector, type LoudnessTransition } from '../sound/index.ts'
import type { Detections } from './detections.ts'
import type { RecordingSwitch } from './recording-switch.ts'

export interface SoundWatchDeps {
  readonly hub: Hub
  /** A camera that isn't to be recorded isn't listened to. */
  readonly recording: RecordingSwitch
  readonly detections: Detections
  readonly onBug: (err: unknown) => void
}

const QUEUE_BYTES = 1024 * 1024

/** Looks for loud sounds in a camera's G.711 until it is disposed of. Other codecs would need a decoder. */
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

async function listen({ hub, detections }: SoundWatchDeps, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await using reader = hub.join({ maxQueuedBytes: QUEUE_BYTES, start: 'running-gop' })
  const leave = () => reader.leave()
  signal.addEventListener('abort', leave, { once: true })
  const ear = new Ear(detections)
  for (let message = await reader.next(); message !== undefined; message = await reader.next()) ear.hear(message)
  signal.removeEventListener('abort', leave)
  ear.end()
}

/** Follows one stream, whose tracks may change. */
class Ear {
  readonly #detections: Detections
  #detector: LoudnessDetector | undefined
  #track = -1

  constructor(detections: Detections) {
    this.#detections = detections
  }

  hear(message: HubMessage): void {
    if (message.kind === 'tracks') {
      this.end()
      this.#track = message.tracks.findIndex(({ kind }) => kind === 'audio')
      const codec = message.tracks[this.#track]?.codec
      this.#detector = codec === 'pcma' || codec === 'pcmu' ? new LoudnessDetector(codec) : undefined
    } else if (message.kind === 'ended') this.end()
    else if (message.kind === 'unit' && message.track === this.#track) {
      const { sensitivity } = this.#detections.settings.audio
      for (const samples of message.unit.units)
        this.#pass(this.#detector?.add(message.unit.wallClock, samples, sensitivity))
    }
  }

  end(): void {
    this.#pass(this.#detector?.end())
  }

  #pass(change: LoudnessTransition | undefined): void {
    if (change?.kind === 'begins') this.#detections.begin('audio', change.at, 'server')
    if (change?.kind === 'ends') this.#detections.end('audio', change.at, 'server')
  }
}
