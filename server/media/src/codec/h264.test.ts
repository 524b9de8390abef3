import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getH264Recovery, h264Track, parseH264Sps, startsH264Picture } from './index.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

/** As x264 wrote them; sizes and rates as ffprobe reads them. */
const parameterSets = {
  main1080: bytes('674d4028eca03c0113f2e022000003000200000300641e30632c'),
  baseline360: bytes('6742c01ed900a02ff97011000003000100000300320f162e48'),
  high720: bytes('6764001facd9405005bb011000000300100000030320f1831960'),
}
const pps = bytes('68ebe3cb20')

describe('a sequence parameter set', () => {
  test.each([
    ['main1080', { profile: 77, level: 40, width: 1920, height: 1080, frameRate: 25 }],
    ['baseline360', { profile: 66, level: 30, width: 640, height: 360, frameRate: 25 }],
    ['high720', { profile: 100, level: 31, width: 1280, height: 720, frameRate: 25 }],
  ] as const)('%s gives profile, level, cropped size and frame rate', (name, expected) => {
    expect(parseH264Sps(parameterSets[name])).toMatchObject(expected)
  })

  test.each([
    ['B pictures on B pictures', parameterSets.main1080, 2],
    ['no B pictures', bytes('674d400cd981419f9f011000000300100000030320f142a680'), 0],
    ['a profile without B pictures', parameterSets.baseline360.subarray(0, 12), 0],
    [
      'B pictures with buffer parameters before them',
      bytes('67f4000c919a202833f1b8088000000300800000193020007a12000f425261803c50a448'),
      1,
    ],
    ['undefined if truncated', bytes('674d4028eca03c0113f2e020'), undefined],
  ] as const)('gives the reorder depth: %s', (_, sps, depth) => {
    expect(parseH264Sps(sps)?.width).toBeGreaterThan(0)
    expect(parseH264Sps(sps)?.reorderDepth).toBe(depth)
  })

  test('names the codec in the form that browsers expect', () => {
    expect(h264Track(parameterSets.main1080, [pps])?.codecString).toBe('avc1.4d4028')
    expect(h264Track(parameterSets.baseline360, [pps])?.codecString).toBe('avc1.42c01e')
  })

  test('that is cut off before its size is rejected', () => {
    for (let length = 0; length < 9; length++)
      expect(parseH264Sps(parameterSets.main1080.subarray(0, length))).toBeUndefined()
  })

  test('from another unit type is rejected', () => {
    expect(parseH264Sps(pps)).toBeUndefined()
    expect(h264Track(pps, [pps])).toBeUndefined()
  })

  test('made of any bytes gives a valid size or nothing', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((tail) => Uint8Array.of(0x67, ...tail)),
      fc
        .tuple(fc.constantFrom(...Object.values(parameterSets)), fc.nat(), fc.integer({ min: 0, max: 255 }))
        .map(([set, at, value]) => set.with(1 + (at % (set.length - 1)), value)),
    )
    fc.assert(
      fc.property(hostile, (nal) => {
        const sps = parseH264Sps(nal)
        if (sps === undefined) return
        expect(sps.width).toBeGreaterThan(0)
        expect(sps.width).toBeLessThanOrEqual(16_384)
        expect(sps.height).toBeGreaterThan(0)
        expect(sps.height).toBeLessThanOrEqual(16_384)
        expect(sps.frameRate ?? 1).toBeGreaterThan(0)
      }),
      { numRuns: 3000, seed: 1 },
    )
  })
})

describe('a key picture', () => {
  test('contains an IDR slice', () => {
    expect(getH264Recovery([bytes('0605'), bytes('6588840af2')])).toBe(0)
    expect(getH264Recovery([bytes('0605'), bytes('419a3815e1')])).toBeUndefined()
  })

  test('or a recovery point, which says how many pictures later all is whole', () => {
    const slice = bytes('419a3815e1')
    expect(getH264Recovery([bytes('060601c480'), slice])).toBe(0)
    expect(getH264Recovery([bytes('06060144' + '80'), slice]), 'recovery_frame_cnt 1').toBe(1)
    expect(getH264Recovery([bytes('0605020102060184' + '80'), slice]), 'behind another message').toBe(0)
  })

  test('detection handles SEI messages of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (tail) => {
        expect(() => getH264Recovery([Uint8Array.of(6, ...tail)])).not.toThrow()
      }),
      { numRuns: 1000, seed: 1 },
    )
    expect(getH264Recovery([new Uint8Array(100_000).fill(0xff).with(0, 6)])).toBeUndefined()
  })
})

test('a slice with first_mb_in_slice 0 starts a picture', () => {
  expect(startsH264Picture(bytes('658884'))).toBe(true)
  expect(startsH264Picture(bytes('654084'))).toBe(false)
  expect(startsH264Picture(bytes('65'))).toBe(false)
})
