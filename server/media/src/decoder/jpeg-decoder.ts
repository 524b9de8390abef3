import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { startDecoder, untilEnded } from './sandbox.ts'
import { videoInput, videoInputArguments } from './video-input.ts'

type VideoTrack = Extract<TrackConfig, { kind: 'video' }>

/** A picture as a file. */
export interface JpegPicture {
  readonly bytes: Uint8Array
  /** When the camera's picture arrived, to within a few pictures: milliseconds since 1970. */
  readonly takenAt: number
}

/** A decoder that makes JPEGs of a stream as long as somebody looks at it. */
export interface JpegDecoder extends Disposable {
  /** The next coded picture. Those before the first key picture are ignored. */
  push(picture: AccessUnit): void
  /** Resolves when the process is gone, with its complaint; the text is empty if it was disposed of. */
  readonly ended: Promise<string>
}

export interface JpegDecoderOptions {
  readonly ffmpeg: string
  readonly track: VideoTrack
  /** At most so many pixels wide; never larger than the stream. */
  readonly width: number
  /** At most so many. */
  readonly picturesPerSecond: number
  readonly onPicture: (picture: JpegPicture) => void
}

const PROCESSOR_SECONDS = 6 * 3600
/** A decoder that gets pictures and gives none for so long hangs. */
const STUCK_MS = 30_000
/** ffmpeg's scale of quality: 2 is the best, 31 the worst. */
const QUALITY = '5'
const MAX_JPEG_BYTES = 4 * 1024 * 1024
const MAX_HEAD_BYTES = 1024
/** Pictures come a little before or after their time. */
const TOLERANCE_SECONDS = 0.02

/** Starts ffmpeg for one stream. The rate is measured by when pictures arrive: a raw stream says nothing of their times. */
export function startJpegDecoder(options: JpegDecoderOptions): JpegDecoder {
  const { ffmpeg, track, width, picturesPerSecond, onPicture } = options
  const distance = (1 / picturesPerSecond - TOLERANCE_SECONDS).toFixed(3)
  const filters = [
    `select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,${distance})`,
    `scale=min(iw\\,${width}):-2:out_range=full`,
  ]
  const output = ['-vf', filters.join(','), '-vsync', 'passthrough', '-an', '-c:v', 'mjpeg', '-q:v', QUALITY]
  const args = [
    ...['-use_wallclock_as_timestamps', '1', ...videoInputArguments(track, []), '-filter_threads', '1'],
    ...[...output, '-f', 'mpjpeg', '-flush_packets', '1', 'pipe:1'],
  ]
  const child = startDecoder(ffmpeg, args, { processorSeconds: PROCESSOR_SECONDS })
  /** Of the picture that was written last; undefined while pictures aren't whole. */
  let writtenAt: number | undefined
  let unansweredSince: number | undefined
  let isDisposed = false
  const ended = untilEnded(child, () => isDisposed)
  const collect = partCollector((bytes) => {
    unansweredSince = undefined
    if (writtenAt !== undefined) onPicture({ bytes, takenAt: writtenAt })
  })
  child.stdout.on('data', (chunk: Buffer) => {
    if (!isDisposed && collect(chunk) === 'broken') child.kill('SIGKILL')
  })
  const write = videoInput({
    stdin: child.stdin,
    track,
    onWrite(at) {
      writtenAt = at
    },
  })
  return {
    ended,
    push(picture) {
      if (isDisposed || !child.stdin.writable) return
      write(picture)
      unansweredSince ??= performance.now()
      if (performance.now() - unansweredSince > STUCK_MS) child.kill('SIGKILL')
    },
    [Symbol.dispose]() {
      isDisposed = true
      child.kill('SIGKILL')
    },
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Cuts the parts out of what ffmpeg's `mpjpeg` writes: each with a head that tells its length. */
function partCollector(onPart: (bytes: Uint8Array) => void): (chunk: Buffer) => 'read' | 'broken' {
  let waiting: Buffer = Buffer.alloc(0)
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let span = spanOfPart(waiting); span !== undefined; span = spanOfPart(waiting)) {
      if (span === 'broken') return span
      if (waiting.length < span.till) return 'read'
      // A copy: the rest of the chunk isn't kept in memory for it.
      onPart(Uint8Array.prototype.slice.call(waiting, span.from, span.till))
      waiting = waiting.subarray(span.till)
    }
    return 'read'
  }
}

/** Where the next part is; undefined if its head isn't complete. */
function spanOfPart(bytes: Buffer): { readonly from: number; readonly till: number } | 'broken' | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd > MAX_HEAD_BYTES || (headEnd === -1 && bytes.length > MAX_HEAD_BYTES)) return 'broken'
  if (headEnd === -1) return undefined
  const length = Number(/content-length: *(\d{1,9})/i.exec(bytes.toString('latin1', 0, headEnd))?.[1])
  const from = headEnd + HEAD_END.length
  return length <= MAX_JPEG_BYTES ? { from, till: from + length } : 'broken'
}
