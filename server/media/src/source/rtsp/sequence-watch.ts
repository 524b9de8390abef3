/** More missing numbers than this are no loss but another place in the number space (RFC 3550 §A.1). */
const MAX_DROPOUT = 3000
/** A packet that is late by at most this much is a repeated one (RFC 3550 §A.1). */
const MAX_MISORDER = 100

/**
 * Sees from the 16-bit numbers of RTP packets whether any are missing, and follows a camera that continues elsewhere in
 * the number space: two consecutive packets there prove it (RFC 3550 §A.1).
 */
export class SequenceWatch {
  #expected: number | undefined
  /** The number that would prove a move. */
  #proof: number | undefined

  /**
   * How many packets are missing before this one; -1 if the packet must be ignored: it is repeated, or the first one
   * at another place. After a move at least that one is missing.
   */
  missingBefore(sequence: number): number {
    const ahead = (sequence - (this.#expected ?? sequence)) & 0xff_ff
    const isMove = ahead >= MAX_DROPOUT && ahead <= 0x1_00_00 - MAX_MISORDER
    if (isMove && sequence !== this.#proof) {
      this.#proof = (sequence + 1) & 0xff_ff
      return -1
    }
    if (ahead > 0x1_00_00 - MAX_MISORDER) return -1
    this.#expected = (sequence + 1) & 0xff_ff
    this.#proof = undefined
    return isMove ? 1 : ahead
  }

  /** A packet that shares the numbers and is of no interest. It counts only if it is the next one: some repeat a number. */
  skip(sequence: number): void {
    if (sequence === this.#expected) this.#expected = (sequence + 1) & 0xff_ff
  }

  restart(): void {
    this.#expected = undefined
    this.#proof = undefined
  }
}
