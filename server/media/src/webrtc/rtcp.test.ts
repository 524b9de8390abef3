/** What viewers report: reading any of it takes little, and ends. */
import { expect, test } from 'vitest'
import { readFeedback } from './rtcp.ts'

function nack(ssrc: number, entries: number): Buffer {
  const packet = Buffer.alloc(12 + 4 * entries, 0xff)
  packet[0] = 0x81
  packet[1] = 205
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(ssrc, 8)
  for (let entry = 0; entry < entries; entry++) packet.writeUInt16BE((entry * 17) & 0xff_ff, 12 + 4 * entry)
  return packet
}

const asked = (packet: Buffer) => readFeedback(packet).missing.flatMap(({ sequences }) => sequences)

test('lost packets are named by a number and a mask', () => {
  const packet = nack(9, 1)
  packet.writeUInt16BE(65_530, 12)
  packet.writeUInt16BE(0b1000_0000_0010_0001, 14)
  expect(readFeedback(packet)).toEqual({
    missing: [{ ssrc: 9, sequences: [65_530, 65_531, 0, 10] }],
    wantsPicture: false,
    hasLeft: false,
  })
})

test('one report asks for as many packets as are kept, and no more', () => {
  expect(asked(nack(9, 60))).toHaveLength(60 * 17)
  expect(asked(nack(9, 16_000))).toHaveLength(64 * 17)
  expect(asked(Buffer.concat(Array.from({ length: 500 }, () => nack(9, 10)))).length).toBeLessThanOrEqual(64 * 17)
  expect(readFeedback(Buffer.concat(Array.from({ length: 500 }, () => nack(9, 0)))).missing).toHaveLength(64)
})

test('any bytes are read to their end', () => {
  const whole = Buffer.concat([
    Buffer.from('80c9000100000001', 'hex'),
    nack(9, 3),
    Buffer.from('81ce000200000001', 'hex'),
  ])
  for (let length = 0; length <= whole.length; length++) readFeedback(whole.subarray(0, length))
  for (let seed = 0; seed < 20_000; seed++) {
    const bytes = Buffer.from(Array.from({ length: seed % 120 }, (_, at) => (seed * 31 + at * at * 7) & 0xff))
    for (let at = 2; at + 1 < bytes.length; at += 8) bytes.writeUInt16BE(seed & 3, at)
    expect(asked(bytes).length).toBeLessThanOrEqual(64 * 17)
  }
})
