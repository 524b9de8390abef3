import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aacTrack,
  buildAdts,
  buildAudioSpecificConfig,
  buildOpusHead,
  opusPacketSamples,
  parseAdts,
  parseAudioSpecificConfig,
} from './index.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('AAC', () => {
  test.each([
    ['1408', { objectType: 2, sampleRate: 16_000, channels: 1 }],
    ['1210', { objectType: 2, sampleRate: 44_100, channels: 2 }],
    ['1588', { objectType: 2, sampleRate: 8000, channels: 1 }],
  ])('configuration %s is parsed', (hex, config) => {
    expect(parseAudioSpecificConfig(bytes(hex))).toEqual(config)
  })

  test.each([[''], ['14'], ['1600'], ['1680'], ['1400'], ['00'.repeat(100)]])('configuration %s is invalid', (hex) => {
    expect(parseAudioSpecificConfig(bytes(hex))).toBeUndefined()
  })

  test('every configuration survives writing and parsing, including rates outside the table', () => {
    const config = fc.record({
      objectType: fc.integer({ min: 1, max: 30 }),
      sampleRate: fc.oneof(fc.constantFrom(8000, 16_000, 44_100, 48_000), fc.integer({ min: 1000, max: 192_000 })),
      channels: fc.constantFrom(1, 2, 3, 4, 5, 6, 8),
    })
    fc.assert(
      fc.property(config, (one) => {
        expect(parseAudioSpecificConfig(buildAudioSpecificConfig(one))).toEqual(one)
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  test('an ADTS header is parsed as it was written', () => {
    const config = { objectType: 2, sampleRate: 16_000, channels: 1 }
    const frame = new Uint8Array(371)
    const header = buildAdts(config, frame)
    expect(parseAdts(header ?? frame)).toEqual({ config, headerBytes: 7, frameBytes: 378 })
    expect(buildAdts(config, new Uint8Array(9000)), 'longer than its field').toBeUndefined()
  })

  test('any bytes give a valid header or nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (tail) => {
        const header = parseAdts(Uint8Array.of(0xff, 0xf1, ...tail))
        if (header !== undefined) expect(header.frameBytes).toBeGreaterThanOrEqual(header.headerBytes)
        const config = parseAudioSpecificConfig(tail)
        if (config !== undefined) expect(config.channels).toBeGreaterThan(0)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  test('the track is named after its object type', () => {
    expect(aacTrack(bytes('1408'))).toMatchObject({
      codec: 'aac',
      codecString: 'mp4a.40.2',
      sampleRate: 16_000,
      channels: 1,
    })
  })
})

describe('Opus', () => {
  test.each([
    ['20 ms CELT', '98', 480 * 2],
    ['20 ms SILK', '08', 960],
    ['10 ms hybrid', '60', 480],
    ['two frames of 20 ms', '99', 1920],
    ['three frames of 20 ms', '9b03', 2880],
  ])('a packet of %s has the right number of samples', (_, hex, samples) => {
    expect(opusPacketSamples(bytes(hex))).toBe(samples)
  })

  test.each([[''], ['9b00'], ['1b3f']])("%s isn't a packet", (hex) => {
    expect(opusPacketSamples(bytes(hex))).toBeUndefined()
  })

  test('its header has version 1, channels and 48 kHz', () => {
    expect(Buffer.from(buildOpusHead(2)).toString('hex')).toBe(
      `${Buffer.from('OpusHead').toString('hex')}0102000080bb0000000000`,
    )
  })
})
