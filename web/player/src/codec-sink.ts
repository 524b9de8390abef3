import { readSamples, readSetup, type VideoSetup } from './fragments.ts'
import { positionMap } from './position.ts'
import { errorText, type InitMessage, type PictureSink, type SinkEvents } from './sink.ts'

const MICROSECONDS = 1_000_000
/** A decoder with this many queued pictures won't catch up; waiting for the next key picture is better. */
const MOST_WAITING = 60
/** The clock uses the median of this many pictures, because drawing times vary. */
const USUAL_OF = 50
/** Media times that differ by less are equal, because they are rounded. */
const SAME = 0.002
/** After this many seconds without a picture, the clock stops. */
const STILL = 0.5

/** Whether this browser decodes `codec` with WebCodecs; false in an insecure context, which has no VideoDecoder. */
export async function canDecode(codec: string): Promise<boolean> {
  if (typeof VideoDecoder === 'undefined') return false
  try {
    return (await VideoDecoder.isConfigSupported({ codec, optimizeForLatency: true })).supported === true
  } catch {
    return false
  }
}

/** Draws each picture as soon as it is decoded: the lowest possible delay, for live video. */
export class CodecSink implements PictureSink {
  readonly kind = 'webcodecs'
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D | null
  readonly #events: SinkEvents
  readonly #positions = positionMap()
  #decoder: VideoDecoder | undefined
  #setup: VideoSetup | undefined
  #needsKey = true
  /** Media time of the first picture to show, from the first mark; pictures before it are only decoded. */
  #startAt: number | undefined
  /** Seconds between the media time of each recent picture and its drawing. */
  #lateness: number[] = []
  #drawnAt = 0
  #dropped = 0
  /** Media times of the newest picture that arrived, and of the one on the screen. */
  #newest: number | undefined
  #drawn: number | undefined
  readonly #pictures: 'all' | 'keys'

  /** `keys` draws key pictures only, which any device can decode many of. */
  constructor(canvas: HTMLCanvasElement, events: SinkEvents, pictures: 'all' | 'keys' = 'all') {
    this.#pictures = pictures
    this.#canvas = canvas
    this.#context = canvas.getContext('2d', { alpha: false })
    this.#events = events
  }

  begin(init: InitMessage, segment: Uint8Array): void {
    this.close()
    this.#positions.clear()
    this.#needsKey = true
    this.#startAt = undefined
    this.#lateness = []
    this.#newest = undefined
    this.#drawn = undefined
    this.#setup = readSetup(segment)
    if (this.#setup === undefined) {
      this.#events.onFailure('unsupported', 'the stream has no video track')
      return
    }
    try {
      this.#decoder = this.#open(init.codec, this.#setup.description)
    } catch (error) {
      this.#events.onFailure('unsupported', errorText(error))
    }
  }

  mark(mediaTime: number, wallclock: number): void {
    this.#positions.add(mediaTime, wallclock)
    this.#startAt ??= mediaTime
  }

  push(fragment: Uint8Array): void {
    const setup = this.#setup
    const decoder = this.#decoder
    if (setup === undefined || decoder?.state !== 'configured') return
    for (const { isKey, time, data } of readSamples(fragment, setup.trackId)) {
      this.#newest = time / setup.timeScale
      if (this.#pictures === 'keys' && !isKey) continue
      if (decoder.decodeQueueSize > MOST_WAITING) this.#needsKey = true
      if (this.#needsKey && !isKey) {
        this.#dropped += 1
        continue
      }
      this.#needsKey = false
      const timestamp = Math.round((time * MICROSECONDS) / setup.timeScale)
      decoder.decode(new EncodedVideoChunk({ type: isKey ? 'key' : 'delta', timestamp, data }))
    }
  }

  finish(): void {
    this.#events.onFinished()
  }

  setPaused(): void {
    // Live pictures are drawn on arrival; only playback can be paused,
  }

  setRate(): void {
    // have a rate,
  }

  step(): boolean {
    // and can be stepped through.
    return false
  }

  get dropped(): number {
    return this.#dropped
  }

  get buffered(): number | undefined {
    if (this.#newest === undefined || this.#drawn === undefined) return undefined
    return Math.max(0, this.#newest - this.#drawn)
  }

  mediaTime(): number | undefined {
    const now = performance.now() / 1000
    const usual = this.#lateness.toSorted((a, b) => a - b)[this.#lateness.length >> 1]
    return usual === undefined || now - this.#drawnAt > STILL ? undefined : now - usual
  }

  close(): void {
    if (this.#decoder !== undefined && this.#decoder.state !== 'closed') this.#decoder.close()
    this.#decoder = undefined
  }

  #open(codec: string, description: Uint8Array): VideoDecoder {
    const opened = new VideoDecoder({
      output: (frame) => this.#draw(frame),
      error: (error) => {
        if (this.#decoder === opened) this.#events.onFailure('decoder', error.message)
      },
    })
    opened.configure({ codec, description, optimizeForLatency: true })
    return opened
  }

  #draw(frame: VideoFrame): void {
    if (frame.timestamp / MICROSECONDS < (this.#startAt ?? 0) - SAME) {
      frame.close()
      return
    }
    const { displayWidth: width, displayHeight: height, timestamp } = frame
    if (this.#canvas.width !== width) this.#canvas.width = width
    if (this.#canvas.height !== height) this.#canvas.height = height
    this.#context?.drawImage(frame, 0, 0)
    frame.close()
    this.#drawnAt = performance.now() / 1000
    this.#drawn = timestamp / MICROSECONDS
    this.#lateness.push(this.#drawnAt - timestamp / MICROSECONDS)
    if (this.#lateness.length > USUAL_OF) this.#lateness.shift()
    this.#events.onPicture(this.#positions.wallclockAt(timestamp / MICROSECONDS))
  }
}
