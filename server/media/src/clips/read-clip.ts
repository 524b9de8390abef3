import type { ByteRange } from '@sightline/platform/file-reply'
import { placeFragment } from '../mux/index.ts'
import type { FootageAccess } from '../playback/index.ts'
import { DamagedPart, SegmentReader, UnknownKey } from '../recording/index.ts'
import { freeBox } from './added-sound.ts'
import type { ClipPiece, ClipPlan } from './clip-plan.ts'
import { readAhead } from './read-ahead.ts'

/** Of about a second: reading and opening them takes as long as sending one. */
const PIECES_AHEAD = 2
/** What follows a larger one waits for its turn, so that a file that somebody paused keeps little in memory. */
const MAX_AHEAD_BYTES = 1024 * 1024

/**
 * The bytes of a clip, read, checked and decrypted piece by piece as the caller asks for them. Damaged footage, and what depends on
 * it, becomes a box that players skip, so that the file keeps its length; `onBroken` gets it.
 * @throws if a segment was deleted meanwhile, and {@link FootageAway} if S3 can't be read.
 */
export async function* readClip(
  plan: ClipPlan,
  { from, till }: ByteRange,
  { onBroken, ...access }: FootageAccess & { readonly onBroken?: (piece: ClipPiece) => void },
): AsyncGenerator<Uint8Array, void, undefined> {
  await using segments = new OpenSegment(access)
  /** Since a damaged part there was no key picture. */
  let isBroken = false
  const pieces = readPieces(plan, { from, till }, async (piece, index) => {
    const chunks = await segments.read(plan, { piece, index, isBroken })
    isBroken = chunks === undefined
    if (isBroken) onBroken?.(piece)
    return chunks
  })
  yield* readAhead(pieces, { count: PIECES_AHEAD, largest: MAX_AHEAD_BYTES })
}

/**
 * The bytes of a file whose pieces have known sizes, in a range of it. `read` gets only those that touch it, in order, with their
 * numbers from 1; a piece that it can't read becomes a box that players skip. The chunks are the caller's.
 */
export async function* readPieces<Piece extends { readonly bytes: number }>(
  { head, pieces }: { readonly head: Uint8Array; readonly pieces: readonly Piece[] },
  { from, till }: ByteRange,
  read: (piece: Piece, index: number) => Promise<readonly Uint8Array[] | undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0
  for (const [index, piece] of [undefined, ...pieces].entries()) {
    const bytes = piece?.bytes ?? head.length
    const end = at + bytes
    if (at >= till) return
    if (end > from) {
      // The plan keeps its own.
      const chunks = piece === undefined ? [head.slice()] : await read(piece, index)
      yield* cut(chunks ?? [freeBox(bytes)], { from: from - at, till: till - at })
    }
    at = end
  }
}

function* cut(chunks: readonly Uint8Array[], { from, till }: ByteRange): Generator<Uint8Array> {
  let at = 0
  for (const chunk of chunks) {
    const piece = chunk.subarray(Math.max(0, from - at), Math.max(0, till - at))
    if (piece.length > 0) yield piece
    at += chunk.length
  }
}

interface Reading {
  readonly piece: ClipPiece
  readonly index: number
  readonly isBroken: boolean
  /** Gets what is on the disk before it is placed. */
  readonly onPayload?: (payload: Uint8Array, segment: SegmentReader) => Promise<void>
}

/** Keeps the segment open from which the last piece was read. */
export class OpenSegment implements AsyncDisposable {
  readonly #access: FootageAccess
  #open: SegmentReader | undefined

  constructor(access: FootageAccess) {
    this.#access = access
  }

  /** Undefined for footage that can't be shown. */
  async read(
    plan: ClipPlan,
    { piece, index, isBroken, onPayload }: Reading,
  ): Promise<readonly Uint8Array[] | undefined> {
    const { part, shift, runFrom, soundTill, tracks } = piece
    if (isBroken && !part.isKey) return undefined
    const segment = await this.find(piece.path)
    try {
      const payload = await segment.readPart(part)
      await onPayload?.(payload, segment)
      const trackOf = (track: number) => tracks[track]
      const { leftOut, until } = plan
      const end = until === undefined ? {} : { until }
      const placement = { sequence: index, shift, soundFrom: runFrom, soundTill, trackOf, leftOut, ...end }
      return placeFragment(payload, placement, plan.namesFormats)
    } catch (cause) {
      if (cause instanceof DamagedPart || cause instanceof UnknownKey) return undefined
      throw cause
    }
  }

  async find(path: string): Promise<SegmentReader> {
    if (this.#open?.path === path) return this.#open
    await this[Symbol.asyncDispose]()
    const { keys, files, signal } = this.#access
    this.#open = await SegmentReader.open(path, keys, files, signal)
    return this.#open
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open?.[Symbol.asyncDispose]()
    this.#open = undefined
  }
}
