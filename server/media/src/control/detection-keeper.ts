import type { MotionPreview } from '@sightline/contract/detectors'
import type { Db } from '@sightline/platform/db'
import { createSemaphore, type Semaphore } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { GreyDecoder, GreyDecoderOptions, SoundDecoder, SoundDecoderOptions } from '../decoder/index.ts'
import { BLOCK_COLUMNS, BLOCK_ROWS } from '../motion/index.ts'
import { EventTriggers } from '../recording/index.ts'
import type { CameraChannel } from './camera-channel.ts'
import { DetectionLog } from './detection-log.ts'
import { Detections } from './detections.ts'
import { insertDetections } from './event-store.ts'
import { type SeenMotion, watchMotion } from './motion-watch.ts'
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
  /** What is found now, or would be at another sensitivity than the saved one. */
  preview(sensitivity?: number): MotionPreview
  /** Looks for motion in the pictures beside the camera's own detection; undefined where the server does that anyway, or can't. */
  readonly watchPictures: ((onBegin: (at: number) => void) => AsyncDisposable) | undefined
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
    let seen: SeenMotion | undefined
    const onSeen = (found: SeenMotion | undefined) => {
      seen = found
    }
    const watched = { cameraId, hub, recording, detections, onSeen, places: this.#places, log, now }
    const watch = motion && watchMotion({ ...watched, startDecoder: motion.startDecoder })
    const main = hub('main')
    const onBug = (err: unknown) => log.error({ err, cameraId }, 'the detection of sounds ended because of a bug')
    const startSoundDecoder = motion?.startSoundDecoder
    const decoding = startSoundDecoder && { cameraId, places: this.#soundPlaces, startDecoder: startSoundDecoder, log }
    const sound = main && watchSound({ hub: main, recording, detections, decoding, onBug })
    return {
      detections,
      get watchPictures() {
        if (motion === undefined || detections.motion.by === 'server') return undefined
        return (onBegin: (at: number) => void) =>
          watchMotion({
            ...watched,
            detections: countedMotion(camera, onBegin),
            onSeen: () => undefined,
            startDecoder: motion.startDecoder,
          })
      },
      preview: (sensitivity) => toPreview(detections, seen, sensitivity),
      async [Symbol.asyncDispose]() {
        await Promise.all([watch?.[Symbol.asyncDispose](), sound?.[Symbol.asyncDispose]()])
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#events[Symbol.asyncDispose]()
  }
}

/** Detections that become no events: only their beginnings are told. */
const countedMotion = (camera: CameraChannel['camera'], onBegin: (at: number) => void): Detections =>
  new Detections({
    camera,
    triggers: new EventTriggers(),
    settings: { ...camera.detection, video: { ...camera.detection.video, enabled: true, areas: [] } },
    serverDetects: true,
    note: ({ type, change, at }) => {
      if (type === 'motion' && change === 'begins') onBegin(at)
    },
  })

const blocksOf = (blocks: Uint8Array | undefined): number[] =>
  [...(blocks ?? [])].flatMap((value, block) => (value === 1 ? [block] : []))

/** Who finds motion, or why nobody does. */
function previewState({ motion: { by }, settings }: Detections, seen: SeenMotion | undefined): MotionPreview['state'] {
  if (by === 'server') return seen === undefined ? 'off' : 'server'
  if (by === undefined && settings.video.enabled) return 'notOnServer'
  return by ?? 'off'
}

/** What is not watched by a decoder has no blocks. */
function toPreview(
  detections: Detections,
  seen: SeenMotion | undefined,
  sensitivity = detections.settings.video.sensitivity,
): MotionPreview {
  const state = previewState(detections, seen)
  const shown = state === 'server' ? seen : undefined
  return {
    ...noPreview,
    state,
    active: detections.motion.isActive,
    moving: blocksOf(shown?.triggering(sensitivity)),
    ignored: blocksOf(shown?.ignored),
  }
}

/** For a camera without a channel. */
export const noPreview: MotionPreview = {
  state: 'off',
  active: false,
  columns: BLOCK_COLUMNS,
  rows: BLOCK_ROWS,
  moving: [],
  ignored: [],
}
