/** What a viewer gets: a JPEG, or G.711 µ-law with 8000 samples a second. */
export interface PicturePiece {
  readonly kind: 'picture' | 'sound'
  readonly bytes: Uint8Array
  /** When the camera's picture or the first sample arrived: milliseconds since 1970. */
  readonly at: number
}

/** Why a source ends its viewers: the camera is private, away, sends pictures that can't be decoded, or makes none itself. */
export type PictureEnd = 'private' | 'away' | 'undecodable' | 'unsupported'

/** Someone who looks at a stream. */
export interface PictureViewer {
  readonly hears: boolean
  push(piece: PicturePiece): void
  end(why: PictureEnd): void
}

/** A second of sound; a viewer who is later than that misses some. */
const MAX_SOUND_BYTES = 8000

/** What waits for one viewer: the newest picture, and a little sound. A slow viewer skips pictures, and delays nobody. */
export class WaitingPieces implements PictureViewer {
  readonly hears: boolean
  #picture: PicturePiece | undefined
  #sound: PicturePiece[] = []
  #soundBytes = 0
  #ended: PictureEnd | undefined
  #wake: (() => void) | undefined

  constructor({ hears }: Pick<PictureViewer, 'hears'>) {
    this.hears = hears
  }

  /** Undefined until the source ends. */
  get ended(): PictureEnd | undefined {
    return this.#ended
  }

  push(piece: PicturePiece): void {
    if (piece.kind === 'picture') this.#picture = piece
    else this.#addSound(piece)
    this.#wake?.()
  }

  end(why: PictureEnd): void {
    this.#ended ??= why
    // The last picture of a camera that was made private doesn't stay.
    this.#picture = undefined
    this.#sound = []
    this.#wake?.()
  }

  /** The next piece as soon as there is one; undefined when the source ended or the signal aborts. */
  async next(signal: AbortSignal): Promise<PicturePiece | undefined> {
    for (;;) {
      if (signal.aborted || this.#ended !== undefined) return undefined
      const piece = this.#take()
      if (piece !== undefined) return piece
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      signal.addEventListener('abort', resolve as () => void, { once: true })
      await promise
      signal.removeEventListener('abort', resolve as () => void)
      this.#wake = undefined
    }
  }

  #take(): PicturePiece | undefined {
    const sound = this.#sound.shift()
    if (sound !== undefined) {
      this.#soundBytes -= sound.bytes.length
      return sound
    }
    const picture = this.#picture
    this.#picture = undefined
    return picture
  }

  #addSound(piece: PicturePiece): void {
    this.#sound.push(piece)
    this.#soundBytes += piece.bytes.length
    while (this.#soundBytes > MAX_SOUND_BYTES) this.#soundBytes -= this.#sound.shift()?.bytes.length ?? 0
  }
}
