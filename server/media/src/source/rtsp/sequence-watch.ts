/** Sees from the 16-bit numbers of RTP packets whether any are missing (RFC 3550 §5.1). */
export class SequenceWatch {
  #expected: number | undefined

  /** How many packets are missing before this one; -1 if it is a duplicate or too late. */
  missingBefore(sequence: number): number {
    const expected = this.#expected ?? sequence
    const ahead = (sequence - expected) & 0xff_ff
    if (ahead >= 0x80_00) return -1
    this.#expected = (sequence + 1) & 0xff_ff
    return ahead
  }

  restart(): void {
    this.#expected = undefined
  }
}
