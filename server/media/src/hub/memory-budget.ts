/** Who gives way first when memory runs short: what a viewer hasn't watched is worth less than what isn't stored yet. */
const RANKS = ['viewer', 'gop', 'preRoll', 'recorder'] as const

export type BudgetRank = (typeof RANKS)[number]

/** Something that keeps media in memory: a reader's queue, the running group of pictures, or a pre-roll. */
export interface MemoryHolder {
  readonly rank: BudgetRank
  /** Bytes of media that it keeps now. */
  readonly heldBytes: number
  /** Lets all of them go, and counts them off with {@link MemoryBudget.count}. */
  release(): void
}

/**
 * The memory for media that all hubs of a process share. When it is used up, the oldest viewers' queues are emptied
 * first, then groups of pictures and pre-rolls, oldest first, and then the longest recorder queues: their recorders are
 * notified, and end their runs with the cause `disk`.
 */
export class MemoryBudget {
  readonly #limit: number
  readonly #holders = new Map<BudgetRank, Set<MemoryHolder>>(RANKS.map((rank) => [rank, new Set()]))
  #held = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  /** Bytes held by all; what two holders share counts twice. */
  get heldBytes(): number {
    return this.#held
  }

  /** The share of the memory that is in use. */
  get heldShare(): number {
    return this.#held / this.#limit
  }

  join(holder: MemoryHolder): void {
    this.#holders.get(holder.rank)?.add(holder)
  }

  leave(holder: MemoryHolder): void {
    this.#holders.get(holder.rank)?.delete(holder)
  }

  /** A holder has grown by so many bytes; negative if it has shrunk. */
  count(bytes: number): void {
    this.#held += bytes
    if (bytes > 0 && this.#held > this.#limit) this.#makeRoom()
  }

  #makeRoom(): void {
    for (const rank of RANKS) {
      for (const holder of this.#inOrder(rank)) {
        if (this.#held <= this.#limit) return
        if (holder.heldBytes > 0) holder.release()
      }
    }
  }

  #inOrder(rank: BudgetRank): readonly MemoryHolder[] {
    const holders = [...(this.#holders.get(rank) ?? [])]
    return rank === 'recorder' ? holders.sort((a, b) => b.heldBytes - a.heldBytes) : holders
  }
}
