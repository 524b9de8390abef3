import { describe, expect, test } from 'vitest'
import { ReceptionStatistics } from './receiver-report.ts'
import type { RtpPacket } from './rtp-packet.ts'

const OWN_SSRC = 7

/** The block of a report about a source that sent these sequence numbers (RFC 3550 §6.4.1). */
function blockAbout(sequences: Iterable<number>, statistics = new ReceptionStatistics()) {
  for (const sequence of sequences) statistics.take({ ssrc: 1, sequence } as RtpPacket)
  const report = statistics.report(OWN_SSRC) ?? Buffer.alloc(32)
  return { fraction: report[12], lost: report.readIntBE(13, 3), highest: report.readUInt32BE(16) }
}

const upTo = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, index) => index)

describe('a receiver report says', () => {
  test('nothing is lost if every packet came once', () => {
    expect(blockAbout(upTo(9))).toEqual({ fraction: 0, lost: 0, highest: 9 })
  })

  test('how many packets are missing, and what share of those since the last report', () => {
    const statistics = new ReceptionStatistics()
    expect(blockAbout([0, 1, 3], statistics)).toEqual({ fraction: 64, lost: 1, highest: 3 })
    expect(blockAbout([4, 5, 6, 7], statistics)).toEqual({ fraction: 0, lost: 1, highest: 7 })
  })

  test('a negative loss if packets came more often than they were sent', () => {
    expect(blockAbout([...upTo(9), 9, 9, 9])).toEqual({ fraction: 0, lost: -3, highest: 9 })
  })

  test('packets that came late are no longer lost', () => {
    const statistics = new ReceptionStatistics()
    expect(blockAbout([0, 1, 3], statistics).lost).toBe(1)
    expect(blockAbout([2], statistics)).toEqual({ fraction: 0, lost: 0, highest: 3 })
  })

  test('the most that 24 bits hold, in both directions', () => {
    // The sequence jumps ahead by just less than half of its range each time, so almost everything counts as lost.
    const jumps = Array.from({ length: 300 }, (_, index) => (index * 0x7f_ff) & 0xff_ff)
    expect(blockAbout(jumps).lost).toBe(0x7f_ff_ff)
    const repeated = new ReceptionStatistics()
    for (let count = 0; count < 0x80_00_02; count++) repeated.take({ ssrc: 1, sequence: 0 } as RtpPacket)
    expect(blockAbout([], repeated).lost).toBe(-0x80_00_00)
  })
})
