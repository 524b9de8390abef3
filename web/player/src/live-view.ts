import { openCameraView } from './camera-view.ts'
import type { JpegStream } from './jpeg-stream.ts'
import { capturePicture } from './screen.ts'
import type { CameraView, PictureStatistics, ViewOptions, ViewState } from './view-state.ts'

export interface LiveViewOptions extends ViewOptions {
  /** The address of pictures that the server makes, with a new ticket; undefined if it makes none. */
  readonly pictureAddress: () => Promise<string | undefined>
}

/**
 * Shows live video of one camera like `openCameraView`. If this browser can't show any of the camera's streams, as with H.265, it shows
 * pictures that the server makes, where the server can.
 */
export const openLiveView = (options: LiveViewOptions): CameraView => new LiveView(options)

class LiveView implements CameraView {
  readonly #options: LiveViewOptions
  readonly #view: CameraView
  readonly #listeners = new Set<() => void>()
  #jpegs: JpegStream | undefined
  #hasGivenUp = false
  #isClosed = false

  constructor(options: LiveViewOptions) {
    this.#options = options
    this.#view = openCameraView(options)
    this.#view.subscribe(() => this.#onView())
  }

  get state(): ViewState {
    return this.#jpegs?.state ?? this.#view.state
  }

  // A property, because React calls it without `this`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #onView(): void {
    if (this.#jpegs !== undefined) return
    if (this.#view.state.phase === 'unsupported' && !this.#hasGivenUp) {
      this.#hasGivenUp = true
      void this.#showJpegs()
    } else this.#tell()
  }

  readonly #tell = (): void => {
    for (const listener of this.#listeners) listener()
  }

  async #showJpegs(): Promise<void> {
    // Few browsers need it.
    const { JpegStream } = await import('./jpeg-stream.ts')
    if (this.#isClosed) return
    const { screen, pictureAddress: address } = this.#options
    const before = this.#view.state
    this.#jpegs = new JpegStream({ canvas: screen.canvas, address, before, onChange: this.#tell })
    this.#tell()
  }

  statistics(): PictureStatistics {
    const { bytes, dropped, bufferedMs } = this.#view.statistics()
    return { bytes: bytes + (this.#jpegs?.bytes ?? 0), dropped, bufferedMs }
  }

  async capture(): Promise<Blob | undefined> {
    if (this.#jpegs === undefined) return await this.#view.capture()
    return this.state.pictures === 0 ? undefined : await capturePicture(this.#options.screen.canvas)
  }

  soundBehind = (): number | undefined => this.#view.soundBehind()
  seek = (time: number): void => this.#view.seek(time)
  setPaused = (paused: boolean): void => this.#view.setPaused(paused)
  setRate = (rate: number): void => this.#view.setRate(rate)
  setVolume = (volume: number): void => this.#view.setVolume(volume)
  step = (frames: number): void => this.#view.step(frames)

  close(): void {
    this.#isClosed = true
    this.#jpegs?.[Symbol.dispose]()
    this.#view.close()
    this.#listeners.clear()
  }
}
