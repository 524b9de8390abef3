/** A picture as a file. */
export interface MadePicture {
  readonly bytes: Uint8Array
  /** Milliseconds since 1970. */
  readonly takenAt: number
}

interface KeptPicture {
  readonly picture: Promise<MadePicture>
  size: number
  readonly forget: NodeJS.Timeout
}

export interface PictureCacheLimits {
  readonly maxBytes: number
  readonly lifeMs: number
}

/** A picture that is still being made counts as so many bytes. */
const EXPECTED_BYTES = 256 * 1024

/** Pictures that were made not long ago, in memory only; the one that was asked for least recently goes first. */
export class PictureCache implements Disposable {
  readonly #limits: PictureCacheLimits
  readonly #kept = new Map<string, KeptPicture>()
  #bytes = 0

  constructor(limits: PictureCacheLimits) {
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Makes a picture once for all who ask for it; one that fails isn't kept. */
  get(key: string, make: () => Promise<MadePicture>): Promise<MadePicture> {
    const known = this.#kept.get(key)
    if (known !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known.picture
    }
    const forget = setTimeout(() => this.#drop(key), this.#limits.lifeMs)
    forget.unref()
    const made: KeptPicture = { picture: make(), size: EXPECTED_BYTES, forget }
    this.#kept.set(key, made)
    this.#bytes += made.size
    made.picture.then(
      ({ bytes }) => this.#resize(key, made, bytes.length),
      () => this.#kept.get(key) === made && this.#drop(key),
    )
    this.#makeRoom()
    return made.picture
  }

  [Symbol.dispose](): void {
    for (const key of [...this.#kept.keys()]) this.#drop(key)
  }

  #resize(key: string, picture: KeptPicture, size: number): void {
    if (this.#kept.get(key) !== picture) return
    this.#bytes += size - picture.size
    picture.size = size
    this.#makeRoom()
  }

  #makeRoom(): void {
    for (const key of [...this.#kept.keys()]) {
      if (this.#bytes <= this.#limits.maxBytes) return
      this.#drop(key)
    }
  }

  #drop(key: string): void {
    const picture = this.#kept.get(key)
    if (picture === undefined) return
    clearTimeout(picture.forget)
    this.#kept.delete(key)
    this.#bytes -= picture.size
  }
}
