import type { RtpPacket } from './rtp-packet.ts'

const RECEIVER_REPORT = 201
const SOURCE_DESCRIPTION = 202
const CNAME = 1
const NAME = Buffer.from('sightline')

/** Counts the packets of one source for the reports that some cameras need to keep sending (RFC 3550 §6.4.2). */
export class ReceptionStatistics {
  #ssrc: number | undefined
  #first = 0
  /** With the number of times it wrapped around in the upper 16 bits. */
  #highest = 0
  #received = 0
  #expectedBefore = 0
  #receivedBefore = 0

  take({ ssrc, sequence }: RtpPacket): void {
    this.#received++
    if (ssrc !== this.#ssrc) {
      this.#ssrc = ssrc
      this.#first = sequence
      this.#highest = sequence
      this.#received = 1
      this.#expectedBefore = 0
      this.#receivedBefore = 0
      return
    }
    const ahead = (sequence - this.#highest) & 0xff_ff
    if (ahead < 0x80_00) this.#highest += ahead
  }

  /** A receiver report and who sends it; undefined before the first packet. */
  report(ownSsrc: number): Buffer | undefined {
    if (this.#ssrc === undefined) return undefined
    const expected = this.#highest - this.#first + 1
    const expectedNow = expected - this.#expectedBefore
    const lostNow = Math.max(0, expectedNow - (this.#received - this.#receivedBefore))
    this.#expectedBefore = expected
    this.#receivedBefore = this.#received
    const report = Buffer.alloc(32)
    writeHeader(report, RECEIVER_REPORT, ownSsrc)
    report.writeUInt32BE(this.#ssrc, 8)
    report[12] = expectedNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0
    // Negative if packets came more often than they were sent (RFC 3550 §A.3).
    report.writeIntBE(Math.min(0x7f_ff_ff, Math.max(-0x80_00_00, expected - this.#received)), 13, 3)
    report.writeUInt32BE(this.#highest >>> 0, 16)
    return Buffer.concat([report, describeSource(ownSsrc)])
  }
}

function describeSource(ssrc: number): Buffer {
  // The list of items ends with at least one zero and fills its last word.
  const description = Buffer.alloc(8 + 4 * Math.ceil((2 + NAME.length + 1) / 4))
  writeHeader(description, SOURCE_DESCRIPTION, ssrc)
  description[8] = CNAME
  description[9] = NAME.length
  description.set(NAME, 10)
  return description
}

/** Version 2 with one block; the length counts words without the first. */
function writeHeader(packet: Buffer, type: number, ssrc: number): void {
  packet[0] = 0x81
  packet[1] = type
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(ssrc, 4)
}
