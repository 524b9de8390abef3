import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rtpBytes } from '../../codec/index.ts'
import { RtpClock } from './rtp-clock.ts'
import { parseRtp, parseSenderReport } from './rtp-packet.ts'
import { SequenceWatch } from './sequence-watch.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('an RTP packet', () => {
  test('is parsed as it was written', () => {
    const fields = { payloadType: 96, sequence: 65_535, timestamp: 0xff_ff_ff_fe, ssrc: 0xde_ad_be_ef, marker: true }
    expect(parseRtp(rtpBytes(fields, bytes('0102')))).toEqual({ ...fields, payload: Buffer.of(1, 2) })
  })

  test('may have contributing sources, an extension and padding', () => {
    const header = 'b2e0000100000002000000030000000400000005'
    const packet = parseRtp(bytes(`${header}bede0001aabbccdd010203000003`))
    expect(Buffer.from(packet?.payload ?? []).toString('hex')).toBe('010203')
  })

  test.each([
    ['another version', '40600001000000020000000301'],
    ['too short', '8060000100000002000000'],
    ['sources beyond its end', '8f6000010000000200000003'],
    ['an extension beyond its end', '906000010000000200000003bede0002aabbccdd'],
    ['more padding than payload', 'a0600001000000020000000301ff'],
  ])('with %s is invalid', (_, hex) => {
    expect(parseRtp(bytes(hex))).toBeUndefined()
  })

  test('made of any bytes stays within them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 0, max: 63 }), (tail, flags) => {
        const packet = parseRtp(Uint8Array.of(0x80 | flags, ...tail))
        if (packet !== undefined) expect(packet.payload.length).toBeLessThanOrEqual(tail.length + 1 - 12)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })
})

describe('a sender report', () => {
  test('gives the camera clock of a timestamp', () => {
    // 2026-11-21T10:28:00.500Z is 4,004,245,680.5 s after 1900.
    const seconds = 4_004_245_680
    const packet = Buffer.alloc(28)
    packet.set(bytes('80c80006000000aa'))
    packet.writeUInt32BE(seconds, 8)
    packet.writeUInt32BE(0x80_00_00_00, 12)
    packet.writeUInt32BE(1234, 16)
    const receiverReport = bytes('80c90001000000aa')
    expect(parseSenderReport(Buffer.concat([receiverReport, packet]))).toEqual({
      ssrc: 0xaa,
      cameraClock: (seconds - 2_208_988_800) * 1000 + 500,
      timestamp: 1234,
    })
  })

  test('in any bytes is found or not, quickly', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (tail) => {
        parseSenderReport(Uint8Array.of(0x80, 200, 0, 0, ...tail))
        parseSenderReport(Uint8Array.of(0x80, 201, 0, 0, ...tail))
        parseSenderReport(tail)
      }),
      { numRuns: 2000, seed: 1 },
    )
    expect(parseSenderReport(new Uint8Array(65_535).fill(0x80))).toBeUndefined()
  })
})

describe('sequence numbers', () => {
  test('show what is missing, including across the wraparound', () => {
    const watch = new SequenceWatch()
    expect([65_534, 65_535, 0, 3, 3, 1, 4].map((sequence) => watch.missingBefore(sequence))).toEqual([
      0, 0, 0, 2, -1, -1, 0,
    ])
  })
})

describe('the clock of a run', () => {
  test('continues across the 32-bit wraparound', () => {
    const clock = new RtpClock(90_000)
    clock.start(0xff_ff_f0_00, 0, 0)
    expect(clock.advance(0xff_ff_f0_00, 0)).toBe(0)
    expect(clock.advance(0x00_00_08_00, 0)).toBe(0x18_00)
    expect(clock.jumps).toBe(0)
  })

  test.each([[8000], [44_100], [48_000], [16_000]])("at %d Hz doesn't drift in a year", (rate) => {
    const clock = new RtpClock(rate)
    clock.start(0, 0, 0)
    const step = rate * 9
    const steps = Math.floor((365 * 86_400) / 9)
    let ticks = 0
    for (let i = 1; i <= steps; i++) ticks = clock.advance((i * step) >>> 0, i * 9000)
    expect(ticks).toBe(steps * 9 * 90_000)
  })

  test('replaces a jump with the time that passed', () => {
    const clock = new RtpClock(90_000)
    clock.start(1000, 0, 0)
    clock.advance(1000 + 3600, 40)
    expect(clock.advance(900_000_000, 80)).toBe(7200)
    expect(clock.advance(900_003_600, 120)).toBe(10_800)
    expect(clock.jumps).toBe(1)
  })

  test('accepts a pause of some seconds unchanged', () => {
    const clock = new RtpClock(90_000)
    clock.start(0, 0, 0)
    expect(clock.advance(9 * 90_000, 9000)).toBe(9 * 90_000)
    expect(clock.jumps).toBe(0)
  })
})
