import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { startDecoder, untilEnded } from './sandbox.ts'
import { videoInput, videoInputArguments } from './video-input.ts'

type VideoTrack = Extract<TrackConfig, { kind: 'video' }>

const PICTURE_WIDTH = 160
const PICTURE_HEIGHT = 90
const PICTURE_BYTES = PICTURE_WIDTH * PICTURE_HEIGHT

/** A small grey picture. */
export interface GreyPicture {
  /** Arrival of the coded picture, milliseconds since 1970. */
  readonly at: number
  /** 160 × 90 bytes, row by row. */
  readonly pixels: Uint8Array
}

/** A decoder that runs as long as its camera. */
export interface GreyDecoder extends Disposable {
  /** The next coded picture. A key picture can follow any other; each other picture follows the one before it. */
  push(picture: AccessUnit): void
  /** Resolves when the process is gone, with its complaint; the text is empty if it was disposed of. */
  readonly ended: Promise<string>
}

export interface GreyDecoderOptions {
  readonly ffmpeg: string
  readonly track: VideoTrack
  readonly onPicture: (picture: GreyPicture) => void
}

/** Pictures whose times wait for their result; some are reordered, and broken ones have none. */
const MAX_WAITING_TIMES = 32
/** A decoder that gets pictures and gives none for so long hangs. */
const STUCK_MS = 20_000
/** A few weeks of a camera; then it is replaced. */
const PROCESSOR_SECONDS = 6 * 3600

/** Starts ffmpeg for one stream. Pictures come in the order of showing, as soon as they are decoded. */
export function startGreyDecoder({ ffmpeg, track, onPicture }: GreyDecoderOptions): GreyDecoder {
  const scale = ['-vf', `scale=${PICTURE_WIDTH}:${PICTURE_HEIGHT}:flags=area,format=gray`, '-vsync', 'passthrough']
  const output = ['-an', '-f', 'rawvideo', '-flush_packets', '1', 'pipe:1']
  const args = [
    ...videoInputArguments(track, ['-skip_loop_filter', 'all']),
    '-filter_threads',
    '1',
    ...scale,
    ...output,
  ]
  const child = startDecoder(ffmpeg, args, { processorSeconds: PROCESSOR_SECONDS })
  /** Undefined for pictures that aren't whole yet, after a recovery point. */
  const times: (number | undefined)[] = []
  let isDisposed = false
  let answeredAt = performance.now()
  const collect = pictureCollector((pixels) => {
    answeredAt = performance.now()
    const at = times.shift()
    if (at !== undefined) onPicture({ at, pixels })
  })
  child.stdout.on('data', (chunk: Buffer) => !isDisposed && collect(chunk))
  const ended = untilEnded(child, () => isDisposed)
  const write = videoInput({
    stdin: child.stdin,
    track,
    onWrite(at) {
      if (times.length === 0) answeredAt = performance.now()
      times.push(at)
      if (times.length > MAX_WAITING_TIMES) times.shift()
    },
  })
  return {
    ended,
    push(picture) {
      if (isDisposed || !child.stdin.writable) return
      write(picture)
      if (performance.now() - answeredAt > STUCK_MS) child.kill('SIGKILL')
    },
    [Symbol.dispose]() {
      isDisposed = true
      child.kill('SIGKILL')
    },
  }
}

/** Cuts the decoder's output into pictures. */
function pictureCollector(onPicture: (pixels: Uint8Array) => void): (chunk: Uint8Array) => void {
  let pixels = new Uint8Array(PICTURE_BYTES)
  let filled = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + PICTURE_BYTES - filled)
      pixels.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < PICTURE_BYTES) return
      onPicture(pixels)
      pixels = new Uint8Array(PICTURE_BYTES)
      filled = 0
    }
  }
}
