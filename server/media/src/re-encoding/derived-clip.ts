import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DerivedPictures, ExportContent, ExportedPart, ExportGap } from '@sightline/contract/footage-proof'
import { type ClipPiece, type ClipPlan, clipGaps, readClip } from '../clips/index.ts'
import type { PictureEncoder, PictureEncoderOptions } from '../decoder/index.ts'
import { descend, readBoxes, readTopBoxes, setMovieLength } from '../mux/index.ts'
import type { FootageAccess } from '../playback/index.ts'
import type { StreamKey } from '../recording/index.ts'
import { placeLogo } from './logo-place.ts'
import { type DrawnText, overlayScript } from './overlay-script.ts'
import { isSoundLate, soundPrimer } from './sound-primer.ts'

/** What a derived clip is made of. */
export interface DerivedFootage extends FootageAccess {
  readonly stream: StreamKey
  /** As it was asked for; milliseconds since 1970. */
  readonly from: number
  readonly till: number
}

export interface Drawing {
  readonly text: DrawnText
  /** A PNG for the corner. */
  readonly logo?: Buffer | undefined
  /** So many times faster than recorded; without sound then. */
  readonly speed?: number | undefined
  readonly start: (options: Omit<PictureEncoderOptions, 'ffmpeg'>) => Promise<PictureEncoder>
}

const TICKS_PER_SECOND = 90_000
/** A group of pictures is smaller. */
const MAX_BOX_BYTES = 256 * 1024 * 1024
/** Parts that follow each other don't end to the millisecond. */
const JITTER_MS = 500
/** What isn't from a segment has no id. */
const NO_SEGMENT = '0'.repeat(32)

/**
 * A clip with text or a logo in its pictures, or faster than it was recorded. It is decoded, drawn and re-encoded, so nothing of it is
 * what the camera sent, and its manifest says so. {@link chunks} first, then {@link content}.
 */
export class DerivedClip {
  readonly #plan: ClipPlan
  readonly #of: DerivedFootage
  readonly #drawing: Drawing
  readonly #parts: ExportedPart[] = []
  /** What couldn't be read, and so isn't in the pictures. */
  readonly #broken = new Set<ClipPiece>()
  #head = Buffer.alloc(0)

  /** @param plan of whole parts, with all sound that may be heard. */
  constructor(plan: ClipPlan, of: DerivedFootage, drawing: Drawing) {
    this.#plan = plan
    this.#of = of
    this.#drawing = drawing
  }

  /** The bytes of the file. @throws if the encoder fails, and as `readClip`. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    using encoder = await this.#start()
    const stop = () => encoder[Symbol.dispose]()
    this.#of.signal?.addEventListener('abort', stop, { once: true })
    this.#of.signal?.throwIfAborted()
    let fault: unknown
    const feeding = this.#feed(encoder).catch((cause: unknown) => {
      fault = cause
      stop()
    })
    yield* this.#read(encoder)
    await feeding
    const complaint = await encoder.ended
    this.#of.signal?.removeEventListener('abort', stop)
    if (fault !== undefined) throw fault
    if (complaint !== undefined) throw new Error(`the pictures could not be encoded: ${complaint}`)
    if (this.#parts.length === 0) throw new Error('the pictures could not be encoded: there are none')
  }

  #start(): Promise<PictureEncoder> {
    const { shown, tracks, sound } = this.#plan
    const [video] = tracks
    if (video?.[0].kind !== 'video') throw new Error('clip: no pictures')
    const size = { width: video[0].width & ~1, height: video[0].height & ~1 }
    const { text, logo, speed = 1 } = this.#drawing
    const placed = logo && placeLogo(logo, size)
    // A long name doesn't run into the logo.
    const marginRight = placed && size.width - placed.x + 2 * placed.padding
    const script = overlayScript(text, { ...this.#plan, size, marginRight })
    const seconds = { from: shown.from / TICKS_PER_SECOND, till: shown.till / TICKS_PER_SECOND }
    const hasSound = sound !== 'none' && sound !== 'leftOut'
    const how = {
      shown: seconds,
      speed,
      hasSound,
      isSoundLate: isSoundLate(this.#plan),
      ...(placed && { logo: placed }),
    }
    return this.#drawing.start({ script, size, ...how })
  }

  async #feed({ input }: PictureEncoder): Promise<void> {
    const footage = this.#footage()
    await pipeline(Readable.from(footage, { objectMode: false }), input).catch((cause: NodeJS.ErrnoException) => {
      // It has all that it needs, or has ended: its end says which.
      if (cause.code !== 'EPIPE' && cause.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw cause
    })
  }

  async *#footage(): AsyncGenerator<Uint8Array, void, undefined> {
    const access = { ...this.#of, onBroken: (piece: ClipPiece) => void this.#broken.add(piece) }
    const { bytes } = this.#plan
    const primer = await soundPrimer(this.#plan, this.#of)
    yield* readClip(this.#plan, { from: 0, till: primer?.offset ?? bytes }, access)
    if (primer === undefined) return
    yield* primer.chunks
    yield* readClip(this.#plan, { from: primer.offset, till: bytes }, access)
  }

  async *#read({ output }: PictureEncoder): AsyncGenerator<Uint8Array, void, undefined> {
    const { shown } = this.#plan
    let waiting: Uint8Array[] = []
    for await (const { type, bytes } of readTopBoxes(output, MAX_BOX_BYTES)) {
      waiting.push(bytes)
      if (type === 'moov') {
        this.#head = Buffer.concat(waiting)
        const seconds = (shown.till - shown.from) / TICKS_PER_SECOND / (this.#drawing.speed ?? 1)
        setMovieLength(this.#head, { seconds, createdAt: this.#wallClockAt(shown.from) })
        waiting = []
        yield this.#head
      } else if (type === 'mdat') {
        const part = Buffer.concat(waiting)
        waiting = []
        this.#note(part)
        yield part
      }
    }
  }

  #note(bytes: Buffer): void {
    // Of the footage, whatever the speed of the file.
    const begins = this.#plan.shown.from + timeOf(bytes) * (this.#drawing.speed ?? 1)
    const before = this.#parts.at(-1)
    if (before !== undefined) before.duration = Math.max(0, begins - before.time)
    const part = { time: begins, duration: this.#plan.shown.till - begins, wallClock: this.#wallClockAt(begins) }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    this.#parts.push({ sequence: this.#parts.length, ...part, bytes: bytes.length, sha256, without: 'original' })
  }

  /** Milliseconds since 1970 of a time of the file before it was cut. */
  #wallClockAt(ticks: number): number {
    const { pieces } = this.#plan
    const piece = pieces.findLast(({ part, shift }) => part.time + shift <= ticks) ?? pieces[0]
    if (piece === undefined) return this.#of.from
    return Math.round(piece.part.wallClock + (ticks - piece.part.time - piece.shift) / 90)
  }

  #gaps(): ExportGap[] {
    const { from, till } = this.#of
    const missing = clipGaps(this.#plan, { from, till }).map((gap) => ({ ...gap, cause: null }))
    const damaged: { from: number; till: number; cause: string }[] = []
    for (const piece of this.#broken) {
      const { wallClock, duration } = piece.part
      const span = { from: Math.max(from, wallClock), till: Math.min(till, wallClock + Math.round(duration / 90)) }
      const last = damaged.at(-1)
      if (span.till <= span.from) continue
      if (last !== undefined && span.from - last.till < JITTER_MS) last.till = span.till
      else damaged.push({ ...span, cause: 'damaged' })
    }
    return [...missing, ...damaged].sort((one, other) => one.from - other.from)
  }

  /** What is said of the file once all of it was read. */
  content(): ExportContent {
    const { stream, from, till } = this.#of
    const { shown, sound } = this.#plan
    const { text, logo, speed = 1 } = this.#drawing
    const { overlay, watermark } = text
    const derived: DerivedPictures = {
      overlay: overlay !== undefined,
      ...(watermark !== undefined && { watermark }),
      ...(logo !== undefined && { logo: true }),
      ...(speed > 1 && { speed }),
    }
    return {
      ...stream,
      asked: { from, till },
      held: { from: this.#wallClockAt(shown.from), till: this.#wallClockAt(shown.till) },
      gaps: this.#gaps(),
      sound: sound === 'none' || sound === 'leftOut' ? sound : 'replaced',
      head: { bytes: this.#head.length, sha256: createHash('sha256').update(this.#head).digest('hex') },
      segments: [{ segmentId: NO_SEGMENT, parts: this.#parts, ofParts: this.#parts.length, path: [] }],
      list: [],
      derived,
    }
  }
}

/** Whether the camera changed from one codec to another in between, which a decoder doesn't follow. */
export const changesCodec = ({ tracks }: Pick<ClipPlan, 'tracks'>): boolean =>
  new Set(tracks[0]?.map(({ codec }) => codec)).size > 1

/** Ticks of the first picture in a fragment; of the first sound if it has no pictures. The first track has the pictures. */
function timeOf(fragment: Uint8Array): number {
  const [traf] = readBoxes(descend(fragment, ['moof'])).filter(({ type }) => type === 'traf')
  if (traf === undefined) return 0
  const tfdt = descend(traf.content, ['tfdt'])
  const view = new DataView(tfdt.buffer, tfdt.byteOffset, tfdt.byteLength)
  return tfdt[0] === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4)
}
