import type { AudioDetection, PirDetection, VideoDetection } from '@sightline/contract/detectors'
import type { EventType } from '@sightline/contract/events'
import type { EventTriggers } from '../recording/index.ts'
import { Toggle } from './toggle.ts'

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

/** Something that was detected just now, wanted or not. */
export type HeardDetection = Pick<DetectionRecord, 'type' | 'at' | 'detectedBy' | 'cameraTime'>

/** What a camera is watched for. */
export interface DetectionSettings {
  readonly video: VideoDetection
  readonly audio: AudioDetection
  readonly pir: PirDetection
}

export interface DetectionsDeps {
  readonly camera: { readonly accountId: number; readonly cameraId: number }
  readonly triggers: EventTriggers
  readonly settings: DetectionSettings
  /** Whether the server can look for motion itself. */
  readonly serverDetects: boolean
  readonly note: (record: DetectionRecord) => void
}

/** What is detected at one camera: each is one event from beginning to end, recorded if the camera records events. */
export class Detections {
  readonly #deps: DetectionsDeps
  readonly #active = new Map<EventType, DetectionRecord['detectedBy']>()
  readonly #reported = new Set<EventType>()
  readonly #server = new Toggle(true)
  readonly #sound = new Toggle(true)
  readonly #listeners = new Set<(heard: HeardDetection) => void>()
  #settings: DetectionSettings

  constructor(deps: DetectionsDeps) {
    this.#deps = deps
    this.#settings = deps.settings
    this.#follow()
  }

  get settings(): DetectionSettings {
    return this.#settings
  }

  /** On while the server has to look for motion. */
  get server(): Toggle {
    return this.#server
  }

  /** On while the server has to listen for loud sounds. */
  get sound(): Toggle {
    return this.#sound
  }

  /** Changes what is detected from now on. What isn't looked for any more ends at `at`. */
  plan(settings: DetectionSettings, at: number): void {
    this.#settings = settings
    this.#follow()
    for (const [type, detectedBy] of [...this.#active])
      if (!this.#isWanted(type, detectedBy)) this.end(type, at, detectedBy)
  }

  /** Hears each beginning until it is disposed of. */
  listen(heard: (detection: HeardDetection) => void): Disposable {
    this.#listeners.add(heard)
    return { [Symbol.dispose]: () => void this.#listeners.delete(heard) }
  }

  /** It begins at `at`, milliseconds since 1970; ignored until it ends. */
  begin(type: EventType, at: number, detectedBy: DetectionRecord['detectedBy'], cameraTime?: number): void {
    for (const heard of this.#listeners) heard({ type, at, detectedBy, cameraTime })
    if (detectedBy === 'camera' && !this.#reported.has(type)) this.#reportedByCamera(type, at)
    if (this.#active.has(type) || !this.#isWanted(type, detectedBy)) return
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
    if (!this.#isWanted(type, 'server')) this.end(type, at, 'server')
    this.#follow()
  }

  #isWanted(type: EventType, detectedBy: DetectionRecord['detectedBy']): boolean {
    const { video, audio, pir } = this.#settings
    if (type === 'audio') return audio.enabled && (detectedBy === 'camera' || !this.#reported.has('audio'))
    if (type === 'pir') return pir.enabled
    if (type === 'tripwire') return video.enabled && (detectedBy === 'camera' || this.#has('tripwire'))
    if (type === 'intrusion' && detectedBy === 'camera') return video.enabled
    if (type !== 'motion' && type !== 'intrusion') return true
    if (detectedBy === 'server' && type !== this.serverMotion) return false
    return video.enabled && (detectedBy === 'server') === this.#isUpToServer
  }

  /** What motion is that the server finds: with areas, it counts only inside of them. */
  get serverMotion(): 'motion' | 'intrusion' {
    return this.#has('intrusion') ? 'intrusion' : 'motion'
  }

  #has(wanted: VideoDetection['areas'][number]['kind']): boolean {
    return this.#settings.video.areas.some(({ kind, enabled }) => kind === wanted && enabled)
  }

  /** Who finds motion now, and whether some is going on. */
  get motion(): { readonly by: DetectionRecord['detectedBy'] | undefined; readonly isActive: boolean } {
    const { video } = this.#settings
    const own = this.#reported.has('motion') ? 'camera' : undefined
    const by = this.#isUpToServer ? 'server' : own
    return { by: video.enabled ? by : undefined, isActive: this.#active.has('motion') || this.#active.has('intrusion') }
  }

  /** The camera's own detection is preferred, but its areas aren't known here: where the user has drawn some, it isn't. */
  get #isUpToServer(): boolean {
    const { serverDetects } = this.#deps
    if (!this.#reported.has('motion')) return serverDetects
    return serverDetects && this.#settings.video.areas.some(({ kind, enabled }) => enabled && kind !== 'tripwire')
  }

  #follow(): void {
    const watchesTripwires = this.#deps.serverDetects && this.#isWanted('tripwire', 'server')
    if (watchesTripwires || this.#isWanted(this.serverMotion, 'server')) this.#server.turnOn()
    else this.#server.turnOff()
    if (this.#isWanted('audio', 'server')) this.#sound.turnOn()
    else this.#sound.turnOff()
  }

  #note(type: EventType, change: Pick<DetectionRecord, 'at' | 'change' | 'detectedBy' | 'cameraTime'>): void {
    const { accountId, cameraId } = this.#deps.camera
    this.#deps.note({ accountId, cameraId, type, ...change })
  }
}
