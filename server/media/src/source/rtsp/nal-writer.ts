import { UnitMemory } from '../../frame/index.ts'

const SLAB_BYTES = 131_072
/** What waits to be written to again: a group of pictures of 4 Mbit/s. */
const MAX_FREE_BYTES = 1024 * 1024
export const MAX_ACCESS_UNIT_BYTES = 8 * 1024 * 1024
/** A picture of more pieces than this is an attack: each costs an object. */
const MAX_UNITS = 2048

const { copy } = Buffer.prototype

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
  readonly #reuses: boolean
  /** The smallest first. */
  readonly #free: UnitMemory[] = []
  #freeBytes = 0
  /** What is written to now. */
  #memory: UnitMemory
  /** Where the units of the picture being written lie. */
  #places: readonly UnitMemory[]
  /** Those before, which are held until their pictures were passed on. */
  #full: UnitMemory[] = []
  #used = 0
  /** Where the unit being written begins; -1 if there is none. */
  #unitStart = -1
  #units: Uint8Array[] = []
  #bytes = 0
  /** The picture is larger than the limit. */
  overflowed = false

  /** @param reuses slabs that nobody holds any more are written to again ({@link UnitMemory}). */
  constructor(reuses = false) {
    this.#reuses = reuses
    this.#memory = this.#open(SLAB_BYTES)
    this.#places = [this.#memory]
  }

  /** Where the units lie, if that is written to again. */
  get memory(): readonly UnitMemory[] | undefined {
    return this.#reuses ? this.#places : undefined
  }

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

  /** What `piece` has from `from` on. */
  append(piece: Uint8Array, from = 0): void {
    const length = piece.length - from
    if (!this.#counts(length)) return
    // By position: a view of the rest would be an object for each packet.
    copy.call(piece, this.#memory.bytes, this.#used, from)
    this.#used += length
  }

  byte(value: number): void {
    if (!this.#counts(1)) return
    this.#memory.bytes[this.#used] = value
    this.#used++
  }

  end(): void {
    if (!this.overflowed) this.#units.push(this.#memory.bytes.subarray(this.#unitStart, this.#used))
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
    this.#places = [this.#memory]
    this.#bytes = 0
    this.#unitStart = -1
    this.overflowed = false
  }

  /** Makes room for so many bytes; false if the picture becomes too large by them. */
  #counts(length: number): boolean {
    this.#bytes += length
    if (this.#bytes > MAX_ACCESS_UNIT_BYTES || this.#units.length >= MAX_UNITS) this.overflowed = true
    else this.#makeRoom(length)
    return !this.overflowed
  }

  #makeRoom(length: number): void {
    if (this.#used + length <= this.#memory.bytes.length) return
    const started = this.#memory.bytes.subarray(this.#unitStart, this.#used)
    // Pictures that lie in others were passed on before this one was begun.
    for (const memory of this.#full) if (!this.#places.includes(memory)) memory.release()
    this.#full = [...this.#full.filter((memory) => this.#places.includes(memory)), this.#memory]
    this.#memory = this.#open(2 * (started.length + length))
    this.#places = this.#units.length === 0 ? [this.#memory] : [...this.#places, this.#memory]
    this.#memory.bytes.set(started)
    this.#unitStart = 0
    this.#used = started.length
  }

  #open(bytes: number): UnitMemory {
    const wanted = Math.max(SLAB_BYTES, bytes)
    const free = this.#free.find((one) => one.bytes.length >= wanted)
    if (free !== undefined) {
      this.#free.splice(this.#free.indexOf(free), 1)
      this.#freeBytes -= free.bytes.length
    }
    const memory = free ?? new UnitMemory(newSlab(wanted), (given) => this.#takeBack(given))
    memory.hold()
    return memory
  }

  #takeBack(memory: UnitMemory): void {
    const { length } = memory.bytes
    if (!this.#reuses || this.#freeBytes + length > MAX_FREE_BYTES) return
    this.#freeBytes += length
    this.#free.push(memory)
    this.#free.sort((one, other) => one.bytes.length - other.bytes.length)
  }
}
