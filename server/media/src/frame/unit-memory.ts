import type { AccessUnit } from './index.ts'

/**
 * Memory in which units of some pictures lie, and which is written to again for others. Everyone who needs a unit later than during the
 * call that gave it holds its memory meanwhile, or keeps it for good. Whoever forgets to release it only leaves it to the garbage collector.
 */
export class UnitMemory {
  readonly bytes: Uint8Array
  readonly #giveBack: (memory: UnitMemory) => void
  #holders = 0
  #isKept = false

  constructor(bytes: Uint8Array, giveBack: (memory: UnitMemory) => void) {
    this.bytes = bytes
    this.#giveBack = giveBack
  }

  hold(): void {
    this.#holders++
  }

  /** The last one to release it gives it back. */
  release(): void {
    if (this.#holders === 0) throw new Error('memory of pictures was released more often than it was held')
    this.#holders--
    if (this.#holders === 0 && !this.#isKept) this.#giveBack(this)
  }

  /** It is never given back: someone needs it for as long as they like. */
  keep(): void {
    this.#isKept = true
  }
}

export function holdUnit({ memory }: AccessUnit): void {
  if (memory !== undefined) for (const piece of memory) piece.hold()
}

export function releaseUnit({ memory }: AccessUnit): void {
  if (memory !== undefined) for (const piece of memory) piece.release()
}

export function keepUnit({ memory }: AccessUnit): void {
  if (memory !== undefined) for (const piece of memory) piece.keep()
}
