import { descend, readBoxes, toDataView } from './box-reader.ts'
import { EPOCH_1904_SECONDS } from './init-segment.ts'

const BOX_HEAD = 8
/** In the boxes of version 0 (ISO 14496-12 §8.2.2, §8.3.2, §8.4.2): after version and flags. */
const MVHD = { created: 4, timescale: 12, duration: 16 }
const TKHD_DURATION = 20

/**
 * Writes into the `moov` of a fragmented file how long the whole file is, and when it was recorded: its writer didn't know.
 * @param file begins with `ftyp` and `moov`; changed in place. @throws if it has others than ISO boxes of version 0.
 */
export function setMovieLength(file: Uint8Array, { seconds, createdAt }: { seconds: number; createdAt: number }): void {
  const moov = descend(file, ['moov'])
  const boxes = readBoxes(moov)
  const movie = toDataView(versionZero(moov, ['mvhd']))
  const scale = movie.getUint32(MVHD.timescale)
  movie.setUint32(MVHD.created, Math.floor(createdAt / 1000) + EPOCH_1904_SECONDS)
  movie.setUint32(MVHD.duration, lengthIn(scale, seconds))
  for (const track of boxes.filter(({ type }) => type === 'trak')) {
    toDataView(versionZero(track.content, ['tkhd'])).setUint32(TKHD_DURATION, lengthIn(scale, seconds))
    const media = toDataView(versionZero(track.content, ['mdia', 'mdhd']))
    media.setUint32(MVHD.duration, lengthIn(media.getUint32(MVHD.timescale), seconds))
  }
}

/** A length that doesn't fit 32 bits isn't known: all bits are set (ISO 14496-12 §8.2.2.3). */
const lengthIn = (scale: number, seconds: number): number => Math.min(0xff_ff_ff_ff, Math.round(seconds * scale))

function versionZero(content: Uint8Array, path: readonly string[]): Uint8Array {
  const box = descend(content, path)
  if (box[0] !== 0) throw new Error(`box '${path.join('/')}' of version ${box[0]}`)
  return box
}

/** Splits a stream into its top boxes, each as a whole. */
export async function* readTopBoxes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ readonly type: string; readonly bytes: Uint8Array }, void, undefined> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    waiting.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    length += chunk.length
    for (let size = sizeOf(waiting, length); size !== undefined && length >= size; size = sizeOf(waiting, length)) {
      if (size < BOX_HEAD || size > maxBytes) throw new Error(`a box of ${size} bytes`)
      const all = Buffer.concat(waiting)
      yield { type: all.toString('latin1', 4, 8), bytes: all.subarray(0, size) }
      waiting = [all.subarray(size)]
      length -= size
    }
    if (length > maxBytes) throw new Error(`a box of more than ${maxBytes} bytes`)
  }
  if (length > 0) throw new Error('a box was cut')
}

function sizeOf(waiting: readonly Buffer[], length: number): number | undefined {
  if (length < BOX_HEAD) return undefined
  const [first] = waiting
  const head = first !== undefined && first.length >= BOX_HEAD ? first : Buffer.concat(waiting)
  return head.readUInt32BE(0)
}
