import { createHash } from 'node:crypto'
import {
  type ExportContent,
  type ExportedPart,
  type ExportedSegment,
  type ExportGap,
  type ExportSubject,
  encodeManifestBox,
  manifestText,
} from '@sightline/contract/footage-proof'
import {
  type AddedSound,
  type ClipPiece,
  type ClipPlan,
  type ClipSoundSource,
  clipGaps,
  freeBox,
  OpenSegment,
} from '../clips/index.ts'
import type { FootageAccess } from '../playback/index.ts'
import {
  isRunEnd,
  readSignedList,
  type SegmentReader,
  type SignedList,
  type StreamKey,
  streamFolder,
  toHour,
} from '../recording/index.ts'

/** What a clip is exported of. */
export interface ExportedClip extends FootageAccess {
  readonly store: string
  readonly stream: StreamKey
  /** As it was asked for; milliseconds since 1970. */
  readonly from: number
  readonly till: number
}

interface PieceProof {
  readonly piece: ClipPiece
  readonly segmentId: string
  readonly part: ExportedPart
}

interface SegmentProof {
  readonly ofParts: number
  readonly path: readonly string[]
}

/** Starts the encoder of a clip's sound. */
export type EncodeSound = (added: AddedSound) => ClipSoundSource

/**
 * Reads a whole clip and notes what proves it: {@link chunks} first, then {@link content}. The content of each part is as it is on the
 * disk, byte for byte.
 */
export class ClipExport {
  readonly #plan: ClipPlan
  readonly #of: ExportedClip
  readonly #encodeSound: EncodeSound | undefined
  readonly #proofs: PieceProof[] = []
  readonly #segments = new Map<string, SegmentProof>()

  /** @param encodeSound needed for a plan that adds sound. */
  constructor(plan: ClipPlan, of: ExportedClip, encodeSound?: EncodeSound) {
    this.#plan = plan
    this.#of = of
    this.#encodeSound = encodeSound
  }

  /** The bytes of the file. @throws if a segment was deleted meanwhile, and {@link FootageAway} if S3 can't be read. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    await using segments = new OpenSegment(this.#of)
    using again = this.#soundAgain()
    yield this.#plan.head
    let isBroken = false
    for (const [at, piece] of this.#plan.pieces.entries()) {
      const onPayload = async (payload: Uint8Array, { head }: SegmentReader) =>
        await again?.hear(payload, head.tracks, piece)
      const read = await segments.read(this.#plan, { piece, index: at + 1, isBroken, onPayload })
      isBroken = read === undefined
      const added = (await again?.take(at)) ?? []
      const chunks = [...(read ?? [freeBox(piece.bytes)]), ...added]
      this.#note(await segments.find(piece.path), { piece, chunks, isBroken })
      yield* chunks
      const isLast = this.#plan.pieces[at + 1]?.path !== piece.path
      if (isLast) this.#finish(await segments.find(piece.path))
    }
  }

  #soundAgain(): ClipSoundSource | undefined {
    const { added } = this.#plan
    if (added === undefined) return undefined
    const again = this.#encodeSound?.(added)
    if (again === undefined) throw new Error('clip: no encoder for the sound that is added')
    // Nobody keeps waiting for a packet once the export has ended.
    this.#of.signal?.addEventListener('abort', () => again[Symbol.dispose](), { once: true })
    return again
  }

  #note(
    segment: SegmentReader,
    { piece, chunks, isBroken }: { piece: ClipPiece; chunks: readonly Uint8Array[]; isBroken: boolean },
  ): void {
    const { tracks, header } = segment.head
    const sequence = segment.parts.findIndex(({ offset }) => offset === piece.part.offset)
    const digest = segment.digests[sequence]
    const isKnown = digest?.some((byte) => byte !== 0) === true
    const sound = tracks.findIndex(({ kind }) => kind === 'audio')
    const hash = createHash('sha256')
    for (const chunk of chunks) hash.update(chunk)
    const lacksSound = sound !== -1 && this.#plan.leftOut === 'erased'
    const { time, duration, wallClock } = piece.part
    this.#proofs.push({
      piece,
      segmentId: header.segmentId,
      part: {
        sequence,
        time,
        duration,
        wallClock,
        bytes: piece.bytes + piece.addedBytes,
        ...(piece.addedBytes > 0 && { added: piece.addedBytes }),
        sha256: hash.digest('hex'),
        ...(isKnown && { digest: hexOf(digest), salt: hexOf(segment.saltOf(sequence)) }),
        ...(isBroken ? { without: 'all' as const } : lacksSound && { without: 'sound' as const }),
      },
    })
  }

  #finish(segment: SegmentReader): void {
    const { segmentId } = segment.head.header
    const own = this.#proofs.filter((proof) => proof.segmentId === segmentId)
    const isProvable = segment.end !== undefined && own.every(({ part }) => part.digest !== undefined)
    const path = isProvable ? segment.pathOf(new Set(own.map(({ part }) => part.sequence))) : []
    this.#segments.set(segmentId, { ofParts: segment.parts.length, path })
  }

  /** What is said of the file once all of it was read. */
  async content(): Promise<ExportContent> {
    const { store, stream, from, till } = this.#of
    const [first, last] = [this.#proofs[0], this.#proofs.at(-1)]
    if (first === undefined || last === undefined) throw new Error('clip: nothing was read')
    const held = { from: first.part.wallClock, till: endOf(last.part) }
    const list = await readSignedList(streamFolder(store, stream), {
      segmentIds: new Set(this.#segments.keys()),
      from: toHour(Math.min(from, held.from)),
    })
    const { head } = this.#plan
    return {
      ...stream,
      asked: { from, till },
      held,
      gaps: this.#gaps(list),
      sound: this.#plan.sound,
      head: { bytes: head.length, sha256: createHash('sha256').update(head).digest('hex') },
      segments: this.#listed(list),
      list: [...list.lines],
      ...(list.signedHead !== undefined && { signedHead: list.signedHead }),
    }
  }

  #listed({ lineOf }: SignedList): ExportedSegment[] {
    const listed: ExportedSegment[] = []
    for (const { segmentId, part } of this.#proofs) {
      const last = listed.at(-1)
      if (last?.segmentId === segmentId) {
        last.parts.push(part)
        continue
      }
      const { ofParts, path } = this.#segments.get(segmentId) ?? { ofParts: 0, path: [] }
      const line = lineOf.get(segmentId)
      listed.push({ segmentId, parts: [part], ofParts, path: [...path], ...(line !== undefined && { line }) })
    }
    return listed
  }

  #gaps({ entries }: SignedList): ExportGap[] {
    const { from, till } = this.#of
    const causeOf = (at: number): string | null => {
      const before = entries.filter(({ end }) => end <= at + GAP_MS)
      const last = before.reduce<(typeof before)[number] | undefined>(
        (latest, entry) => (latest === undefined || entry.end > latest.end ? entry : latest),
        undefined,
      )
      return last !== undefined && isRunEnd(last.why) && last.why !== 'parameters' ? last.why : null
    }
    return clipGaps(this.#plan, { from, till }).map((gap) => ({ ...gap, cause: causeOf(gap.from) }))
  }
}

/** The end of a file: its signed manifest. */
export async function manifestBox(
  content: ExportContent,
  sign: (subject: ExportSubject) => Promise<string>,
): Promise<Uint8Array> {
  const { accountId, cameraId, stream } = content
  const text = JSON.stringify(content)
  const contentSha256 = createHash('sha256').update(text).digest('hex')
  return encodeManifestBox(manifestText(await sign({ accountId, cameraId, stream, contentSha256 }), text))
}

/** As in playback: a smaller break is normal jitter. */
const GAP_MS = 1500

const endOf = ({ wallClock, duration }: ExportedPart): number => wallClock + Math.round(duration / 90)
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
