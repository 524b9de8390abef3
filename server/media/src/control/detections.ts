import type { EventType } from '@sightline/contract/events'
import type { EventTriggers } from '../recording/index.ts'

/** Begin or end of something that was detected at a camera. */
export interface DetectionRecord {
  readonly accountId: number
  readonly cameraId: number
  readonly type: EventType
  /** Milliseconds since 1970. */
  readonly at: number
  readonly change: 'begins' | 'ends'
  /** Who found it. */
  readonly detectedBy: 'camera' | 'server'
  /** When it began by the camera's own clock, if the camera found it and said so. */
  readonly cameraTime?: number | undefined
}

/** The worker was started: what another one left open is over. */
export interface LostDetections {
  readonly accountId: number
  readonly cameraId: number
  readonly change: 'lost'
}

export interface DetectionsDeps {
  readonly camera: { readonly accountId: number; readonly cameraId: number }
  readonly triggers: EventTriggers
  readonly note: (record: DetectionRecord) => void
}

/** What is detected at one camera: each is one event from beginning to end, recorded if the camera records events. */
export class Detections {
  readonly #deps: DetectionsDeps
  readonly #active = new Map<EventType, DetectionRecord['detectedBy']>()
  readonly #reported = new Set<EventType>()
  readonly #cameraReports = new AbortController()

  constructor(deps: DetectionsDeps) {
    this.#deps = deps
  }

  /** Aborts once the camera reports motion itself: then nothing else looks for it. */
  get cameraReportsMotion(): AbortSignal {
    return this.#cameraReports.signal
  }

  /** It begins at `at`, milliseconds since 1970; ignored until it ends. */
  begin(type: EventType, at: number, detectedBy: DetectionRecord['detectedBy'], cameraTime?: number): void {
    if (detectedBy === 'camera' && !this.#reported.has(type)) this.#reportedByCamera(type, at)
    if (this.#active.has(type)) return
    this.#active.set(type, detectedBy)
    this.#deps.triggers.begin(type, { at })
    this.#note(type, { at, change: 'begins', detectedBy, cameraTime })
  }

  /** It ended at `at`; ignored if it hasn't begun, or was found by another detector. */
  end(type: EventType, at: number, detectedBy: DetectionRecord['detectedBy']): void {
    if (this.#active.get(type) !== detectedBy) return
    this.#active.delete(type)
    this.#deps.triggers.end(type, at)
    this.#note(type, { at, change: 'ends', detectedBy })
  }

  #reportedByCamera(type: EventType, at: number): void {
    this.#reported.add(type)
    this.end(type, at, 'server')
    if (type === 'motion') this.#cameraReports.abort()
  }

  #note(type: EventType, change: Pick<DetectionRecord, 'at' | 'change' | 'detectedBy' | 'cameraTime'>): void {
    const { accountId, cameraId } = this.#deps.camera
    this.#deps.note({ accountId, cameraId, type, ...change })
  }
}
