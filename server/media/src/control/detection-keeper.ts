import type { Db } from '@sightline/platform/db'
import { createSemaphore, type Semaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { GreyDecoder, GreyDecoderOptions, SoundDecoder, SoundDecoderOptions } from '../decoder/index.ts'
import type { CameraChannel } from './camera-channel.ts'
import { DetectionLog } from './detection-log.ts'
import { Detections } from './detections.ts'
import { insertDetections } from './event-store.ts'
import { watchMotion } from './motion-watch.ts'
import { watchSound } from './sound-watch.ts'

/** How the server looks for motion itself. */
export interface MotionOptions {
  readonly startDecoder: (options: Omit<GreyDecoderOptions, 'ffmpeg'>) => GreyDecoder
  /** For loud sounds in codecs that only a decoder understands. */
  readonly startSoundDecoder?: (options: Omit<SoundDecoderOptions, 'ffmpeg'>) => SoundDecoder | undefined
  /** At most so many cameras at once, and as many for their sound. */
  readonly cameras: number
}

/** What is detected at one camera while its channel is open. */
export interface CameraDetection extends AsyncDisposable {
  readonly detections: Detections
}

export interface DetectionKeeperDeps {
  readonly db: Db
  readonly motion?: MotionOptions | undefined
  readonly log: Logger
  readonly now: () => number
}

/** What is detected at the cameras of a worker: written to the events, and looked for where the operator wants that. */
export class DetectionKeeper implements AsyncDisposable {
  readonly #deps: DetectionKeeperDeps
  readonly #events: DetectionLog
  readonly #places: Semaphore<'motion'>
  readonly #soundPlaces: Semaphore<'sound'>

  constructor(deps: DetectionKeeperDeps) {
    const { db, motion, log } = deps
    this.#deps = deps
    this.#places = createSemaphore({ overall: { concurrency: motion?.cameras ?? 0 } })
    this.#soundPlaces = createSemaphore({ overall: { concurrency: motion?.cameras ?? 0 } })
    this.#events = new DetectionLog({ write: (records) => db.transaction((tx) => insertDetections(tx, records)), log })
  }

  open({ camera, hub, recording, triggers }: CameraChannel): CameraDetection {
    const { accountId, cameraId } = camera
    this.#events.note({ accountId, cameraId, change: 'lost' })
    const { motion, log, now } = this.#deps
    const detections = new Detections({
      camera,
      triggers,
      settings: camera.detection,
      serverDetects: motion !== undefined,
      note: (record) => this.#events.note(record),
    })
    const watched = { cameraId, hub, recording, detections, places: this.#places, log, now }
    const watch = motion && watchMotion({ ...watched, startDecoder: motion.startDecoder })
    const main = hub('main')
    const onBug = (err: unknown) => log.error({ err, cameraId }, 'the detection of sounds ended because of a bug')
    const startSoundDecoder = motion?.startSoundDecoder
    const decoding = startSoundDecoder && { cameraId, places: this.#soundPlaces, startDecoder: startSoundDecoder, log }
    const sound = main && watchSound({ hub: main, recording, detections, decoding, onBug })
    return {
      detections,
      async [Symbol.asyncDispose]() {
        await Promise.all([watch?.[Symbol.asyncDispose](), sound?.[Symbol.asyncDispose]()])
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#events[Symbol.asyncDispose]()
  }
}
