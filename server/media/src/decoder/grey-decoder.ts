import { makeGreyStart } from '../codec/index.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { startDecoder } from './sandbox.ts'

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

const START_CODE = Buffer.of(0, 0, 0, 1)
/** Tells the parser that a picture is complete; otherwise it would wait for the next one. */
const DELIMITERS = { h264: Buffer.of(0, 0, 0, 1, 9, 0xf0), h265: Buffer.of(0, 0, 0, 1, 0x46, 1, 0x50) } as const
/** A decoder that doesn't read fast enough misses pictures up to the next key picture. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** Pictures whose times wait for their result; some are reordered, and broken ones have none. */
const MAX_WAITING_TIMES = 32
/** A decoder that gets pictures and gives none for so long hangs. */
const STUCK_MS = 20_000
/** A few weeks of a camera; then it is replaced. */
const PROCESSOR_SECONDS = 6 * 3600

const isParameterSet: Record<VideoTrack['codec'], (nal: Uint8Array) => boolean> = {
  h264: (nal) => [7, 8].includes((nal[0] ?? 0) & 31),
  h265: (nal) => [32, 33, 34].includes(((nal[0] ?? 0) >> 1) & 63),
}

/** Starts ffmpeg for one stream. Pictures come in the order of showing, as soon as they are decoded. */
export function startGreyDecoder({ ffmpeg, track, onPicture }: GreyDecoderOptions): GreyDecoder {
  const input = ['-probesize', '32', '-analyzeduration', '0', '-flags', 'low_delay', '-flags2', 'fast+showall']
  const format = ['-skip_loop_filter', 'all', '-f', track.codec === 'h264' ? 'h264' : 'hevc', '-i', 'pipe:0']
  const scale = ['-vf', `scale=${PICTURE_WIDTH}:${PICTURE_HEIGHT}:flags=area,format=gray`, '-vsync', 'passthrough']
  const output = ['-an', '-f', 'rawvideo', '-flush_packets', '1', 'pipe:1']
  const args = [...input, ...format, '-filter_threads', '1', ...scale, ...output]
  const child = startDecoder(ffmpeg, args, { processorSeconds: PROCESSOR_SECONDS })
  /** Undefined for pictures that aren't whole yet, after a recovery point. */
  const times: (number | undefined)[] = []
  let toSkip = 0
  let waitsForKey = true
  let isDisposed = false
  let complaint = ''
  let answeredAt = performance.now()
  const collect = pictureCollector((pixels) => {
    answeredAt = performance.now()
    const at = times.shift()
    if (at !== undefined) onPicture({ at, pixels })
  })
  child.stdout.on('data', (chunk: Buffer) => !isDisposed && collect(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-500)
  })
  // Its end is reported by `close`.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => {
    child.on('error', (err) => resolve(err.message))
    child.on('close', (code, signal) => resolve(isDisposed ? '' : `${signal ?? code}: ${complaint.trim()}`))
  })
  const send = (picture: AccessUnit, at: number | undefined): void => {
    if (times.length === 0) answeredAt = performance.now()
    times.push(at)
    if (times.length > MAX_WAITING_TIMES) times.shift()
    child.stdin.write(toByteStream(track, picture))
  }
  const begin = (key: AccessUnit): void => {
    waitsForKey = false
    toSkip = key.recovery ?? 0
    const grey = makeGreyStart(key, track)
    if (grey !== undefined) send(grey, undefined)
  }
  return {
    ended,
    push(picture) {
      if (isDisposed || !child.stdin.writable) return
      if (child.stdin.writableLength > MAX_WAITING_BYTES) waitsForKey = true
      if (waitsForKey && !picture.isKey) return
      if (waitsForKey) begin(picture)
      send(picture, toSkip-- > 0 ? undefined : picture.wallClock)
      if (performance.now() - answeredAt > STUCK_MS) child.kill('SIGKILL')
    },
    [Symbol.dispose]() {
      isDisposed = true
      child.kill('SIGKILL')
    },
  }
}

/** NAL units with start codes (ITU-T H.264 annex B), with the parameter sets if a key picture doesn't bring its own. */
function toByteStream(track: VideoTrack, { isKey, units }: AccessUnit): Uint8Array {
  const sets = isKey && !units.some(isParameterSet[track.codec]) ? track.parameterSets : []
  return Buffer.concat([...[...sets, ...units].flatMap((unit) => [START_CODE, unit]), DELIMITERS[track.codec]])
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
