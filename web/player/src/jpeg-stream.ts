import { watchPage } from './hidden-page.ts'
import { LiveWatch } from './live-watch.ts'
import { type PicturePart, PictureReader } from './picture-reader.ts'
import { errorCode } from './sink.ts'
import { phaseOfEnd, retryDelay, type ViewState } from './view-state.ts'

export interface JpegStreamSettings {
  readonly canvas: HTMLCanvasElement
  /** The address with a new ticket; undefined if the server makes no pictures. Rejects if there is no ticket. */
  readonly address: () => Promise<string | undefined>
  /** What the view was when it gave up. */
  readonly before: ViewState
  readonly onChange: () => void
}

const WATCH_MS = 500
/** The codes of a server that makes no more pictures now, or none at all. */
const NO_PICTURES = [16, 17]

class Refused extends Error {
  readonly code: number | undefined
  constructor(code: number | undefined) {
    super(`the server refused the pictures with code ${code}`)
    this.code = code
  }
}

/** Draws live pictures that the server makes, until disposed of. Reconnects automatically; fetches nothing while the page is hidden. */
export class JpegStream implements Disposable {
  readonly #settings: JpegStreamSettings
  readonly #closing = new AbortController()
  readonly #watch = new LiveWatch()
  #state: ViewState
  #fetching: AbortController | undefined
  #bytes = 0

  constructor(settings: JpegStreamSettings) {
    this.#settings = settings
    const { sound: _, ...before } = settings.before
    this.#state = { ...before, phase: 'connecting', transport: 'jpeg' }
    const { signal } = this.#closing
    watchPage({ onHidden: () => undefined, onLeft: () => this.#stop(), onShown: () => this.#start() }, signal)
    const timer = setInterval(() => this.#judge(), WATCH_MS)
    signal.addEventListener('abort', () => clearInterval(timer))
    if (!document.hidden) this.#start()
  }

  get state(): ViewState {
    return this.#state
  }

  get bytes(): number {
    return this.#bytes
  }

  [Symbol.dispose](): void {
    this.#closing.abort()
    this.#stop()
  }

  #update(change: Partial<ViewState>): void {
    this.#state = { ...this.#state, ...change }
    this.#settings.onChange()
  }

  #start(): void {
    if (this.#fetching !== undefined || this.#closing.signal.aborted) return
    this.#fetching = new AbortController()
    void this.#keepFetching(this.#fetching.signal)
  }

  #stop(): void {
    this.#fetching?.abort()
    this.#fetching = undefined
  }

  async #keepFetching(signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      const picturesBefore = this.#state.pictures
      const code = await this.#fetch(signal).catch((error: unknown) => errorCode(error))
      if (signal.aborted) return
      const phase = code !== undefined && NO_PICTURES.includes(code) ? 'unsupported' : phaseOfEnd(code ?? -1)
      this.#update({ phase, ...(code !== undefined && { code }) })
      if (phase === 'refused' || phase === 'unsupported') return
      if (this.#state.pictures > picturesBefore) failures = 1
      await wait(retryDelay(failures), signal)
    }
  }

  /** Rejects with the server's code if it refuses; resolves when the stream has ended. */
  async #fetch(signal: AbortSignal): Promise<undefined> {
    const href = await this.#settings.address()
    if (href === undefined) throw new Refused(17)
    const reply = await fetch(href, { signal, credentials: 'omit' })
    if (!reply.ok || reply.body === null) throw new Refused(errorCode(await reply.json().catch(() => undefined)))
    this.#watch.begin('all')
    const parts = new PictureReader()
    const reader = reply.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return undefined
      this.#bytes += value.length
      this.#watch.onBytes()
      for (const part of parts.push(value)) await this.#show(part, signal)
    }
  }

  async #show({ jpeg, wallclock }: PicturePart, signal: AbortSignal): Promise<void> {
    const picture = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }))
    if (signal.aborted) return picture.close()
    const { canvas } = this.#settings
    const { width, height } = picture
    canvas.width = width
    canvas.height = height
    canvas.getContext('2d', { alpha: false })?.drawImage(picture, 0, 0)
    canvas.hidden = false
    picture.close()
    const latencyMs = wallclock === undefined ? undefined : Date.now() - wallclock
    const phase = this.#watch.onPicture(latencyMs) ? 'playing' : this.#state.phase
    const pictures = this.#state.pictures + 1
    const times = { ...(wallclock !== undefined && { wallclock }), ...(latencyMs !== undefined && { latencyMs }) }
    this.#update({ phase, pictures, width, height, ...times })
  }

  #judge(): void {
    const { phase, latencyMs = 0 } = this.#state
    if (phase !== 'playing' && phase !== 'delayed' && phase !== 'stalled') return
    const judged = this.#watch.judge(latencyMs)
    if (judged === 'lost') {
      this.#stop()
      this.#update({ phase: 'reconnecting' })
      this.#start()
    } else if (judged !== undefined && judged !== phase) this.#update({ phase: judged })
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
