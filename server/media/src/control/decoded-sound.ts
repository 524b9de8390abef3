import type { Semaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { SoundDecoder, SoundDecoderOptions } from '../decoder/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'

type AudioTrack = Extract<TrackConfig, { kind: 'audio' }>

/** How sound that only a decoder understands is decoded. */
export interface SoundDecoding {
  readonly cameraId: number
  /** How many cameras may be listened to with a decoder at once. */
  readonly places: Semaphore<'sound'>
  /** Undefined for sound that can't be given to the decoder. */
  readonly startDecoder: (options: Omit<SoundDecoderOptions, 'ffmpeg'>) => SoundDecoder | undefined
  readonly log: Logger
}

/** A decoder that ended, or found no place, is tried again with the next sound after this time. */
const RETRY_MS = 10_000

/** The decoder of one track, started with its first sound and again after it ends. */
export class DecodedSound {
  readonly #deps: SoundDecoding
  readonly #track: AudioTrack
  readonly #onSound: SoundDecoderOptions['onSound']
  #decoder: SoundDecoder | undefined
  #retryAt = 0
  #isFullSaid = false

  constructor(deps: SoundDecoding, track: AudioTrack, onSound: SoundDecoderOptions['onSound']) {
    this.#deps = deps
    this.#track = track
    this.#onSound = onSound
  }

  push(frame: AccessUnit): void {
    this.#decoder ??= this.#start()
    this.#decoder?.push(frame)
  }

  /** Resolves when the process is gone. */
  async stop(): Promise<void> {
    const decoder = this.#decoder
    this.#decoder = undefined
    this.#retryAt = Number.POSITIVE_INFINITY
    decoder?.[Symbol.dispose]()
    await decoder?.ended
  }

  #start(): SoundDecoder | undefined {
    const { places, startDecoder, log, cameraId } = this.#deps
    const now = performance.now()
    if (now < this.#retryAt) return undefined
    this.#retryAt = now + RETRY_MS
    const place = places.tryAcquire('sound')
    if (!place.ok) {
      if (!this.#isFullSaid) log.warn({ cameraId }, 'not listened to: SIGHTLINE_MOTION_CAMERAS other cameras are')
      this.#isFullSaid = true
      return undefined
    }
    const decoder = startDecoder({ track: this.#track, onSound: this.#onSound })
    if (decoder === undefined) place.value.release()
    void decoder?.ended.then((complaint) => {
      place.value.release()
      if (this.#decoder !== decoder) return
      this.#decoder = undefined
      log.warn({ cameraId, complaint }, 'the decoder for loud sounds ended; it starts again')
    })
    return decoder
  }
}
