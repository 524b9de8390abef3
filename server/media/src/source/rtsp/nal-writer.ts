const SLAB_BYTES = 131_072
export const MAX_ACCESS_UNIT_BYTES = 8 * 1024 * 1024
/** A picture of more pieces than this is an attack: each costs an object. */
const MAX_UNITS = 2048

/**
 * Not zeroed, because all of it is written before it is read; and not a Buffer, whose `slice` would share instead of
 * copy.
 */
const newSlab = (bytes: number): Uint8Array => new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer)

/**
 * Collects the NAL units of one picture. Each byte is copied once, out of the socket's buffer into a slab shared by the units of about
 * half a second: few allocations, and no unit keeps a whole socket buffer alive.
 */
export class NalWriter {
  #slab = newSlab(SLAB_BYTES)
  #used = 0
  /** Where the unit being written begins; -1 if there is none. */
  #unitStart = -1
  #units: Uint8Array[] = []
  #bytes = 0
  /** The picture is larger than the limit. */
  overflowed = false

  get units(): readonly Uint8Array[] {
    return this.#units
  }

  get isInsideUnit(): boolean {
    return this.#unitStart >= 0
  }

  whole(nal: Uint8Array): void {
    this.begin()
    this.append(nal)
    this.end()
  }

  begin(): void {
    this.#unitStart = this.#used
  }

  append(piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes > MAX_ACCESS_UNIT_BYTES || this.#units.length >= MAX_UNITS) {
      this.overflowed = true
      return
    }
    this.#makeRoom(piece.length)
    this.#slab.set(piece, this.#used)
    this.#used += piece.length
  }

  end(): void {
    if (!this.overflowed) this.#units.push(this.#slab.subarray(this.#unitStart, this.#used))
    this.#unitStart = -1
  }

  /** Returns the units and starts the next picture. */
  take(): readonly Uint8Array[] {
    const units = this.#units
    this.clear()
    return units
  }

  clear(): void {
    this.#units = []
    this.#bytes = 0
    this.#unitStart = -1
    this.overflowed = false
  }

  #makeRoom(length: number): void {
    if (this.#used + length <= this.#slab.length) return
    const started = this.#slab.subarray(this.#unitStart, this.#used)
    const slab = newSlab(Math.max(SLAB_BYTES, 2 * (started.length + length)))
    slab.set(started)
    this.#slab = slab
    this.#unitStart = 0
    this.#used = started.length
  }
}
