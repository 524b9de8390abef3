import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getH265Recovery, h265CodecString, h265Track, parseH265Sps, startsH265Picture } from './index.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

/** As x265 wrote them for 1920x1080. */
const vps = bytes('40010c01ffff016000000300900000030000030078959809')
const sps = bytes('420101016000000300900000030000030078a003c08010e596566924caf0168080000003008000000c84')
const pps = bytes('4401c172b46240')

describe('a sequence parameter set', () => {
  test('gives profile, level and cropped size', () => {
    expect(parseH265Sps(sps)).toMatchObject({
      width: 1920,
      height: 1080,
      chromaFormat: 1,
      bitDepthLuma: 8,
      bitDepthChroma: 8,
      subLayers: 1,
      profile: { space: 0, tier: 0, idc: 1, level: 120 },
    })
  })

  test('gives the reorder depth', () => {
    expect(parseH265Sps(sps)?.reorderDepth).toBe(2)
    const without = bytes('42010101600000030090000003000003001ea0142061f26592a4932bc05a020000030002000003001410')
    expect(parseH265Sps(without)?.reorderDepth).toBe(0)
  })

  test('names the codec in the form that browsers expect', () => {
    expect(h265Track({ vps, sps, pps: [pps] })?.codecString).toBe('hvc1.1.6.L120.90')
    const profile = {
      space: 0,
      tier: 0,
      idc: 1,
      compatibility: 0x60_00_00_00,
      constraints: bytes('b00000000000'),
      level: 93,
    }
    expect(h265CodecString(profile), 'the example of ISO 14496-15 annex E').toBe('hvc1.1.6.L93.b0')
    expect(h265CodecString({ ...profile, space: 1, tier: 1, constraints: bytes('000000000000') })).toBe('hvc1.A1.6.H93')
  })

  test('made of any bytes gives a valid size or nothing', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((tail) => Uint8Array.of(0x42, 1, ...tail)),
      fc
        .tuple(fc.nat({ max: sps.length - 3 }), fc.integer({ min: 0, max: 255 }))
        .map(([at, value]) => sps.with(at + 2, value)),
    )
    fc.assert(
      fc.property(hostile, (nal) => {
        const parsed = parseH265Sps(nal)
        if (parsed === undefined) return
        expect(parsed.width).toBeGreaterThan(0)
        expect(parsed.width).toBeLessThanOrEqual(16_384)
        expect(parsed.height).toBeGreaterThan(0)
        expect(parsed.height).toBeLessThanOrEqual(16_384)
      }),
      { numRuns: 3000, seed: 1 },
    )
  })
})

test('a key picture contains an intra random access slice: BLA, IDR or CRA', () => {
  const slice = (type: number): Uint8Array => Uint8Array.of(type << 1, 1, 0x80)
  for (let type = 16; type <= 21; type++) expect(getH265Recovery([vps, slice(type)])).toBe(0)
  for (const type of [0, 1, 9, 22, 39]) expect(getH265Recovery([slice(type)])).toBeUndefined()
})

test('the first slice segment starts a picture', () => {
  expect(startsH265Picture(bytes('2601af'))).toBe(true)
  expect(startsH265Picture(bytes('26012f'))).toBe(false)
})
